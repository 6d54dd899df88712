"""The examples in the docstrings of the TensorFlow that is installed: read from it when this runs, run by both, compared.

Nothing of them is kept here.  A docstring is one program, its examples one after another; an example answers with the value of its
expression, what it printed, or its error.  Those that TensorFlow itself answers differently the second time are not compared.
"""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
import os
import re
import sys
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.against.report import Difference, Part, Progress
from tests.against.sides import OURS, THEIRS, Answer, Side, ask_both
from tests.against.values import difference, failure, plain, same_words, worded

_HERE = "tests.against.docstrings"
_SECONDS = 60.0
_ELSEWHERE = re.compile(r"is not in Pullback(:| yet)")
_LEFT_OUT = {"keras", "compat", "mlir", "lite", "tpu", "dtensor", "estimator", "tensorrt"}


def run(sides: dict[str, Side], only: str = "") -> Part:
    """Hold the examples of all docstrings, or of those whose name has some words, against each other."""
    found = next(iter(ask_both([sides[THEIRS]], f"{_HERE}.collect", seconds=300.0)[0].items))
    wanted = [(names, text) for names, text in found if any(only in name for name in names)]
    here = ask_both([sides[OURS]], f"{_HERE}.in_scope", [names for names, _ in wanted])[0].items[0]
    chosen = [pair for pair, is_here in zip(wanted, here, strict=True) if is_here]
    part = Part("docstrings")
    progress = Progress("docstrings", len(chosen))
    counts: Counter[str] = Counter()
    for names, text in chosen:
        progress.step(names[0])
        _hold(sides, names, text, part, counts)
    progress.end()
    runs = counts["run"]
    part.figures = {
        "docstrings with examples": len(chosen),
        "docstrings of names that are elsewhere (docs/names.md)": len(wanted) - len(chosen),
        "examples": counts["examples"],
        "of those, use names that are elsewhere, or what such an example made": counts["cut"],
        "of the others, run on TensorFlow": runs,
        "of those, run here": _share(counts["run here"], runs),
        "of those, equal": _share(counts["equal"], runs),
        "random on TensorFlow, so not compared but by type": counts["random"],
    }
    part.goals = {"run here": (counts["run here"], runs, 0.995), "equal": (counts["equal"], runs, 0.99)}
    return part


def _hold(sides: dict[str, Side], names: list[str], text: str, part: Part, counts: Counter[str]) -> None:
    asked = [sides[THEIRS], sides[OURS]]
    theirs, ours = ask_both(asked, f"{_HERE}.examples", text, seconds=_SECONDS)
    again: Answer | None = None
    cut = False  # an example asked for a name that is elsewhere: those after it may lack what it made
    counts["examples"] += len(theirs.items)
    for k, (source, said) in enumerate(theirs.items):
        if said[0] == "raised" and not _wanted(said):
            continue  # TensorFlow's own example does not run
        mine = ours.items[k][1] if k < len(ours.items) else ("raised", (ours.ended or "no answer", [], ""), "")
        cut = cut or _asks_elsewhere(mine)
        if cut and _apart(said, mine):
            counts["cut"] += 1
            continue
        counts["run"] += 1
        if mine[0] == "raised" and said[0] != "raised":
            part.add(Difference(f"{names[0]}#{k}", "fails", f"`{_line(source)}`: {mine[1][0]}: {_line(mine[1][2])}"))
            continue
        counts["run here"] += 1
        words = _apart(said, mine)
        if words:
            if again is None:
                again = ask_both([sides[THEIRS]], f"{_HERE}.examples", text, seconds=_SECONDS)[0]
            if k < len(again.items) and _apart(said, again.items[k][1]):
                counts["random"] += 1
                words = _kind_apart(said, mine)
        if words:
            part.add(Difference(f"{names[0]}#{k}", "differs", f"`{_line(source)}`: {words}"))
        else:
            counts["equal"] += 1


def _wanted(said: Any) -> bool:
    """Whether the docstring itself shows the error."""
    return bool(said[3])


def _asks_elsewhere(ours: Any) -> bool:
    """Whether an example ended at a name that is out of scope, as docs/names.md says."""
    return ours[0] == "raised" and _ELSEWHERE.search(ours[1][2]) is not None


