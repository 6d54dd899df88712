"""Nested structures of values, by the rules of `tf.nest`.

A structure is a sequence (list, tuple, namedtuple, range, deque, ...), a mapping, an object of a class that is a structure
of its own (structures.py), or a leaf. Strings, None, arrays and sets are leaves, and so are dataclasses to `tf.nest`
(`strict`). Mappings are walked in the order of their sorted keys, and a packed one keeps its own order. A composite tensor
(a class with a true `_is_composite`, such as IndexedSlices) is a leaf, unless `expand_composites` asks for its parts:
`_components()` gives them and `_from_components(parts)` makes it again.

`children` is the one place that knows what a structure is; everything else is written on it. `flatten` first answers
the two forms that a call of an operation meets, one leaf and a flat list, without it.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence
from operator import is_
from typing import Any

from .structures import MEMORIES, structure_of

_LEAVES = (str, bytes)


def is_namedtuple(value: object) -> bool:
    """Whether something is a named tuple."""
    return isinstance(value, tuple) and isinstance(getattr(value, "_fields", None), tuple)


def is_nested(seq: object, strict: bool = False) -> bool:
    """Whether `seq` has parts: a sequence, a mapping or an object of a class that is a structure.

    >>> is_nested([1]), is_nested({}), is_nested("abc"), is_nested(None)
    (True, True, False, False)
    """
    return (_strictly_nests if strict else _kind_nests)(type(seq))


def _decide(kind: type) -> bool:
    if structure_of(kind) is not None:
        return True
    return not issubclass(kind, _LEAVES) and issubclass(kind, (Sequence, MappingView, bytearray, Mapping))


def _decide_strictly(kind: type) -> bool:
    own = structure_of(kind)
    return not (own is not None and own.implicit) and _decide(kind)


class _Kinds(dict[type, bool]):
    """Whether things of a class have parts: asked of every leaf of every call, and the checks against abstract classes are slow."""

    def __init__(self, decide: Callable[[type], bool]) -> None:
        self._decide = decide
        MEMORIES.append(self)

    def __missing__(self, kind: type) -> bool:
        if len(self) >= _MOST_KINDS:
            self.clear()
        found = self[kind] = self._decide(kind)
        return found


_MOST_KINDS = 1024
_kind_nests: Callable[[type], bool] = _Kinds(_decide).__getitem__
_strictly_nests: Callable[[type], bool] = _Kinds(_decide_strictly).__getitem__


def _is_composite(value: Any) -> bool:
    return getattr(type(value), "_is_composite", False)


def branches(structure: object, expand: bool, strict: bool = False) -> bool:
    """Whether a structure has parts; expand: those of composite values too."""
    return is_nested(structure, strict) or (expand and _is_composite(structure))


def sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    """The keys in the order in which a mapping is flattened.

    Raises:
        TypeError: the keys cannot be sorted.
    """
    try:
        return sorted(mapping)
    except TypeError as why:
        raise TypeError(f"nest only supports dicts with sortable keys, got {list(mapping)}: {why}") from why


def children(structure: Any, expand: bool = False) -> list[Any]:
    """The parts of a structure that `_branches`, in order."""
    if expand and _is_composite(structure):
        return list(structure._components())
    own = structure_of(type(structure))
    if own is not None:
        return list(own.parts(structure)[0])
    if isinstance(structure, Mapping):
        return [structure[key] for key in sorted_keys(structure)]
    return list(structure)


def static_part(structure: object) -> Any:
    """What an object of a class that is a structure holds beside its parts; None for all others."""
    own = structure_of(type(structure))
    return None if own is None else own.parts(structure)[1]


def rebuild(like: Any, parts: list[Any], expand: bool) -> Any:
    """A structure of the kind of `like` with other parts, in the order of `children`."""
    if expand and _is_composite(like):
        return like._from_components(parts)
    kind = type(like)
    if kind is list:
        return parts
    own = structure_of(kind)
    if own is not None:
        # a dataclass that holds no tensor is passed on as it is, for its methods may change it
        same = own.implicit and all(map(is_, flatten(parts, expand), flatten(children(like), expand)))
        return like if same else own.make(like, parts)
    if isinstance(like, Mapping):
        return _rebuild_mapping(like, dict(zip(sorted_keys(like), parts, strict=True)))
    if is_namedtuple(like):
        return kind(*parts)
    if isinstance(like, (range, MappingView)):
        return parts
    return kind(parts)


def _rebuild_mapping(like: Mapping[Any, Any], parts: dict[Any, Any]) -> Any:
    kind: Any = type(like)
    pairs = [(key, parts[key]) for key in like]
    if isinstance(like, collections.defaultdict):
        return kind(like.default_factory, pairs)
    try:
        return kind(pairs)
    except TypeError as why:
        raise TypeError(
            f"Error creating an object of type {kind} like {dict(like)}. Note that it must accept a single positional "
            f"argument representing an iterable of key-value pairs, in addition to self. Cause: {why}"
        ) from why


def flatten(structure: Any, expand_composites: bool = False, strict: bool = False) -> list[Any]:
    """The leaves of a structure, in order.

    Args:
        structure: any nest, or one leaf.
        expand_composites: whether composite tensors count as structures.
        strict: whether dataclasses are leaves, here and in all that follows.

    Returns:
        A list; for a leaf, the list of it alone.

    Raises:
        TypeError: a mapping whose keys cannot be sorted.

    >>> flatten([1, {"b": 2, "a": (3,)}]), flatten(5)
    ([1, 3, 2], [5])
    """
    kind, nests = type(structure), _strictly_nests if strict else _kind_nests
    if kind is not list and kind is not tuple:
        if not (nests(kind) or (expand_composites and _is_composite(structure))):
            return [structure]
        structure = children(structure, expand_composites)
    leaves: list[Any] = []
    for part in structure:
        if nests(type(part)) or (expand_composites and getattr(type(part), "_is_composite", False)):
            leaves += flatten(part, expand_composites, strict)
        else:
            leaves.append(part)
    return leaves


def _pack(structure: Any, leaves: Iterator[Any], expand: bool, strict: bool) -> Any:
    if not branches(structure, expand, strict):
        return next(leaves)
    return rebuild(structure, [_pack(part, leaves, expand, strict) for part in children(structure, expand)], expand)


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False, strict: bool = False) -> Any:
    """A structure like `structure` with the leaves of `flat_sequence`; the inverse of `flatten`.

    Raises:
        TypeError: `flat_sequence` is not a sequence. ValueError: it has not as many items as `structure` has leaves.

    >>> pack_sequence_as({"b": 0, "a": (0,)}, [1, 2])
    {'b': 2, 'a': (1,)}
    """
    if not is_nested(flat_sequence, strict=True):
        raise TypeError(
            f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found incompatible type `{type(flat_sequence)}` instead."
        )
    flat = list(flat_sequence)
    if not branches(structure, expand_composites, strict):
        if len(flat) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n  {structure}\nHowever the input is a sequence "
                f"({type(flat_sequence)}) of length {len(flat)}.\n  {flat_sequence}\nnest cannot guarantee that it is "
                "safe to map one to the other."
            )
        return flat[0]
    count = len(flatten(structure, expand_composites, strict))
    if count != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} atoms, but flat_sequence had {len(flat)} items.  "
            f"Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return _pack(structure, iter(flat), expand_composites, strict)


def map_structure(func: Callable[..., Any], *structure: Any, **options: Any) -> Any:
    """`func` of the corresponding leaves of the structures, in a structure like the first.

    Args:
        func: takes as many arguments as there are structures.
        structure: one or more nests of the same structure.
        options: `check_types` (True) and `expand_composites` (False), as `assert_same_structure` takes them.

    Raises:
        TypeError: `func` cannot be called, or two sequences are of different kinds. ValueError: no structure, structures that
            differ, or an unknown option.

    >>> map_structure(lambda x, y: x + y, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = options.pop("check_types", True)
    expand = options.pop("expand_composites", False)
    strict = options.pop("strict", False)
    if options:
        unknown = "`, `".join(options)
        raise ValueError(f"Only valid keyword arguments are `check_types` and `expand_composites`, not: `{unknown}`")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand, strict)
    leaves = zip(*(flatten(s, expand, strict) for s in structure), strict=True)
    return _pack(structure[0], iter([func(*row) for row in leaves]), expand, strict)


