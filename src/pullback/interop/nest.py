"""`tf.nest`: structures as TensorFlow sees them, where a dataclass is a leaf unless it is registered or says how it is taken apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, overload

from ..base import nest
from ..base.export import export

if TYPE_CHECKING:
    from ..api.variable import Variable
    from ..ir.tensor import Tensor

    class Options(TypedDict, total=False):
        """What `map_structure` takes by name."""

        check_types: bool
        expand_composites: bool


Leaf = TypeVar("Leaf", bound="Tensor | Variable | complex | str")
Key = TypeVar("Key")
Result = TypeVar("Result")


@export("nest.is_nested")
def is_nested(seq: object) -> bool:
    """Whether `seq` has parts: a sequence, a mapping, an attrs object or an object of a registered class.

    >>> tf.nest.is_nested([1]), tf.nest.is_nested({}), tf.nest.is_nested("abc"), tf.nest.is_nested(None)
    (True, True, False, False)
    """
    return nest.is_nested(seq, strict=True)


@export("nest.flatten")
def flatten(structure: object, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure, in order; for a leaf, the list of it alone.

    expand_composites: whether composite tensors (sparse, ragged, IndexedSlices) count as structures.
    Raises TypeError for a mapping whose keys cannot be sorted.

    >>> tf.nest.flatten([1, {"b": 2, "a": (3,)}]), tf.nest.flatten(5)
    ([1, 3, 2], [5])
    """
    return nest.flatten(structure, expand_composites, strict=True)


@export("nest.pack_sequence_as")
def pack_sequence_as(structure: object, flat_sequence: object, expand_composites: bool = False) -> Any:
    """A structure like `structure` with the leaves of `flat_sequence`; the inverse of `flatten`.

    Raises TypeError where `flat_sequence` is no sequence, ValueError where it has not as many items as `structure` has leaves.

    >>> tf.nest.pack_sequence_as({"b": 0, "a": (0,)}, [1, 2])
    {'b': 2, 'a': (1,)}
    """
    return nest.pack_sequence_as(structure, flat_sequence, expand_composites, strict=True)


@overload
def map_structure(func: Callable[[Tensor], Result], structure: Tensor, /, **options: Unpack[Options]) -> Result: ...
@overload
def map_structure(func: Callable[[Leaf], Result], structure: list[Leaf], /, **options: Unpack[Options]) -> list[Result]: ...
@overload
def map_structure(func: Callable[[Leaf], Result], structure: dict[Key, Leaf], /, **options: Unpack[Options]) -> dict[Key, Result]: ...
@overload
def map_structure(func: Callable[[Leaf], Result], structure: tuple[Leaf, ...], /, **options: Unpack[Options]) -> tuple[Result, ...]: ...
@overload
def map_structure(func: Callable[[Any], Any], structure: object, /, **options: Unpack[Options]) -> Any: ...
@overload
def map_structure(func: Callable[[Any, Any], Any], structure: object, other: object, /, **options: Unpack[Options]) -> Any: ...
@overload
def map_structure(func: Callable[..., Any], *structure: Any, **options: Any) -> Any: ...
@export("nest.map_structure")
def map_structure(func: Callable[..., Any], *structure: Any, **options: Any) -> Any:
    """`func` of the corresponding leaves of the structures, in a structure like the first.

    func: takes as many arguments as there are structures.  structure: one or more, of the same nesting.
    options: `check_types` (True) and `expand_composites` (False), as `assert_same_structure` takes them.
    Raises TypeError where `func` cannot be called or two sequences are of different kinds, ValueError for no structure, structures that
    differ, or an unknown option.

    >>> tf.nest.map_structure(lambda x, y: x + y, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    unknown = "`, `".join(options.keys() - {"check_types", "expand_composites"})
    if unknown:
        raise ValueError(f"Only valid keyword arguments are `check_types` and `expand_composites`, not: `{unknown}`")
    return nest.map_structure(func, *structure, **options, strict=True)


@export("nest.assert_same_structure")
def assert_same_structure(nest1: object, nest2: object, check_types: bool = True, expand_composites: bool = False) -> None:
    """Checks that two structures nest alike, whatever their leaves.

    nest1, nest2: the structures.  check_types: whether sequences must be of the same kind too (a list is not a tuple); two namedtuples
    of the same name and fields are alike, and so are all mappings.  expand_composites: whether composite tensors count as structures.
    Raises ValueError where they differ in nesting, lengths or keys, TypeError where only in the kinds of sequences.

    >>> tf.nest.assert_same_structure([1, {"a": 2}], [3, {"a": 4}])
    >>> tf.nest.assert_same_structure([1, [2]], [1, 2])
    Traceback (most recent call last):
    ValueError: The two structures don't have the same nested structure.
    ...
    """
    nest.assert_same_structure(nest1, nest2, check_types, expand_composites, strict=True)
