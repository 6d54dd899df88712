"""Write the pictures of docs/why.md: of each question, what its program answers.

Run by `make docs`; tests/test_docs.py holds the pictures to what the page says.
"""

from __future__ import annotations

import doctest
import linecache
import re
from pathlib import Path
from typing import Any

import pullback as tf

PAGE = Path(__file__).with_name("why.md")
PICTURES = PAGE.with_name("why")


def slug(heading: str) -> str:
    """The name of a question's picture: its words, joined."""
    return "-".join(re.findall(r"[a-z]+", heading.lower()))


def questions() -> dict[str, str]:
    """The sections of the page, by their headings."""
    _, *parts = re.split(r"^## (.+)\n", PAGE.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def answer_of(name: str, text: str) -> tf.Why:
    """What the programs of a section answer: the last `Why` that they print or keep."""
    names: dict[str, Any] = {"tf": tf}
    exec("import numpy as np, pullback.compat.v1 as tf1", names)
    answers: list[Any] = []
    for i, example in enumerate(doctest.DocTestParser().get_examples(text)):
        file = f"<{name} {i}>"
        linecache.cache[file] = (len(example.source), None, example.source.splitlines(keepends=True), file)
        names["print"] = lambda *values: answers.extend(values)
        exec(compile(example.source, file, "exec"), names)
    return next(one for one in reversed([*answers, *names.values()]) if isinstance(one, tf.Why))


def pictures() -> dict[Path, str]:
    """The picture of each question, by the file it is in."""
    return {PICTURES / f"{slug(head)}.svg": answer_of(slug(head), text).to_svg() for head, text in questions().items()}


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for path, picture in pictures().items():
        path.write_text(picture)