def _dots(structure: Any, strict: bool) -> str:
    """The structure with a dot for every leaf, for messages."""
    return str(map_structure(lambda _: _Dot(), structure, strict=strict))


class _Dot:
    def __repr__(self) -> str:
        return "."


def _describe(structure: Any) -> str:
    return f"type={type(structure).__name__} str={structure}"


def assert_same_structure(
    nest1: object, nest2: object, check_types: bool = True, expand_composites: bool = False, strict: bool = False
) -> None:
    """Checks that two structures nest alike, whatever their leaves.

    Args:
        nest1: one structure. nest2: the other.
        check_types: whether sequences must be of the same kind too (a list is not a tuple). Two namedtuples of the same
            name and fields are alike, and so are all mappings.
        expand_composites: whether composite tensors count as structures.

    Raises:
        ValueError: they differ in nesting, lengths or keys. TypeError: only in the kinds of sequences.

    >>> assert_same_structure([1, {"a": 2}], [3, {"a": 4}])
    """
    try:
        _assert_same(nest1, nest2, check_types, expand_composites, strict)
    except (ValueError, TypeError) as why:
        raise type(why)(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_describe(nest1)}\n\nSecond structure: {_describe(nest2)}\n\n"
            f"More specifically: {why}\nEntire first structure:\n{_dots(nest1, strict)}\nEntire second structure:\n{_dots(nest2, strict)}"
        ) from None


