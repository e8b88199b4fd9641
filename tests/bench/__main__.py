"""`make bench`: every measurement, printed as tables. `python -m tests.bench pages` runs one.

Each part is a process of its own, so that one's memory and imports do not slow the next.
"""

from __future__ import annotations

import importlib
import subprocess
import sys

PARTS = {
    "import": "Importing the published release",
    "pages": "Saving a page of ratings",
    "survey": "Participants at once",
    "engine": "Asking a language model",
    "compare": "Comparing sources",
}


def main() -> int:
    if len(sys.argv) == 1:
        codes = [
            subprocess.run([sys.executable, "-m", "tests.bench", part], check=False).returncode
            for part in PARTS
        ]
        return max(codes)
    for part in sys.argv[1:]:
        if part not in PARTS:
            print(f"No part {part!r}: choose from {', '.join(PARTS)}.", file=sys.stderr)
            return 2
        from tests.bench.table import print_table

        measure = importlib.import_module(f"tests.bench.bench_{part}").measure
        print_table(PARTS[part], measure())
    return 0


if __name__ == "__main__":
    sys.exit(main())
