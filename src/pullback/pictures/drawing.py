"""A picture that can be written down: `to_svg`, `to_html`, and itself in a notebook."""

from __future__ import annotations

import itertools
import json
import math
import os
import zlib
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any

from .diagram import Diagram
from .folding import HEIGHT, LINE, Tree
from .layers import Arrangement
from .placing import GAP, HEAD, PAD, ROW, SWEEPS, TURN, Placement
from .svg import BELOW, NARROW, WIDE, escape_text, resource, svg_of

#: How many boxes are shown at first, where folding leaves a choice.
_AT_FIRST = 60
#: What a page needs to know of a box.
_FIELDS = (
    "parent", "children", "label", "kind", "note", "hover", "sentence", "box", "width", "height", "depth", "shift", "backward",
)  # fmt: skip
#: A page has the colours of a picture, wherever that ends.
_PAGE = "body{background:#ffffff}@media(prefers-color-scheme:dark){body{background:#0d1117}}"
_fresh = itertools.count(1)


class Drawing:
    """The picture of a graph, a tape, a function or a gradient.

    Forward from left to right; a gradient comes back below, the wider the larger it is.  In a page a click folds and unfolds groups.

    >>> drawing = tf.function(lambda x: tf.sin(x) * x).draw(tf.constant([1.0, 2.0]))
    >>> "<title>" in drawing.to_svg(), "<script>" in drawing.to_html()
    (True, True)
    """

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram

    @cached_property
    def _arrangement(self) -> Arrangement:
        found = Arrangement(Tree(self.diagram))
        across = found.level.count(False)
        if across:
            root = found.tree.boxes[found.tree.root]
            root.label += f"; {across} arrows to and from the way back: point at a box to see them"
            root.measure()
        return found

    @cached_property
    def _placement(self) -> Placement:
        return Placement(self._arrangement, self._arrangement.tree.open_groups(_AT_FIRST))

    @cached_property
    def _widths(self) -> dict[int, float]:
        """How wide the gradient of each arrow is drawn: by the logarithm of its norm."""
        norms = {i: a.gradient for i, a in enumerate(self.diagram.arrows) if a.gradient is not None}
        sizes = [math.log10(norm) for norm in norms.values() if 0 < norm < math.inf]
        low, high = min(sizes, default=0.0), max(sizes, default=0.0)

        def width(norm: float) -> float:
            if not norm:
                return NARROW
            return WIDE if not norm < math.inf else NARROW + 1 + (WIDE - NARROW - 1) * (math.log10(norm) - low) / max(high - low, 1.0)

        return {i: width(norm) for i, norm in norms.items()}

    def to_svg(self, path: str | os.PathLike[str] | None = None) -> str:
        """The picture as SVG, groups folded where there are many boxes; written to `path` too where one is given."""
        return _write_file(svg_of(self._placement, self._widths), path)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The picture as a page whose groups fold and unfold by a click; written to `path` too where one is given."""
        title = escape_text(self.diagram.title)
        head = f'<meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>{title}</title><style>{_PAGE}</style>'
        return _write_file(f"<!DOCTYPE html>\n<html lang=\"en\"><head>{head}</head><body>\n{self._repr_html_()}</body></html>\n", path)

    def _repr_html_(self) -> str:
        data = json.dumps(json.dumps(self._data(), separators=(",", ":"), ensure_ascii=False)).replace("<", "\\u003c")
        name = f"pullback-{zlib.crc32(data.encode()):08x}-{next(_fresh)}"
        picture = svg_of(self._placement, self._widths, name)
        script = resource("fold.js").replace("NAME", json.dumps(name)).replace("DATA", data)
        return f'<div style="overflow:auto">{picture}</div>\n<script>{script}</script>\n'

    def _data(self) -> dict[str, Any]:
        """All that a page needs to place and draw the boxes anew."""
        arrangement = self._arrangement
        tree, diagram = arrangement.tree, self.diagram
        return {
            "root": tree.root,
            "fields": _FIELDS,
            "boxes": [attrgetter(*_FIELDS)(box) for box in tree.boxes],
            "bands": {group: [[b.columns, b.backward, b.left, b.right] for b in bands] for group, bands in arrangement.bands.items()},
            "place": arrangement.place,
            "ports": {group: [list(side.items()) for side in sides] for group, sides in arrangement.ports.items()},
            "routes": {f"{a},{b}": turns for (a, b), turns in arrangement.routes.items()},
            "before": arrangement.before,
            "after": arrangement.after,
            "arrows": [
                [a.start, a.end, a.hover, round(self._widths.get(i, 0.0), 1), arrangement.level[i]] for i, a in enumerate(diagram.arrows)
            ],
            "open": sorted(self._placement.opened),
            "sizes": {
                "HEIGHT": HEIGHT, "LINE": LINE, "GAP": GAP, "ROW": ROW, "PAD": PAD, "HEAD": HEAD, "TURN": TURN, "BELOW": BELOW,
                "SWEEPS": SWEEPS,
            },
        }

    def __repr__(self) -> str:
        return f"<picture of {self.diagram.title}: {len(self.diagram.leaves)} boxes, {len(self.diagram.arrows)} arrows>"


def _write_file(text: str, path: str | os.PathLike[str] | None) -> str:
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text
