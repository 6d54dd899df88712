"""The text of an SVG.  `fold.js` draws the same in a page: what changes here changes there."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from .folding import HEIGHT, LINE, Box
from .placing import Placement, Rectangle, Route

#: What XML does not allow in a text.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: How far below an arrow its gradient comes back, and the widths of the narrowest and the widest.
BELOW, NARROW, WIDE = 6.0, 1.0, 8.0


@cache
def resource(name: str) -> str:
    """The text of a file of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def escape_text(text: str) -> str:
    """A text as XML has it."""
    return html.escape(_FORBIDDEN.sub("\ufffd", text))


def svg_of(placement: Placement, widths: dict[int, float], name: str = "") -> str:
    """The picture as an element of its own.  widths: how wide the gradient of each arrow is.  name: its id in a page."""
    tree = placement.arrangement.tree
    _, _, width, height = placement.rectangles[tree.root]
    known = f' id="{name}"' if name else ""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg"{known} class="pullback" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape_text(tree.diagram.title)}">',
        f"<style>{resource('picture.css')}</style>",
        '<defs><marker id="pullback-head" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" '
        'markerUnits="userSpaceOnUse" orient="auto"><path class="head" d="M0 0L6 3L0 6z"/></marker>',
        '<marker id="pullback-back" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="9" markerHeight="9" '
        'markerUnits="userSpaceOnUse" orient="auto"><path class="headback" d="M0 0L6 3L0 6z"/></marker></defs>',
        '<rect class="paper" width="100%" height="100%"/>',
        "<g>", *_parts(placement, widths), "</g></svg>\n",
    ])  # fmt: skip


def _parts(placement: Placement, widths: dict[int, float]) -> Iterator[str]:
    tree = placement.arrangement.tree
    shown = [i for i in tree.downwards() if i in placement.rectangles]
    for i in shown:
        if i in placement.opened and tree.boxes[i].children:
            yield _frame(i, tree.boxes[i], placement.rectangles[i], is_root=i == tree.root)
    for route in placement.routes:
        yield from _arrow(placement, route, widths)
    for i in shown:
        if i not in placement.opened or not tree.boxes[i].children:
            yield _box(i, tree.boxes[i], placement.rectangles[i])


def _frame(number: int, box: Box, at: Rectangle, is_root: bool) -> str:
    x, y, width, height = at
    drawn = "" if is_root else f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6"/>'
    fold = "" if is_root else ' fold" tabindex="0" role="button" aria-expanded="true'
    title = f"<title>{escape_text(box.hover)}</title>"
    return f'<g class="open{fold}" data-box="{number}">{drawn}{title}{_text(x + 10, y + 18, box.label, "label")}</g>'


def _box(number: int, box: Box, at: Rectangle) -> str:
    x, y, _, _ = at
    left = x + box.shift
    fold = ' fold" tabindex="0" role="button" aria-expanded="false' if box.children else ""
    parts = [
        f'<g class="{box.kind}{fold}" data-box="{number}"><title>{escape_text(box.hover)}</title>',
        f'<rect x="{left:.1f}" y="{y:.1f}" width="{box.box:.1f}" height="{HEIGHT:g}" rx="4"/>',
        _text(left + 8, y + 17, box.label, "label"),
    ]
    if box.note:
        parts.append(_text(x + 5 if box.shift else x + box.box + 5, y + HEIGHT / 2 - 4, box.note, "note"))
    parts += [_text(x, y + HEIGHT + LINE * (i + 1), line, "sentence") for i, line in enumerate(box.sentence)]
    return "".join([*parts, "</g>"])


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape_text(text)}</text>'


def _arrow(placement: Placement, route: Route, widths: dict[int, float]) -> Iterator[str]:
    diagram = placement.arrangement.tree.diagram
    told = "\n".join(dict.fromkeys(diagram.arrows[i].hover for i in route.arrows[:6]))
    title = f"<title>{escape_text(told)}</title>"
    across = f' class="across" data-ends="{route.start} {route.end}"' if route.is_across else ""
    yield f'<path{across} d="{path_through(route.points)}" marker-end="url(#pullback-head)">{title}</path>'
    width = max((widths.get(i, 0.0) for i in route.arrows), default=0.0)
    if width:
        back = [(x, y + BELOW) for x, y in reversed(route.points)]
        drawn = path_through(back)
        yield f'<path class="back" d="{drawn}" stroke-width="{width:.1f}" marker-end="url(#pullback-back)">{title}</path>'


def path_through(points: list[tuple[float, float]]) -> str:
    """A line that is straight and level between the two points of a column, and bends between columns."""
    x, y = points[0]
    drawn = [f"M{_number(x)} {_number(y)}"]
    for a, b in points[1:]:
        if b == y and a == x:
            continue
        if b == y:
            drawn.append(f"H{_number(a)}")
        else:
            bend = (a - x) / 2
            drawn.append("C" + " ".join(map(_number, (x + bend, y, a - bend, b, a, b))))
        x, y = a, b
    return "".join(drawn)


def _number(value: float) -> str:
    """A number to a tenth; what lies between two is moved a little, so that the last digit of a sum does not decide."""
    return f"{value + 1e-6:.1f}"