def _assert_same(a: Any, b: Any, check_types: bool, expand: bool, strict: bool) -> None:
    a_branches, b_branches = branches(a, expand, strict), branches(b, expand, strict)
    if a_branches != b_branches:
        nested, leaf = (a, b) if a_branches else (b, a)
        raise ValueError(f'Substructure "{_describe(nested)}" is a sequence, while substructure "{_describe(leaf)}" is not')
    if not a_branches:
        return
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if set(a) != set(b):
            keys = (_describe(list(a)), _describe(list(b)))
            raise ValueError(
                f"The two dictionaries don't have the same set of keys. First structure has keys {keys[0]}, while second "
                f"structure has keys {keys[1]}"
            )
    elif check_types and not _are_same_kind(a, b):
        raise TypeError(
            f"The two namedtuples don't have the same sequence type. First structure {_describe(a)} has type "
            f"{type(a).__name__}, while second structure {_describe(b)} has type {type(b).__name__}"
        )
    if expand and getattr(a, "_static", None) != getattr(b, "_static", None):
        raise ValueError(f"Incompatible composite values: {_describe(a)}, {_describe(b)}: what is no tensor in them differs")
    if check_types and type(a) is type(b) and static_part(a) != static_part(b):
        raise ValueError(f"Two structures of type {type(a).__name__} differ in what is no part of them: {static_part(a)}, {static_part(b)}")
    a_parts, b_parts = children(a, expand), children(b, expand)
    if len(a_parts) != len(b_parts):
        raise ValueError(
            "The two structures don't have the same number of elements. "
            f"First structure: {_describe(a)}. Second structure: {_describe(b)}"
        )
    for x, y in zip(a_parts, b_parts, strict=True):
        _assert_same(x, y, check_types, expand, strict)


def _are_same_kind(a: Any, b: Any) -> bool:
    if is_namedtuple(a) and is_namedtuple(b):
        return type(a).__name__ == type(b).__name__ and a._fields == b._fields
    return type(a) is type(b) or (isinstance(a, list) and isinstance(b, list))


def flatten_dict_items(dictionary: Mapping[Any, Any]) -> dict[Any, Any]:
    """A flat dictionary from one whose keys and values may be structures: `{(4, 5): (1, 2)}` is `{4: 1, 5: 2}`.

    Raises:
        TypeError: not a mapping. ValueError: a key and its value have unequal lengths, or a key comes twice.
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError(
            f"FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, instead of '{type(dictionary).__name__}'."
        )
    result: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys, values = (flatten(key), flatten(value)) if is_nested(key) else ([key], [value])
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements. "
                f"Key: {keys}, value: {values}."
            )
        for one, item in zip(keys, values, strict=True):
            if one in result:
                raise ValueError(f"Cannot flatten dict because this key is not unique: {one}")
            result[one] = item
    return result


def _append_parts(shallow: Any, deep: Any, check_types: bool, leaves: list[Any], expand: bool, strict: bool) -> None:
    """Appends the parts of `deep` that stand where `shallow` has leaves."""
    if not branches(shallow, expand, strict):
        leaves.append(deep)
        return
    if not branches(deep, expand, strict):
        raise TypeError(f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(deep)}.")
    if isinstance(shallow, Mapping) and isinstance(deep, Mapping):
        missing = [key for key in shallow if key not in deep]
        if missing:
            raise ValueError(
                "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following "
                f"keys that are not in the input_tree: {missing}."
            )
    elif check_types and not (isinstance(deep, type(shallow)) or _are_same_kind(shallow, deep)):
        raise TypeError(
            "The two structures don't have the same sequence type. "
            f"Input structure has type {type(deep)}, while shallow structure has type {type(shallow)}."
        )
    shallow_parts, deep_parts = children(shallow, expand), children(deep, expand)
    if len(shallow_parts) != len(deep_parts):
        raise ValueError(
            "The two structures don't have the same sequence length. "
            f"Input structure has length {len(deep_parts)}, while shallow structure has length {len(shallow_parts)}."
        )
    for s, d in zip(shallow_parts, deep_parts, strict=True):
        _append_parts(s, d, check_types, leaves, expand, strict)


def flatten_up_to(
    shallow_tree: object, input_tree: object, check_types: bool = True, expand_composites: bool = False, strict: bool = False
) -> list[Any]:  # fmt: skip
    """The parts of `input_tree` where `shallow_tree` has its leaves.  strict: whether dataclasses are leaves.

    Raises:
        TypeError, ValueError: `input_tree` does not begin as `shallow_tree` does.

    >>> flatten_up_to([0, 0], [[1, 2], 3])
    [[1, 2], 3]
    """
    leaves: list[Any] = []
    _append_parts(shallow_tree, input_tree, check_types, leaves, expand_composites, strict)
    return leaves
