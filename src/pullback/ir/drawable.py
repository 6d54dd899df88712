"""What has a picture: `to_svg`, `to_html` and itself in a notebook, of what `_diagram` gives.  What draws is loaded when first asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..base.lazy_import import LazyModule

if TYPE_CHECKING:
    from ..pictures import drawing
    from ..pictures.diagram import Diagram
else:
    drawing = LazyModule("pullback.pictures.drawing")


class Drawn:
    """Something with a picture."""

    __slots__ = ()

    def _diagram(self) -> Diagram:
        raise NotImplementedError

    def to_svg(self, path: str | os.PathLike[str] | None = None) -> str:
        """Its picture as SVG, groups folded where there are many boxes; written to `path` too where one is given."""
        return drawing.Drawing(self._diagram()).to_svg(path)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Its picture as a page whose groups fold and unfold by a click; written to `path` too where one is given."""
        return drawing.Drawing(self._diagram()).to_html(path)

    def _repr_html_(self) -> str:
        return drawing.Drawing(self._diagram())._repr_html_()
