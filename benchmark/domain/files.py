"""A comparison as a file: JSON and CSV in full precision, Markdown and LaTeX rounded for print.

CSV is one row a cell, made for other programs: plain numbers with a decimal point and a hyphen as
minus, an empty cell where a number does not exist, with the reason beside it. Markdown, LaTeX and
the text table show one row a place, as a paper would.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence

from benchmark.domain.cells import Place
from benchmark.domain.comparison import Column, ComparedCell, Comparison, as_dict
from benchmark.domain.formatting import MINUS, MISSING, count, mean_sd, number
from benchmark.domain.statistics import Direction

WIDEST = 120
"""Characters that most terminals show in a line."""
ARROWS = {Direction.UP: "↑", Direction.DOWN: "↓", Direction.NONE: ""}
CSV_COLUMNS = (
    "instrument", "source", "kind", "origin", "emotion", "factor", "situation", "subscale",
    "n", "mean", "sd", "default_n", "default_mean", "default_sd",
    "change", "ci95_low", "ci95_high", "direction", "p", "test", "alpha", "method", "reason",
)  # fmt: skip
LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "±": r"$\pm$", MINUS: "$-$", MISSING: "--",
    "·": r"$\cdot$", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def to_json(comparison: Comparison) -> str:
    """The contract's object; never NaN."""
    return json.dumps(as_dict(comparison), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_csv(comparison: Comparison) -> str:
    """One row for each source, place and subscale; a view without rows says so in a comment."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS)
    for column in comparison.columns:
        for place in comparison.places:
            for key in comparison.subscales:
                writer.writerow(_csv_row(comparison, column, column.cells[place, key]))
    if not comparison.columns or not comparison.places:
        writer.writerow(["# no source has answers for this view"])
    return out.getvalue()


def _csv_row(comparison: Comparison, column: Column, cell: ComparedCell) -> list[object]:
    options, source, result = comparison.options, column.source, cell.result
    default = column.default[cell.subscale]
    texts = [options.instrument, source.name, source.kind.value, source.origin.value]
    place = [cell.place.emotion, cell.place.factor, cell.place.situation, cell.subscale]
    low, high = result.ci or (None, None)
    return [
        *(guarded(text or "") for text in texts + place),
        cell.evoked.n,
        *map(plain, (cell.evoked.mean, cell.evoked.sd)),
        default.n,
        *map(plain, (default.mean, default.sd, result.change, low, high)),
        result.direction.value,
        plain(result.p),
        result.test.value if result.test else "",
        plain(options.alpha),
        options.method.value,
        guarded(result.reason or result.caution),
    ]


def plain(value: float | None) -> str:
    """A number for other programs, in full precision; empty where missing."""
    return "" if value is None else repr(float(value))


def guarded(text: str) -> str:
    """A text that a spreadsheet takes as text, even where it looks like a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def to_markdown(comparison: Comparison) -> str:
    """A pipe table, one row a place, with the note that explains it."""
    rows = grid(comparison)
    lines = ["| " + " | ".join(_markdown_text(cell) for cell in row) + " |" for row in rows]
    marks = ["---", *["---:"] * (len(rows[0]) - 1)]
    lines.insert(1, "| " + " | ".join(marks) + " |")
    return "\n".join([*lines, "", note(comparison), ""])


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\|`*_<>\[\]])", r"\\\1", text).replace("\n", " ")


def to_latex(comparison: Comparison) -> str:
    """A booktabs table: sources over their subscales, ready for \\input."""
    subscales = list(comparison.subscales.values())
    width = len(subscales)
    heads = [escaped(column.source.name) for column in comparison.columns]
    spans = [rf"\multicolumn{{{width}}}{{c}}{{{head}}}" for head in heads]
    rules = [rf"\cmidrule(lr){{{2 + i * width}-{1 + (i + 1) * width}}}" for i in range(len(heads))]
    names = [escaped(name) for _ in heads for name in subscales]
    body = [" & ".join(escaped(cell) for cell in row) + r" \\" for row in grid(comparison)[1:]]
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            rf"\begin{{tabular}}{{l{'r' * len(names)}}}",
            r"\toprule",
            " & ".join(["", *spans]) + r" \\",
            " ".join(rules),
            " & ".join(["", *names]) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            "% " + note(comparison),
            "",
        ]
    )


def escaped(text: str) -> str:
    """A text for LaTeX; U+2212 becomes a minus in mathematics."""
    return "".join(LATEX_SPECIAL.get(character, character) for character in text)


def to_table(comparison: Comparison) -> str:
    """Aligned text for a terminal: sources side by side, as many as fit, one row a place."""
    if not comparison.columns:
        return "No source has answers for this view.\n"
    labels = ["", "", "Default", *(_indented(place) for place in comparison.places)]
    blocks = [_aligned([[label] for label in labels], is_text=True)]
    tables = [blocks]
    for column in comparison.columns:
        block = _source_block(comparison, column)
        if sum(len(each[-1]) + 3 for each in (*tables[-1], block)) > WIDEST and len(tables[-1]) > 1:
            tables.append([blocks[0]])
        tables[-1].append(block)
    lines = []
    for table in tables:
        lines += [" | ".join(row).rstrip() for row in zip(*table, strict=True)] + [""]
    return "\n".join([*lines, *_counts(comparison), note(comparison), ""])


def _indented(place: Place) -> str:
    return "  " * max(place.level.depth - 1, 0) + place.label


def _source_block(comparison: Comparison, column: Column) -> list[str]:
    """The lines of one source: its name, the subscales with their n, the default, each place."""
    subscales = comparison.subscales
    head, default = [], []
    for key, name in subscales.items():
        moments = column.default[key]
        head += [name, "n"]
        default += [mean_sd(moments.mean, moments.sd), count(moments.n)]
    rows = [head, default]
    for place in comparison.places:
        cells = [column.cells[place, key] for key in subscales]
        rows.append([text for c in cells for text in (printed_change(c), count(c.evoked.n))])
    lines = _aligned(rows)
    width = max(len(lines[0]), len(column.source.name))
    return [column.source.name.ljust(width), *(line.ljust(width) for line in lines)]


def _aligned(rows: Sequence[Sequence[str]], *, is_text: bool = False) -> list[str]:
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    place = str.ljust if is_text else str.rjust
    return ["  ".join(map(place, row, widths)) for row in rows]


def _counts(comparison: Comparison) -> list[str]:
    lines = []
    for column in comparison.columns:
        source = column.source
        parts = [f"{count(n)} {state}" for state, n in source.counts.items() if n]
        parts += [f"{count(source.missing)} missing"] if source.missing else []
        lines.append(f"{source.name} ({source.kind}): {', '.join(parts)}")
    return lines


def grid(comparison: Comparison) -> list[list[str]]:
    """The printed table as text: a head, the default phase, then a row for each place."""
    subscales = comparison.subscales
    head = [""]
    default = ["Default"]
    for column in comparison.columns:
        for key, name in subscales.items():
            head.append(f"{column.source.name}: {name}")
            default.append(mean_sd(column.default[key].mean, column.default[key].sd))
    rows = [head, default]
    for place in comparison.places:
        cells = [
            printed_change(column.cells[place, key])
            for column in comparison.columns
            for key in subscales
        ]
        rows.append([_indented(place), *cells])
    return rows


def printed_change(cell: ComparedCell) -> str:
    """The change with its arrow, "−5.3 ↓", or a dash."""
    arrow = ARROWS[cell.result.direction]
    return f"{number(cell.result.change, signed=True)} {arrow}".rstrip()


def note(comparison: Comparison) -> str:
    """What the printed numbers are, in one line."""
    options = comparison.options
    return (
        f"{options.instrument}. Default: mean ± SD before any situation; below it the change after "
        f"imagining the situations; arrow: significant at alpha {options.alpha:g}, two-sided "
        f"(method {options.method})."
    )


Writer = Callable[[Comparison], str]
WRITERS: dict[str, Writer] = {
    "table": to_table,
    "json": to_json,
    "csv": to_csv,
    "markdown": to_markdown,
    "latex": to_latex,
}
