"""`Dataset`: a description of elements that can be gone through again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import new_class
from typing import Any, Generic

from ...base.dtypes import int64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.context import current
from ...ir.tensor import EagerTensor, Tensor
from ...ir.type_spec import describe
from ...trace.autograph_kinds import GraphLoops
from .element_spec import ElementSpec
from .iterators import OwnedIterator
from .operations import BUILD_DATASET, CARDINALITY, EVALUATE_DATASET, Builder, Evaluator
from .source import INFINITE, UNKNOWN
from .structure import E_co, Element, Layout, arguments, flatten, map_leaves, spec_key
from .traced import TracedFunction


def count_of(value: object, name: str) -> Any:
    """A number of elements, as a tensor."""
    return convert_to_tensor(value, int64, name=name)


def common_spec(one: object, other: object, refusal: str) -> Any:
    """The narrowest spec of the elements of two specs; a TypeError where there is none."""
    mine, theirs = flatten(one), flatten(other)
    found = [a.most_specific_common_supertype([b]) for a, b in zip(mine, theirs, strict=False)]
    if None in found or len(mine) != len(theirs):
        raise TypeError(refusal)
    rest = iter(found)
    return map_leaves(lambda _: next(rest), one)


@cache
def _name_class(family: type[Any], name: str) -> type[Any]:
    return new_class(name, (family,), {}, lambda space: space.update(__module__=family.__module__))


class DatasetBase(GraphLoops, CompositeTensor, Generic[E_co]):
    """What all datasets have, whatever their elements: a spec of these, and a tensor whose value is the source."""

    _counts_as_tensor = False

    def __init__(self, variant_tensor: Any, element_spec: Any, kind: str = "_VariantDataset", inputs: Sequence[DatasetBase] = ()) -> None:
        self._variant_tensor = variant_tensor
        self._layout = Layout(element_spec)
        self._kind = kind
        self._parents = list(inputs)
        self._own_options: Any = None

    @classmethod
    def _build(cls, kind: str, element_spec: Any, build: Builder, tensors: Sequence[Any], inputs: Sequence[DatasetBase] = ()) -> Any:
        """The dataset whose source `build` makes of the sources of `inputs` and the values of `tensors`."""
        given = [*(dataset._variant_tensor for dataset in inputs), *tensors]
        return cls._class_of(kind)(BUILD_DATASET(given, build=build, kind=kind, name=kind.lstrip("_")), element_spec, kind, inputs)

    @classmethod
    def _class_of(cls, kind: str) -> type[Any]:
        """The class of what is made of datasets of this class, called as TensorFlow's."""
        family: Any = cls._family()
        return _name_class(family, kind)

    @classmethod
    def _family(cls) -> type[Any]:
        """The class of what is made of datasets of this class."""
        return cls

    def _then(self, kind: str, element_spec: Any, build: Builder, *tensors: Any) -> Any:
        """The dataset whose source `build` makes of this one's, and of the values of `tensors`."""
        return self._build(kind, element_spec, build, tensors, (self,))

    def _evaluate_element(self, spec: Any, evaluate: Evaluator, *tensors: Any) -> Any:
        """The element of a spec whose raw values `evaluate` gives for this dataset's source and the values of `tensors`."""
        layout = Layout(spec)
        inputs = [self._variant_tensor, *tensors]
        return layout.pack(EVALUATE_DATASET(inputs, evaluate=evaluate, **layout.attributes))

    def _trace_function(self, function: Callable[..., Any], what: str) -> TracedFunction:
        """A function of the elements."""
        return TracedFunction(function, arguments(self.element_spec), what)

    # ---- what it is

    @property
    def element_spec(self) -> Any:
        """The specs of the tensors in an element, nested as they are."""
        return self._layout.spec

    def cardinality(self) -> Tensor:
        """How many elements there are, an int64 scalar: `tf.data.INFINITE_CARDINALITY` or `tf.data.UNKNOWN_CARDINALITY` are below 0."""
        return CARDINALITY(self._variant_tensor)

    def __len__(self) -> int:
        if not isinstance(self._variant_tensor, EagerTensor):
            raise TypeError("`tf.data.Dataset` only supports `len` in eager mode. Use `tf.data.Dataset.cardinality()` instead.")
        size: int = self._variant_tensor.value.size
        if size == INFINITE:
            raise TypeError("The dataset is infinite.")
        if size == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return size

    def __bool__(self) -> bool:
        return True

    __nonzero__ = __bool__

    def __repr__(self) -> str:
        return f"<{self._kind} element_spec={self.element_spec!r}>"

    _relaxes_shapes = True

    def _inputs(self) -> list[DatasetBase]:
        return list(self._parents)

    # ---- going through it

    def __iter__(self) -> OwnedIterator[E_co]:
        if current().graph is not None and not current().graph.captures_others:  # type: ignore[union-attr]  # there is one
            raise RuntimeError("`tf.data.Dataset` only supports Python-style iteration in eager mode or within tf.function.")
        return OwnedIterator(self)

    def _graph_loop(self) -> tuple[Callable[[], Any], Callable[[], Any]]:
        return OwnedIterator(self)._graph_loop()

    def _elements(self) -> Iterator[Element]:
        """The raw elements, eagerly."""
        taken = OwnedIterator(self)._resource.value.take
        return iter(taken, None)

    def __debug_string__(self) -> str:
        lines = [f"{'  ' * depth}{dataset._kind}" for depth, dataset in self._ancestry(0)]
        return "\n".join(lines)

    def _ancestry(self, depth: int) -> Iterator[tuple[int, DatasetBase]]:
        yield depth, self
        for parent in self._parents:
            yield from parent._ancestry(depth + 1)

    # ---- as an argument of a function, and as an element of a dataset

    def _components(self) -> list[Any]:
        return [self._variant_tensor]

    def _from_components(self, parts: Sequence[Any]) -> Any:
        return self._class_of("_VariantDataset")(parts[0], self.element_spec)

    @property
    def _form(self) -> Any:
        return spec_key(self.element_spec)


@export("data.DatasetSpec", v1="data.experimental.DatasetStructure")
class DatasetSpec(ElementSpec):
    """The spec of a dataset of elements of a spec.

    dataset_shape: the shape of a tensor of datasets; only () is here.

    >>> spec = tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))
    >>> first = tf.function(lambda ds: iter(ds).get_next(), input_signature=[spec])
    >>> first(tf.data.Dataset.range(3, 5)).numpy()
    np.int64(3)
    """

    #: What makes a dataset of a variant tensor and a spec; the public class, which stands above this one.
    maker: type[DatasetBase] = DatasetBase

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        super().__init__(element_spec)

    @property
    def value_type(self) -> type[DatasetBase]:
        """The class of what it describes."""
        return DatasetSpec.maker

    @staticmethod
    def from_value(value: Any) -> DatasetSpec:
        """The spec of a dataset."""
        return DatasetSpec(value.element_spec)

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_spec, ()

    def __repr__(self) -> str:
        return f"DatasetSpec({self._element_spec!r}, TensorShape([]))"

    def _from_components(self, parts: Sequence[Any]) -> Any:
        return DatasetSpec.maker(parts[0], self._element_spec)

    def _cast(self, value: Any) -> Any:
        if not isinstance(value, DatasetSpec | DatasetBase) or not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value


describe([DatasetBase], DatasetSpec.from_value)
