"""What is wrong with a file of the release, said once: sheet, column and row, then the fault."""

from __future__ import annotations


class ReleaseFileError(ValueError):
    """A file that cannot be imported.

    `column` counts from 0 and is shown as a spreadsheet letter beside its `header`; `row` counts
    from 1 with the header row, as a spreadsheet numbers it. The caller, who knows where the file
    stands in the release, puts its name before the message.
    """

    def __init__(
        self,
        fault: str,
        *,
        sheet: str = "",
        column: int | None = None,
        header: str = "",
        row: int | None = None,
    ) -> None:
        self.fault = fault
        place = location(sheet=sheet, column=column, header=header, row=row)
        super().__init__(f"{place}: {fault}" if place else fault)


def location(
    *, sheet: str = "", column: int | None = None, header: str = "", row: int | None = None
) -> str:
    """`sheet Raw, column Angry_F1S1 (C), row 7`, without the parts that are not given."""
    parts = [f"sheet {sheet}"] if sheet else []
    if column is not None:
        letter = column_letter(column)
        parts.append(f"column {header} ({letter})" if header else f"column {letter}")
    elif header:
        parts.append(f"field {header}")
    if row is not None:
        parts.append(f"row {row}")
    return ", ".join(parts)


def column_letter(index: int) -> str:
    """A spreadsheet's name of the column that counts `index` from 0: A, …, Z, AA, …"""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