def _apart(theirs: Any, ours: Any) -> str:
    if theirs[0] != ours[0]:
        return f"{ours[0]} for {theirs[0]}"
    if theirs[0] == "raised":
        return "" if theirs[1][0] in ours[1][1] else f"{ours[1][0]} for {theirs[1][0]}"
    if words := difference(theirs[1], ours[1]):
        return words
    return "" if same_words(theirs[2], ours[2]) else f"printed {ours[2][:200]!r} for {theirs[2][:200]!r}"


def _kind_apart(theirs: Any, ours: Any) -> str:
    """Where the numbers are drawn: whether they are of the same type, dtype and shape."""
    a, b = theirs[1], ours[1]
    if isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0] and a[0] in ("array", "tensor"):
        return "" if (a[1].dtype, a[1].shape) == (b[1].dtype, b[1].shape) else f"{b[1].dtype}{b[1].shape} for {a[1].dtype}{a[1].shape}"
    return "" if theirs[0] == ours[0] and type(a) is type(b) else f"{ours[0]} for {theirs[0]}"


def _line(text: str) -> str:
    return " ".join(text.split())[:180]


def _share(some: int, of: int) -> str:
    return f"{some} ({100 * some / max(of, 1):.2f} %)"


# ---- in the processes of the sides


def collect(tf: Any) -> Iterator[list[tuple[list[str], str]]]:
    """The docstrings with examples, each with all names it is found by."""
    found: dict[str, list[str]] = {}
    seen: set[int] = set()

    def keep(name: str, text: Any) -> None:
        if isinstance(text, str) and ">>>" in text:
            found.setdefault(inspect.cleandoc(text), []).append(name)

    def visit(name: str, module: types.ModuleType) -> None:
        keep(name, module.__doc__)
        for key in dir(module):
            if key.startswith("_") or key in _LEFT_OUT:
                continue
            value = getattr(module, key, None)
            here = f"{name}.{key}"
            if isinstance(value, types.ModuleType):
                if "_api.v2" in getattr(value, "__name__", "") and id(value) not in seen:
                    seen.add(id(value))
                    visit(here, value)
            elif str(getattr(value, "__module__", "")).startswith("tensorflow"):
                keep(here, inspect.getdoc(value) if not inspect.isclass(value) else value.__doc__)
                if inspect.isclass(value):
                    for method, part in vars(value).items():
                        if not method.startswith("_") or method in ("__getitem__", "__call__", "__init__"):
                            keep(f"{here}.{method}", getattr(part, "__doc__", None))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        visit("tf", tf)
        visit("tf.compat.v1", tf.compat.v1)
    yield [(sorted(names, key=lambda n: ("compat.v1" in n, len(n))), text) for text, names in found.items()]


def in_scope(tf: Any, docstrings: list[list[str]]) -> Iterator[list[bool]]:
    """Which docstrings have a name that is here or ought to be."""
    yield [any(_is_here(tf, name) for name in names) for names in docstrings]


def examples(tf: Any, text: str) -> Iterator[Any]:
    """Run a docstring: for each example its source and ("value", value, printed) or ("raised", error, printed, whether it is shown)."""
    np.set_printoptions(legacy=False)
    scope: dict[str, Any] = {"tf": tf, "np": np, "os": os, "__name__": "__main__"}
    try:
        parsed = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    warnings.simplefilter("ignore")
    for example in parsed:
        if example.options.get(doctest.SKIP):
            continue
        yield example.source, _run_one(example, scope)


def _run_one(example: doctest.Example, scope: dict[str, Any]) -> Any:
    shown: list[Any] = []
    printed = io.StringIO()
    sys.displayhook = lambda value: shown.append(value) if value is not None else None
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(example.source, "<docstring>", "single", dont_inherit=True), scope)
            return "value", plain(shown[-1]) if shown else None, worded(printed.getvalue())
    except (Exception, SystemExit) as e:  # noqa: BLE001 - whatever is raised is the very thing observed
        shown_too = example.exc_msg is not None or "Traceback" in example.want or "Error" in example.want
        return "raised", failure(e), printed.getvalue(), shown_too


def _is_here(tf: Any, name: str) -> bool:
    found: Any = tf
    for part in name.split(".")[1:]:
        try:
            found = getattr(found, part)
        except AttributeError as e:
            return not _ELSEWHERE.search(str(e))
    return True
