"""A program that is one native segment: no stages, no kernels to call.

Its short way is a Python function written for it.  That takes the fed values and answers those of what was fetched, or None where the
values are not what the program was made for, or the segment reported a fault: then nothing was changed, and the long way is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Protocol

from ...base.lazy_import import LazyModule
from ...ir.plan import SHOWN, Plan, Run
from ...ir.python_code import NATIVE_FILE
from ...ops.state.locks import lock_all, lock_together
from ...ops.state.variables import Storage, make_own
from .layout import Fault

if TYPE_CHECKING:
    from ...ir import long_runs
else:  # of programs that run for less than a moment nobody sees a bar
    long_runs = LazyModule("pullback.ir.long_runs")


class Sources:
    """Where the short way finds what it hands on: numbers of fed values, and of the segment's outputs.

    given: for each array that the segment takes, the number of a fed value and whether it is a variable's (its value is taken).
    answers: for each fetched value ("output", number), ("fed", number), or ("known", array or None).
    writes: (number of a fed variable, number of an output).  changed: the fed variables whose arrays the program changes itself.
    """

    def __init__(
        self,
        fed: int,
        given: Sequence[tuple[int, bool]],
        answers: Sequence[tuple[str, Any]],
        writes: Sequence[tuple[int, int]],
        changed: Sequence[int] = (),
    ) -> None:
        self.fed, self.given, self.answers, self.writes, self.changed = fed, given, answers, writes, changed


class Code(Protocol):
    """What runs a segment; `call` answers a number where it gives no results, and is not the short way of one that `asks`.

    takes: the numbers of results that `call` may write where their variable's value is.  `give_away` is asked for each variable of which
    `call` writes to the array.
    """

    asks: Any
    is_long: bool
    call: Callable[..., Any]
    takes: Collection[int]

    def give_away(self, storage: Storage, /) -> object:
        """Have nobody else hold a variable's array."""

    def __call__(self, *values: Any) -> Sequence[Any]:
        """The results; Fault where there are none."""


class SegmentProgram:
    """A plan's native program, where it is one segment.

    segments: the one, as a program of several has them.  ready: the short way.  reason: why there is no more in it, where an earlier
    process noted that.  code: of the short way, where one did.
    """

    def __init__(self, plan: Plan, native: Code, sources: Sources, reason: str | None = None, code: CodeType | None = None) -> None:
        self._plan, self._native, self.sources, self.reason = plan, native, sources, reason
        self._handles = sorted({i for i, is_variable in sources.given if is_variable} | {i for i, _ in sources.writes})
        self._changed = sorted({*[i for i, _ in sources.writes], *sources.changed})
        self.ready = None if native.asks else shortcut(native, sources, code)
        self.segments = {0: native}

    def run(self, values: Sequence[Any], run: Run) -> list[Any] | None:
        """The values of what was fetched, given any arrays that will do; None where the segment could not give its results."""
        changed = [values[i] for i in self._changed]
        if not changed:
            return self._run(values, run)
        lock_together(changed)
        with lock_all(changed):
            return self._run(values, run)

    def _run(self, values: Sequence[Any], run: Run) -> list[Any] | None:
        sources = self.sources
        once = len({id(values[i]) for i in self._handles}) == len(self._handles)
        if not once and (sources.writes or sources.changed):
            return None
        arrays = {i: self._changeable(values[i], run) for i in sources.changed}
        given = [arrays[i] if i in arrays else values[i].value if is_variable else values[i] for i, is_variable in sources.given]
        try:
            results = self._native(*given)
        except Fault:
            return None
        for i, array in (*[(i, results[n]) for i, n in sources.writes], *arrays.items()):
            run.note(values[i], array)
            values[i].value = array
        answer = {"output": results.__getitem__, "fed": values.__getitem__, "known": lambda value: value}
        return [answer[kind](which) for kind, which in sources.answers]

    def _changeable(self, storage: Any, run: Run) -> Any:
        """A variable's array to change rows of: its own where nothing can fail any more that would have to be taken back."""
        if storage.value is None or run.plan is self._plan:
            return make_own(storage)
        return storage.value.copy()


def shortcut(native: Code, sources: Sources, code: CodeType | None = None) -> Callable[..., Any]:
    """A function of the fed values; the native call in it answers a tuple of arrays, None, or an int for a fault.

    code: the function's, where an earlier process compiled it.
    """
    scope: dict[str, Any] = {"call": native.call, "give_away": native.give_away, "shown": SHOWN, "long_runs": long_runs}
    scope |= {f"k{n}": which for n, (kind, which) in enumerate(sources.answers) if kind == "known"}
    ready = scope["ready"] = FunctionType(code or _compile_shortcut(native, sources), scope)
    return ready


def _compile_shortcut(native: Code, sources: Sources) -> CodeType:
    given = [f"a{i}.value" if is_variable else f"a{i}" for i, is_variable in sources.given]
    outputs = [("output", i) for i in range(len(sources.answers))]
    parameters = [f"a{i}" for i in range(sources.fed)]
    handles = sorted({i for i, is_variable in sources.given if is_variable} | {i for i, _ in sources.writes})
    given_away = [*sources.changed, *(variable for variable, output in sources.writes if output in native.takes)]
    lines = [f" give_away(a{i})" for i in given_away]
    if len(handles) > 1 and (sources.writes or sources.changed):
        lines.append(f" if len({{{', '.join(f'a{i}' for i in handles)}}}) != {len(handles)}: return None")
    is_plain = bool(outputs) and not sources.writes and list(sources.answers) == outputs and given == parameters
    if is_plain:
        parameters = given = ["*values"]
    lines.append(f" r = call({', '.join(given)})")
    if native.is_long:  # others keep the interpreter's lock: nobody could have shown a bar
        lines.append(" if shown: long_runs.end(ready.__code__)")
    lines.append(" if type(r) is int: return None")
    lines += [f" a{variable}.value = r[{output}]" for variable, output in sources.writes]
    parts = [{"output": f"r[{which}]", "fed": f"a{which}", "known": f"k{n}"}[kind] for n, (kind, which) in enumerate(sources.answers)]
    lines.append(" return r" if is_plain else f" return ({''.join(p + ', ' for p in parts)})")
    locks = [f"a{i}.lock" for i in {*[i for i, _ in sources.writes], *sources.changed}]
    if locks:  # where they are not one, the long way sees to it
        lines = [f" lock = {locks[0]}", " with lock:", f"  if lock is {' is '.join(locks)}:", *["  " + line for line in lines]]
    module = compile("\n".join([f"def ready({', '.join(parameters)}):", *lines]), NATIVE_FILE, "exec")
    return next(part for part in module.co_consts if isinstance(part, CodeType))
