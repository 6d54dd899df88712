"""What a session is asked for and fed: checked, flattened, planned, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..base.dtypes import string
from ..base.errors import InternalError
from ..base.lazy_import import LazyModule
from ..base.shapes import are_compatible
from ..base.structures import structure_of
from ..ir.composite import CompositeTensor
from ..ir.convert import array_of
from ..ir.function_graph import node_has_effects
from ..ir.graph import Graph
from ..ir.plan import Plan
from ..ir.references import is_snapshot, read_reference
from ..ir.tensor import IndexedSlices, SymbolicTensor, Tensor
from ..ops.state.variables import VAR_HANDLE, Storage, variable_in

if TYPE_CHECKING:
    from ..diagnose import reasons
else:
    reasons = LazyModule("pullback.diagnose.reasons")


class IndexedSlicesValue(NamedTuple):
    """The value of an `IndexedSlices`: arrays."""

    values: Any
    indices: Any
    dense_shape: Any


class Fetch(NamedTuple):
    """The graph elements asked for, and how the answer is built from their values."""

    elements: list[Any]
    build: Callable[[list[Any]], Any]


def fetch_of(fetches: object, graph: Graph) -> Fetch:
    """Read a structure of fetches; a TypeError or ValueError that names the one that cannot be fetched."""
    elements: list[Any] = []
    build = _reader(fetches, graph, elements)
    return Fetch(elements, build)


def _reader(fetch: Any, graph: Graph, elements: list[Any]) -> Callable[[list[Any]], Any]:
    if type(fetch) is SymbolicTensor:
        return _element_reader(fetch, graph, elements)
    if fetch is None:
        raise TypeError(
            'Argument `fetch` = None has invalid type "NoneType". Cannot be None. (Fetch argument None has invalid type <class '
            "'NoneType'>) " + reasons.why_none_is_fetched(graph)
        )
    if isinstance(fetch, (list, tuple)):
        parts = [_reader(f, graph, elements) for f in fetch]
        if hasattr(fetch, "_fields"):
            return lambda values: type(fetch)(*[part(values) for part in parts])
        return lambda values: type(fetch)(part(values) for part in parts)
    if isinstance(fetch, Mapping):
        named = {key: _reader(f, graph, elements) for key, f in fetch.items()}
        return lambda values: type(fetch)({key: part(values) for key, part in named.items()})  # type: ignore[call-arg]  # a dict of some kind
    if isinstance(fetch, IndexedSlices):
        inner = [_reader(t, graph, elements) for t in fetch._components()]
        return lambda values: IndexedSlicesValue(*([part(values) for part in inner] + [None])[:3])
    if hasattr(fetch, "_session_value") and hasattr(fetch, "_components"):
        inner = [_reader(t, graph, elements) for t in fetch._components()]
        return lambda values: fetch._session_value([part(values) for part in inner])
    own = structure_of(type(fetch))
    if own is not None:
        inner = [_reader(t, graph, elements) for t in own.parts(fetch)[0]]
        return lambda values: own.make(fetch, [part(values) for part in inner])
    return _element_reader(fetch, graph, elements)


def _element_reader(fetch: Any, graph: Graph, elements: list[Any]) -> Callable[[list[Any]], Any]:
    at = len(elements)
    elements.append(_element(fetch, graph))
    return lambda values: values[at]


def _element(fetch: Any, graph: Graph) -> Any:
    try:
        element = graph.as_graph_element(fetch)
    except TypeError as error:
        raise TypeError(
            f'Argument `fetch` = {fetch} has invalid type "{type(fetch).__name__}" must be a string or Tensor. ({error})'
        ) from None
    except (ValueError, KeyError) as error:
        text = error.args[0] if isinstance(error, KeyError) else str(error)
        raise ValueError(f'Argument `fetch` = {fetch} cannot be interpreted as a Tensor. ("{text}")') from None
    if element in graph.unfetchable:
        raise ValueError(f"Operation {fetch!r} has been marked as not fetchable.")
    return element


def feeds_among(feed: Any, graph: Graph) -> list[SymbolicTensor]:
    """The tensors that stand for a feed: of a sparse tensor, its parts."""
    parts = feed._components() if isinstance(feed, (CompositeTensor, IndexedSlices)) or hasattr(feed, "_session_value") else [feed]
    return [_fed_tensor(part, graph) for part in parts]


def feeds_of(feed_dict: Mapping[Any, Any] | None, graph: Graph) -> dict[SymbolicTensor, np.ndarray]:
    """The arrays fed, by tensor, cast to the tensors' dtypes; errors as TensorFlow's."""
    if not feed_dict:
        return {}
    if not isinstance(feed_dict, Mapping):
        raise TypeError(
            f"FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, instead of '{type(feed_dict).__name__}'."
        )
    fed: dict[SymbolicTensor, np.ndarray] = {}
    for key, value in feed_dict.items():
        for tensor, one in _pairs(key, value):
            known = _fed_tensor(tensor, graph)
            fed[known] = _fed_array(known, tensor, one)
    return fed


def _pairs(key: Any, value: Any) -> list[tuple[Any, Any]]:
    if isinstance(key, tuple):
        return [pair for k, v in zip(key, value, strict=True) for pair in _pairs(k, v)]
    if isinstance(key, CompositeTensor):
        return list(zip(key._components(), key._feed_arrays(value), strict=True))
    if isinstance(key, IndexedSlices) or hasattr(key, "_session_value"):
        return list(zip(key._components(), value, strict=False))
    return [(key, value)]


def _fed_tensor(key: object, graph: Graph) -> SymbolicTensor:
    try:
        tensor = read_reference(graph.as_graph_element(key, True, False))
    except (TypeError, ValueError, KeyError) as error:
        text = error.args[0] if isinstance(error, KeyError) else str(error)
        raise TypeError(f"Cannot interpret feed_dict key as Tensor: {text}") from None
    if tensor.uid in graph.unfeedable:
        raise ValueError(f"Tensor {tensor.name} may not be fed.")
    return tensor


def _fed_array(tensor: SymbolicTensor, key: Any, value: Any) -> np.ndarray:
    if isinstance(value, Tensor):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, lists, "
            "numpy ndarrays, or TensorHandles. "
            f"For reference, the tensor object was {value} which was passed to the argument `feed_dict` with key {key}."
        )
    dtype = tensor.dtype.base_dtype
    is_number = isinstance(value, int)
    if is_number and (dtype is string or (dtype.is_integer and not isinstance(value, bool) and not dtype.min <= value <= dtype.max)):
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type {dtype.as_numpy_dtype}. "
            "Try explicitly setting the type of the feed tensor to a larger type (e.g. int64)."
        )
    array = _encode_words(value) if dtype is string else np.array(value, dtype=object if value is None else dtype.numpy_dtype)
    if not are_compatible(tensor.dims, array.shape):
        dims = "(" + ", ".join("?" if n is None else str(n) for n in tensor.dims or ()) + ("," if len(tensor.dims or ()) == 1 else "") + ")"
        raise ValueError(f"Cannot feed value of shape {array.shape} for Tensor {tensor.name}, which has shape {dims}")
    if value is None:
        raise ValueError(f"Cannot feed None for Tensor {tensor.name}: give it a value of dtype {dtype.name}")
    return array


def _encode_words(value: Any) -> np.ndarray:
    """What is fed for strings, as bytes; an InternalError where something else is among it, as TensorFlow says it."""
    words = np.asarray(value, object)
    wrong = {type(word) for word in words.flat if not isinstance(word, (str, bytes))}
    if wrong:
        raise InternalError(None, None, f"Unsupported object type {min(kind.__name__ for kind in wrong)}")
    return array_of(words) if words.size else words


def give_words_as_fed(values: list[Any], elements: list[Any], feed_dict: Mapping[Any, Any], graph: Graph) -> list[Any]:
    """The values of a run, in which strings that were fed stand as they were fed, text as text."""
    pairs = [pair for key, value in feed_dict.items() for pair in _pairs(key, value)]
    words = {tensor: value for tensor, value in ((_fed_tensor(key, graph), value) for key, value in pairs) if tensor.dtype is string}
    return [np.array(words[t], object) if t in words else value for t, value in zip(elements, values, strict=True)]


class PreparedPlan(NamedTuple):
    """A plan of a session, and what it is given besides what is fed.

    stands: ref variables whose value is fed, for those that read it elsewhere, where nothing writes it.  variables: the session's own.
    """

    plan: Plan
    ref_reads: list[tuple[int, str]]
    stands: list[SymbolicTensor]
    variables: list[Storage]

    def give(self, fed: Mapping[SymbolicTensor, Any]) -> list[Any]:
        """The values of all that the plan is given."""
        return [*fed.values(), *[stand_in_for(handle, fed) for handle in self.stands], *self.variables]


def prepare_plan(elements: list[Any], fed: Collection[SymbolicTensor], memory: dict[str, Any] | None = None) -> PreparedPlan:
    """How to run `elements`: given what is fed, the variables in `memory`, and what stands for variables whose value is fed.

    memory: None where the plan looks its variables up itself.
    """
    plan = Plan(elements, fed)
    read = [t.node.inputs[0] for t in fed if is_snapshot(t) and t.node.inputs[0] not in fed]
    readers = {v: [node for node in plan.nodes if any(t is v for t in node.inputs)] for v in read}
    stands = [v for v, found in readers.items() if found and not any(node_has_effects(node) for node in found)]
    if stands:
        plan = Plan(elements, [*fed, *stands])
    variables = []
    if memory is not None:
        makers = [node for node in plan.nodes if node.primitive is VAR_HANDLE and not node._control_inputs and node not in elements]
        variables = [variable_in(memory, node) for node in makers]
        plan.give(makers)
    return PreparedPlan(plan, find_ref_reads(elements, fed), stands, variables)


def stand_in_for(handle: SymbolicTensor, fed: Mapping[SymbolicTensor, Any]) -> Storage:
    """A variable of what is fed for another one's value."""
    attrs = handle.node.attrs
    value = next(array for t, array in fed.items() if is_snapshot(t) and t.node.inputs[0] is handle)
    return Storage(attrs["shared_name"], attrs["dtype"], attrs["shape"], value, is_ref=True)


def find_ref_reads(elements: list[Any], fed: Collection[SymbolicTensor]) -> list[tuple[int, str]]:
    """Where ref variables were asked for, and their names: those are references, and show what the run left in the variable."""
    found = []
    for at, element in enumerate(elements):
        if isinstance(element, SymbolicTensor) and element.node.primitive.name == "ReadVariableOp" and element not in fed:
            handle = element.node.inputs[0]
            if handle.dtype._is_ref_dtype and handle not in fed and handle.node.primitive.name == "VarHandleOp":
                found.append((at, handle.node.attrs["shared_name"]))
    return found


def hand_out(value: Any, was_fed: bool) -> Any:
    """A value of a run as the caller may keep it."""
    if value is None:
        return None
    if hasattr(value, "read"):
        value = value.read()
    if isinstance(value, np.ndarray):
        if value.dtype.names is not None and not was_fed:  # quantized numbers
            value = value.view(value.dtype[0])
        if value.ndim or was_fed:
            return value.copy()
        return value[()]
    return value
