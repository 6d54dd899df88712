"""`GradientTape`: a list of nodes recorded with values.

A tape takes a node only when it depends on something watched, and keeps of it only what a rule will read; everything else is
`Forgotten`, so the tape holds little and frees all of it at once when dropped.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import is_
from typing import TYPE_CHECKING, Any, overload

from ..base import nest
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..ir.composite import CompositeTensor
from ..ir.context import Dispatch, current, start_listening, stop_listening
from ..ir.drawable import Drawn
from ..ir.node import user_frame
from ..ir.tensor import EagerTensor, Gradient, Tensor, fresh_uid
from ..ir.tracebacks import trim, trims_errors
from ..transforms.recording import TRAINABLE_KINDS, Recording, Unanswered, sweep
from .endpoints import UnconnectedGradients, as_option, fill_missing, is_of_keras, seeds_of, source_tensor_of, targets_on_tape

if TYPE_CHECKING:
    from ..diagnose import notes, reasons
    from ..pictures.diagram import Diagram
    from ..transforms import picture
    from . import jacobian_blocks, linearization
    from .source_types import Key, Part, Record, Seeds, Source, SourceList, Structure, Unconnected
    from .variable import Variable
else:
    picture = LazyModule("pullback.transforms.picture")
    jacobian_blocks = LazyModule("pullback.api.jacobian_blocks")
    linearization = LazyModule("pullback.api.linearization")
    notes, reasons = LazyModule("pullback.diagnose.notes"), LazyModule("pullback.diagnose.reasons")

log = logging.getLogger("pullback")
_WARNINGS = 5
_warned = {"watch": 0, "persistent": 0}


@export("GradientTape", "autodiff.GradientTape", v1="contrib.eager.GradientTape")
class GradientTape(Drawn):
    """Record operations to differentiate them afterwards.

    persistent: whether `gradient` may be called more than once.  watch_accessed_variables: whether trainable variables are watched
    as they are read.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> tape.gradient(y, x).numpy().item()
    6.0
    """

    _listening = False
    _watched: tuple[Variable, ...] = ()
    #: What `pullback.why` asks of a tape that is used up: its recording, the target, and the sources with a gradient that was None.
    _used: Recording | None = None
    asked: Any = None
    missed: Sequence[Any] = ()

    @is_hot
    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watch_accessed = watch_accessed_variables
        self._recording: Recording | None = None

    @is_hot
    def __enter__(self) -> GradientTape:
        try:
            if self._listening:
                raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        except ValueError as error:
            trim(error)
            raise
        if self._recording is None:
            self._recording = Recording(self._watch_accessed, self._persistent)
        Unanswered.tape = None
        frame = sys._getframe(1)
        self._recording.source = frame.f_code, frame.f_lasti
        self._listen()
        return self

    @is_hot
    def __exit__(self, *_: object) -> None:
        if self._listening:
            self._stop()

    def _listen(self) -> None:
        assert self._recording is not None
        self._recording.spans.append(fresh_uid())
        start_listening(self._recording)
        self._listening = True

    def _stop(self) -> None:
        if not self._listening or self._recording is None:
            raise ValueError("Tape is not recording.")
        stop_listening(self._recording)
        self._recording.spans.append(fresh_uid())
        self._listening = False

    def _diagram(self) -> Diagram:
        recording = self._recording or self._used
        if recording is None:
            raise RuntimeError("the tape is used up or was never entered: draw it before tape.gradient, or make it with persistent=True")
        return picture.picture_of_recording(recording)

    def _repr_html_(self) -> str:
        from html import escape  # whose table of names takes a millisecond to load

        return super()._repr_html_() if self._recording or self._used else f"<pre>{escape(repr(self))}</pre>"

    def watch(self, tensor: Source | Sequence[Source] | Structure) -> None:
        """Record what depends on `tensor` from here on: a tensor, a variable or a structure of them.

        Raises ValueError for anything else, AttributeError before the tape is entered or after it is used up.
        """
        for t in [tensor] if type(tensor) is EagerTensor else nest.flatten(tensor, expand_composites=True):
            plain = isinstance(t, Tensor)
            if not plain and (not hasattr(t, "handle") or is_of_keras(t)):
                raise ValueError(f"Passed in object {t!r} of type '{type(t).__name__}', not tf.Tensor or tf.Variable or ExtensionType.")
            if (type(t) is not EagerTensor or t.value.dtype not in TRAINABLE_KINDS) and not t.dtype.base_dtype.trainable:
                _warn_once("watch", _WARNINGS, f"The dtype of the watched tensor must be floating (e.g. tf.float32), got {t.dtype!r}")
            if self._recording is None:
                raise AttributeError(
                    "'NoneType' object has no attribute '_tape': enter the tape before watching, and do not use a consumed one"
                )
            if not plain and hasattr(t, "handle"):
                self._recording.watch_variable(t)
            else:
                self._recording.watch(t)

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Do not record the operations in the block."""
        if self._recording is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._stop()
        try:
            yield
        finally:
            if self._recording is not None:
                self._listen()

    def reset(self) -> None:
        """Forget everything recorded and watched, and go on recording."""
        self._stop()
        self._recording = Recording(self._watch_accessed, self._persistent)
        self._recording.source = user_frame()
        self._listen()

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables watched so far, in the order they were created."""
        return self._note_watched()

    def _note_watched(self) -> tuple[Variable, ...]:
        if self._recording is not None and (self._recording.variables or self._watched):
            self._watched = tuple(sorted(self._recording.variables.values(), key=lambda v: v._uid))
        return self._watched

    @overload
    def jacobian(
        self,
        target: Source,
        sources: Source,
        unconnected_gradients: Unconnected = ...,
        parallel_iterations: int | None = ...,
        experimental_use_pfor: bool = ...,
    ) -> Gradient: ...
    @overload
    def jacobian(
        self,
        target: Source,
        sources: Record,
        unconnected_gradients: Unconnected = ...,
        parallel_iterations: int | None = ...,
        experimental_use_pfor: bool = ...,
    ) -> Record: ...
    @overload
    def jacobian(
        self,
        target: Source,
        sources: tuple[Source, Source],
        unconnected_gradients: Unconnected = ...,
        parallel_iterations: int | None = ...,
        experimental_use_pfor: bool = ...,
    ) -> tuple[Gradient, Gradient]: ...
    @overload
    def jacobian(
        self,
        target: Source,
        sources: tuple[Source, ...],
        unconnected_gradients: Unconnected = ...,
        parallel_iterations: int | None = ...,
        experimental_use_pfor: bool = ...,
    ) -> tuple[Gradient, ...]: ...
    @overload
    def jacobian(
        self,
        target: Source,
        sources: SourceList,
        unconnected_gradients: Unconnected = ...,
        parallel_iterations: int | None = ...,
        experimental_use_pfor: bool = ...,
    ) -> list[Gradient]: ...
    @overload
    def jacobian(
        self,
        target: Source,
        sources: Mapping[Key, Source],
        unconnected_gradients: Unconnected = ...,
        parallel_iterations: int | None = ...,
        experimental_use_pfor: bool = ...,
    ) -> dict[Key, Gradient]: ...
    @overload
    def jacobian(
        self,
        target: Source,
        sources: Sequence[Part] | Mapping[Any, Part],
        unconnected_gradients: Unconnected = ...,
        parallel_iterations: int | None = ...,
        experimental_use_pfor: bool = ...,
    ) -> Any: ...
    @trims_errors
    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivative of every element of `target` with respect to every element of each source, in one vectorized pass.

        target: a tensor or variable.  sources: a tensor or variable, or a structure of them; the result has their structure, each of
        shape `target.shape + source.shape`.  unconnected_gradients: what to give where nothing connects, None or zeros.
        parallel_iterations: how many rows to compute at a time, all when None.  experimental_use_pfor: False computes row by row.
        Raises RuntimeError when a tape that is not persistent is used twice, or with `experimental_use_pfor=False` eagerly; ValueError
        for an unknown `unconnected_gradients`.

        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.jacobian(y, x).numpy().tolist()
        [[2.0, 0.0], [0.0, 4.0]]
        """
        recording = self._recording
        if recording is None:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)")
        target.shape  # noqa: B018  # what is no tensor is an AttributeError, as TensorFlow's
        self._may_loop("jacobian", "with  ", experimental_use_pfor)
        option = as_option(unconnected_gradients)
        flat = nest.flatten(sources)
        way = linearization.Linearization(recording.nodes, sources, [source_tensor_of(s) for s in flat], target, [source_tensor_of(target)])
        self._leave_or_warn()
        self._note_watched()
        rows = jacobian_blocks.pull_blocks(way, 1 if not experimental_use_pfor else parallel_iterations)
        if not self._persistent:
            self._recording = None
        zero = option is UnconnectedGradients.ZERO
        found = [jacobian_blocks.zeros_block(target, s) if b is None and zero else b for b, s in zip(rows, flat, strict=True)]
        return nest.pack_sequence_as(sources, found)

    @trims_errors
    def batch_jacobian(
        self,
        target: Source,
        source: Source,
        unconnected_gradients: Unconnected = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """The Jacobian of each row of `target` with respect to the same row of `source`: shape `[b, target..., source...]`.

        target, source: tensors of one leading size, rows of the target depending on the same row of the source alone.
        parallel_iterations, experimental_use_pfor: as for `jacobian`.  Zeros where nothing connects.
        Where rows depend on one another, what is given is the sum over the rows of the target, as in TensorFlow, and a warning.
        Raises ValueError where leading sizes differ or one of the two is no matrix or more, RuntimeError as `jacobian`.

        >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.batch_jacobian(y, x).numpy().tolist()
        [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]
        """
        recording = self._recording
        if recording is None:
            raise RuntimeError("A non-persistent GradientTape can only be used tocompute one set of gradients (or jacobians)")
        for t in (target, source):
            if t.shape.rank is not None and t.shape.rank < 2:
                raise ValueError(f"Shape {t.shape} must have rank at least 2: batch_jacobian needs rows; jacobian takes any shape")
        if not target.shape[:1].is_compatible_with(source.shape[:1]):
            raise ValueError(f"Need first dimension of target shape ({target.shape}) and source shape ({source.shape}) to match.")
        self._may_loop("batch_jacobian", " with ", experimental_use_pfor)
        as_option(unconnected_gradients)
        way = linearization.Linearization(recording.nodes, source, [source_tensor_of(source)], target, [source_tensor_of(target)])
        self._leave_or_warn()
        self._note_watched()
        block = jacobian_blocks.pull_batch_rows(way, 1 if not experimental_use_pfor else parallel_iterations)
        if not self._persistent:
            self._recording = None
        return jacobian_blocks.zeros_block(target, source, batch=True) if block is None else block

    def _may_loop(self, name: str, joined: str, vectorized: bool) -> None:
        if not vectorized and not self._persistent and current().graph is None:
            raise RuntimeError(
                f"GradientTape must be created with persistent=True to compute the {name} with eager execution enabled and "
                f"{joined}experimental_use_pfor set to False."
            )

    def _leave_or_warn(self) -> None:
        """A gradient inside the tape's own block: a tape that is used once stops; a persistent one is told what it costs."""
        if not self._listening:
            return
        if not self._persistent:
            self._stop()
        else:
            _warn_once(
                "persistent", 1,
                "GradientTape.gradient on a persistent tape inside its own block is slower and takes more memory than outside "
                "it: the operations of the "
                "gradient are recorded as well. Call it inside only to differentiate the gradient again.",
            )  # fmt: skip

    @overload
    def gradient(
        self, target: Source | Sequence[Source] | Structure, sources: Source,
        output_gradients: Seeds = ..., unconnected_gradients: Unconnected = ...,
    ) -> Gradient: ...  # fmt: skip
    @overload
    def gradient(
        self, target: Source | Sequence[Source] | Structure, sources: Record,
        output_gradients: Seeds = ..., unconnected_gradients: Unconnected = ...,
    ) -> Record: ...  # fmt: skip
    @overload
    def gradient(  # type: ignore[overload-overlap]  # a pair is a `Sequence` too
        self, target: Source | Sequence[Source] | Structure, sources: tuple[Source, Source],
        output_gradients: Seeds = ..., unconnected_gradients: Unconnected = ...,
    ) -> tuple[Gradient, Gradient]: ...  # fmt: skip
    @overload
    def gradient(  # type: ignore[overload-overlap]  # as is each tuple
        self, target: Source | Sequence[Source] | Structure, sources: tuple[Source, ...],
        output_gradients: Seeds = ..., unconnected_gradients: Unconnected = ...,
    ) -> tuple[Gradient, ...]: ...  # fmt: skip
    @overload
    def gradient(
        self, target: Source | Sequence[Source] | Structure, sources: Sequence[Source],
        output_gradients: Seeds = ..., unconnected_gradients: Unconnected = ...,
    ) -> list[Gradient]: ...  # fmt: skip
    @overload
    def gradient(
        self, target: Source | Sequence[Source] | Structure, sources: Mapping[Key, Source],
        output_gradients: Seeds = ..., unconnected_gradients: Unconnected = ...,
    ) -> dict[Key, Gradient]: ...  # fmt: skip
    @overload
    def gradient(
        self, target: Source | Sequence[Source] | Structure, sources: Sequence[Part] | Mapping[Any, Part],
        output_gradients: Seeds = ..., unconnected_gradients: Unconnected = ...,
    ) -> Any: ...  # fmt: skip
    @is_hot
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradient of the sum of all elements of `target` with respect to each of `sources`.

        target: a tensor or variable or a structure of them.  sources: likewise; the result has their structure, each gradient the
        shape and dtype of its source (an `IndexedSlices` where it is sparse; None, or zeros when asked for, where nothing connects).
        output_gradients: weights of the targets' elements, ones where missing.
        Raises RuntimeError when a tape that is not persistent is used twice, LookupError for an op without a gradient.
        """
        try:
            return self._gradient(target, sources, output_gradients, unconnected_gradients)
        except Exception as error:  # as `trims_errors`, which says why it is written out
            trim(error)
            raise

    def _gradient(self, target: Any, sources: Any, output_gradients: Any, unconnected_gradients: Any) -> Any:
        if self._recording is None:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)")
        self._leave_or_warn()
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or CompositeTensors to be "
                "differentiated, but received None."
            )
        recording, option = self._recording, unconnected_gradients
        if option is not UnconnectedGradients.NONE:
            option = as_option(option)
        flat_sources = nest.flatten(sources)
        xs = [s if type(s) is EagerTensor else source_tensor_of(s) for s in flat_sources]
        ys = [target] if type(target) is EagerTensor else [source_tensor_of(t) for t in targets_on_tape(target)]
        gs = seeds_of(ys, output_gradients)
        if recording.variables:
            self._note_watched()
        try:
            gradients = sweep(recording, ys, gs, xs)
        except Exception as error:
            notes.note_sources(error, flat_sources)
            raise
        if not self._persistent:
            self._recording = None
        for g in gradients:
            if g is None:
                missed = [x for x, found in zip(flat_sources, gradients, strict=True) if found is None]
                self._used, self.asked, self.missed, Unanswered.tape = recording, target, missed, self
                break
        found = gradients
        if option is UnconnectedGradients.ZERO:
            plain = [s._get_differentiated() if isinstance(s, CompositeTensor) else s for s in flat_sources]
            found = [fill_missing(option, g, s) for g, s in zip(gradients, plain, strict=True)]
        for s in flat_sources:
            if type(s) is not EagerTensor and isinstance(s, CompositeTensor):
                found = list(map(_match_source, flat_sources, found))
                break
        if type(sources) is list and len(sources) == len(found) and all(map(is_, sources, flat_sources)):
            return found
        return found[0] if flat_sources and flat_sources[0] is sources else nest.pack_sequence_as(sources, found)


def _match_source(source: Any, gradient: Any) -> Any:
    """A gradient in the form of its source."""
    return source._with_differentiated(gradient) if isinstance(source, CompositeTensor) and gradient is not None else gradient


def _warn_once(what: str, most: int, text: str) -> None:
    if _warned[what] < most:
        _warned[what] += 1
        log.warning(text)


Dispatch.why_none = staticmethod(lambda: reasons.why_none_is_used())
