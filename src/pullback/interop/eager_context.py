"""`tensorflow.python.eager.context` and its kin, as libraries use them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from ..api.default import get_default_graph
from ..api.variable import Defaults
from ..base.device_spec import DeviceSpec
from ..ir.context import current, enter_graph, executing_eagerly
from ..ir.tensor import DEVICE, Tensor
from ..trace.autograph import convert_function
from ..transforms.recording import Recording

F = TypeVar("F", bound=Callable[..., Any])


def async_wait() -> None:
    """Wait for operations that run in the background: there are none, each is done when it returns."""


def eager_mode() -> AbstractContextManager[Any]:
    """A block that runs eagerly, wherever it stands."""
    return enter_graph(None)


def graph_mode() -> AbstractContextManager[Any]:
    """A block whose operations go to the default graph, wherever it stands."""
    return enter_graph(get_default_graph())


def is_version_2() -> bool:
    """Whether TensorFlow 2's behaviour is on."""
    return Defaults.use_resource


def is_resource_variable(var: object) -> bool:
    """Whether something is a variable behind a resource, or a library's object that says so."""
    return getattr(var, "_is_ref", True) is False or bool(getattr(var, "_should_act_as_resource_variable", False))


class Context:
    """What eager execution runs in."""

    def executing_eagerly(self) -> bool:
        """Whether operations are run at once."""
        return executing_eagerly()

    def num_gpus(self) -> int:
        """How many graphics processors there are."""
        return 0

    @property
    def device_name(self) -> str:
        """The device that operations run on."""
        return DEVICE

    @property
    def device_spec(self) -> DeviceSpec:
        """The device that the block around asks for: nothing is asked for when executing eagerly."""
        return DeviceSpec()

    def clear_kernel_cache(self) -> None:
        """Forget the kernels of operations that ran: kernels are functions here, of which nothing is kept."""


_context = Context()


def context() -> Context:
    """What eager execution runs in."""
    return _context


def get_device_name() -> str:
    """The device that operations run on."""
    return DEVICE


def get_enclosing_xla_context() -> None:
    """The block around that XLA compiles: there is none."""


def is_compiled_by_xla(graph: object) -> bool:
    """Whether XLA compiles a graph, or one around it: it compiles none."""
    return False


def control_status_ctx() -> None:
    """What AutoGraph is told of the code around: nothing, `tf_convert` sees for itself whether a function is traced."""


def tf_convert(f: F, ctx: None, convert_by_default: bool = True, user_requested: bool = False) -> F | Callable[..., Any]:
    """`f` as AutoGraph calls it where a function is traced, and as it is when executing eagerly."""
    return f if executing_eagerly() else convert_function(f, is_requested=user_requested)


def should_record_backprop(tensors: Iterable[Tensor]) -> bool:
    """Whether a tape is recording that follows one of `tensors`.

    >>> x = tf.constant(1.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     should_record_backprop([x * 2.0])
    True
    """
    tapes = [recorder for recorder in current().recorders if isinstance(recorder, Recording)]
    return any(tensor.uid in tape.active for tensor in tensors for tape in tapes)


def is_graph_rewritten() -> bool:
    """Whether graphs are rewritten to fewer digits: they are not."""
    return False


def list_pluggable_devices() -> list[bytes]:
    """The devices of plug-ins: there are none."""
    return []
