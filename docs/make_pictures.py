"""Draw the pictures of the documentation: what each function takes from a Jacobian, and the gradient of the README, explained."""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
EXPLAINED = Path(__file__).with_name("why.svg")
PAGE = Path(__file__).with_name("which-function.svg")
EXAMPLES, OUTPUTS, INPUTS = 3, 2, 2
ROWS, COLUMNS = EXAMPLES * OUTPUTS, EXAMPLES * INPUTS
CELL, GAP, LEFT, TOP = 15, 4, 34, 66
WIDTH, HEIGHT = 250, 236
INK, FAINT, FULL, SUMMED, BACK = "#1b1f24", "#d8dde3", "#0072b2", "#e69f00", "#ffffff"

Cell = tuple[int, int]
Paint = Callable[[int, int], str]


def own(row: int, column: int) -> bool:
    """Whether output and input belong to one example."""
    return row // OUTPUTS == column // INPUTS


PANELS: list[tuple[str, str, Paint, str]] = [
    ("jacobian(f, x)", "every entry: y.shape + x.shape", lambda r, c: FULL, ""),
    ("batch_jacobian(f, x)", "each example by itself: [b, y, x]", lambda r, c: FULL if own(r, c) else FAINT, ""),
    ("tape.gradient(y, x)", "all rows added up: x.shape", lambda r, c: SUMMED, "rows"),
    ("vjp(f, x): pull(u)", "rows, weighted by u, added up: x.shape", lambda r, c: SUMMED, "weighted rows"),
    ("jvp(f, x, v)", "columns, weighted by v, added up: y.shape", lambda r, c: SUMMED, "columns"),
    ("sparse_jacobian(f, x)", "entries that can be other than zero: CSR", lambda r, c: FULL if abs(r - c) <= 1 else BACK, ""),
]


def panel(x: int, y: int, name: str, what: str, paint: Paint, added: str) -> list[str]:
    """One matrix with its name, what is taken of it, and the result of a sum beside or below it."""
    lines = [
        f'<text x="{x + 12}" y="{y + 22}" class="name">{name}</text>',
        f'<text x="{x + 12}" y="{y + 40}" class="what">{what}</text>',
    ]
    for row in range(ROWS):
        for column in range(COLUMNS):
            color = paint(row, column)
            at = corner(x, y, row, column)
            edge = FAINT if color in (BACK, FAINT) else color
            lines.append(rectangle(at, color if added == "" else lighter(color, row, column, added), edge))
    below = corner(x, y, ROWS, 0)[1] + 8
    beside = corner(x, y, 0, COLUMNS)[0] + 8
    if added in ("rows", "weighted rows"):
        lines += [rectangle((corner(x, y, 0, column)[0], below), FULL, FULL) for column in range(COLUMNS)]
    if added == "columns":
        lines += [rectangle((beside, corner(x, y, row, 0)[1]), FULL, FULL) for row in range(ROWS)]
    return lines


def lighter(color: str, row: int, column: int, added: str) -> str:
    """The weights of a weighted sum, as shades."""
    if added == "rows":
        return color
    shades = ("#e69f00", "#f6d58f", "#eeb947")
    return shades[(row if added == "weighted rows" else column) % 3]


def corner(x: int, y: int, row: int, column: int) -> Cell:
    """Where a cell begins; examples stand a little apart."""
    return x + LEFT + column * CELL + column // INPUTS * GAP, y + TOP + row * CELL + row // OUTPUTS * GAP


def rectangle(at: Cell, fill: str, edge: str) -> str:
    return f'<rect x="{at[0]}" y="{at[1]}" width="{CELL - 2}" height="{CELL - 2}" rx="2" fill="{fill}" stroke="{edge}"/>'


def page() -> str:
    """The picture."""
    width, height = 3 * WIDTH, 2 * HEIGHT + 44
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        'aria-label="What each function takes from the Jacobian of a batch of three examples">',
        f"<style>text {{ font-family: Helvetica, Arial, sans-serif; fill: {INK} }} .name {{ font-size: 14px; font-weight: bold }} "
        ".what { font-size: 11px } .note { font-size: 12px }</style>",
        f'<rect width="{width}" height="{height}" fill="{BACK}"/>',
    ]
    for i, (name, what, paint, added) in enumerate(PANELS):
        lines += panel(i % 3 * WIDTH, i // 3 * HEIGHT, name, what, paint, added)
    notes = (
        "A row for each element of y, a column for each element of x: three examples with two of each.",
        "Blue: what comes back. Orange: what is added up to it, in shades where it is weighted.",
    )
    lines += [f'<text x="12" y="{height - 28 + 16 * i}" class="note">{note}</text>' for i, note in enumerate(notes)]
    return "\n".join([*lines, "</svg>", ""])


def explained() -> str:
    """The picture that the README's program writes."""
    (program,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(program, "program.py", "exec"), {"__name__": "__main__"})
        return Path("why.svg").read_text()


if __name__ == "__main__":
    PAGE.write_text(page())
    EXPLAINED.write_text(explained())
