#!/bin/sh
# Everything that is checked without running the program: lint, format, types, rooms, migrations.
set -eu
cd "$(dirname "$0")/.."
export DJANGO_SETTINGS_MODULE=tests.settings
run() {
    printf '== %s\n' "$*"
    "$@"
}
run .venv/bin/ruff check .
run .venv/bin/ruff format --check .
run .venv/bin/mypy .
run .venv/bin/lint-imports --no-cache
run .venv/bin/python manage.py makemigrations --check --dry-run
run .venv/bin/python manage.py check --fail-level WARNING
key=$(.venv/bin/python -c 'import secrets; print(secrets.token_urlsafe(50))')
export DJANGO_SECRET_KEY="$key" AFFECTBENCH_TLS=true DJANGO_DEBUG=false
run .venv/bin/python manage.py check --deploy --fail-level WARNING --settings config.settings
