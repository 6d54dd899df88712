"""What libraries use of `tensorflow.python.util.nest` beside `tf.nest`: paths of leaves, and structures that end earlier than others.

All of it is made of `base.nest`, which decides what has parts; it stands here because nothing of this library needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..base import nest
from ..base.structures import structure_of

Path = tuple[Any, ...]


def is_namedtuple(instance: object, strict: bool = False) -> bool:
    """Whether something is a named tuple."""
    return nest.is_namedtuple(instance)


def is_mapping(obj: object) -> bool:
    """Whether something is a mapping.

    >>> is_mapping({}), is_mapping([])
    (True, False)
    """
    return isinstance(obj, Mapping)


def is_attrs(obj: object) -> bool:
    """Whether something is of a class that the library attrs made."""
    return hasattr(type(obj), "__attrs_attrs__")


def sequence_like(instance: Any, args: Any) -> Any:
    """A structure of the kind of `instance` with these parts.

    >>> sequence_like({"b": 0, "a": 0}, [1, 2])
    {'b': 2, 'a': 1}
    """
    return nest.rebuild(instance, list(args), expand=True)


def yield_sorted_items(structure: Any, expand_composites: bool = False) -> Iterator[tuple[Any, Any]]:
    """The parts of a structure, each with its key, its field's name or its place."""
    parts = nest.children(structure, expand_composites)
    own = structure_of(type(structure))
    names: Any = range(len(parts))
    if own is not None and own.names:
        names = own.names
    elif isinstance(structure, Mapping):
        names = nest.sorted_keys(structure)
    elif is_namedtuple(structure):
        names = structure._fields
    return zip(names, parts, strict=True)


def yield_value(structure: object) -> Iterator[Any]:
    """The parts of a structure."""
    return iter(nest.children(structure))


def flatten_with_tuple_paths(structure: object, expand_composites: bool = False) -> list[tuple[Path, Any]]:
    """The leaves, each with the keys on the way to it.

    >>> flatten_with_tuple_paths({"b": [1, 2], "a": 3})
    [(('a',), 3), (('b', 0), 1), (('b', 1), 2)]
    """
    if not nest.branches(structure, expand_composites, strict=True):
        return [((), structure)]
    return [
        ((key, *path), leaf)
        for key, part in yield_sorted_items(structure, expand_composites)
        for path, leaf in flatten_with_tuple_paths(part, expand_composites)
    ]


def yield_flat_paths(structure: object, expand_composites: bool = False) -> Iterator[Path]:
    """The keys on the way to each leaf."""
    return (path for path, _ in flatten_with_tuple_paths(structure, expand_composites))


def flatten_with_joined_string_paths(structure: object, separator: str = "/", expand_composites: bool = False) -> list[tuple[str, Any]]:
    """The leaves, each with its path as one string."""
    return [(separator.join(map(str, path)), leaf) for path, leaf in flatten_with_tuple_paths(structure, expand_composites)]


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, expand_composites: bool = False, **options: Any) -> Any:
    """`func` of the path of each leaf and of the leaves there, in a structure like the first."""
    paths = yield_flat_paths(structure[0], expand_composites)
    return nest.map_structure(
        lambda *leaves: func(next(paths), *leaves), *structure, expand_composites=expand_composites, strict=True, **options
    )


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **options: Any) -> Any:
    """`map_structure_with_tuple_paths` with paths as strings."""
    return map_structure_with_tuple_paths(lambda path, *leaves: func("/".join(map(str, path)), *leaves), *structure, **options)


def assert_shallow_structure(shallow_tree: object, input_tree: object, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raises TypeError or ValueError where `input_tree` does not begin as `shallow_tree` does."""
    flatten_up_to(shallow_tree, input_tree, check_types, expand_composites)


def flatten_up_to(shallow_tree: object, input_tree: object, check_types: bool = True, expand_composites: bool = False) -> list[Any]:
    """The parts of `input_tree` where `shallow_tree` has its leaves."""
    return nest.flatten_up_to(shallow_tree, input_tree, check_types, expand_composites, strict=True)


def map_structure_up_to(
    shallow_tree: object, func: Callable[..., Any], *inputs: Any, check_types: bool = True, expand_composites: bool = False
) -> Any:  # fmt: skip
    """`func` of the parts of the inputs where `shallow_tree` has its leaves, in a structure like it."""
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda path, *parts: func(*parts), *inputs, check_types=check_types, expand_composites=expand_composites
    )


def map_structure_with_tuple_paths_up_to(
    shallow_tree: object, func: Callable[..., Any], *inputs: Any, check_types: bool = True, expand_composites: bool = False
) -> Any:  # fmt: skip
    """`map_structure_up_to` of a function that takes the path as well.

    >>> map_structure_with_tuple_paths_up_to([0, 0], lambda path, x: (path, x), [[1, 2], 3])
    [((0,), [1, 2]), ((1,), 3)]
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    parts = [flatten_up_to(shallow_tree, tree, check_types, expand_composites) for tree in inputs]
    paths = yield_flat_paths(shallow_tree, expand_composites)
    found = [func(path, *row) for path, *row in zip(paths, *parts, strict=True)]
    return nest.pack_sequence_as(shallow_tree, found, expand_composites, strict=True)


def map_structure_with_path_up_to(shallow_tree: object, func: Callable[..., Any], *inputs: Any, **options: Any) -> Any:
    """`map_structure_with_tuple_paths_up_to` with paths as strings."""
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda path, *parts: func("/".join(map(str, path)), *parts), *inputs, **options
    )


def get_traverse_shallow_structure(traverse_fn: Callable[[Any], Any], structure: object, expand_composites: bool = False) -> Any:
    """The beginning of a structure as far as `traverse_fn` says (True, False, or a structure of them) to go into it.

    >>> get_traverse_shallow_structure(lambda s: not isinstance(s, tuple), [1, (2, 3)])
    [True, False]
    """
    goes_on = traverse_fn(structure)
    if not nest.branches(structure, expand_composites, strict=True):
        if not isinstance(goes_on, bool):
            raise TypeError(f"traverse_fn returned structure: {goes_on} for non-structure: {structure}")
        return goes_on
    if isinstance(goes_on, bool) and not goes_on:
        return False

    def inner(part: Any) -> Any:
        return get_traverse_shallow_structure(traverse_fn, part, expand_composites)

    parts = nest.children(structure, expand_composites)
    if isinstance(goes_on, bool):
        found = [inner(part) for part in parts]
    else:
        assert_shallow_structure(goes_on, structure, expand_composites=expand_composites)
        found = [inner(part) if said else False for said, part in zip(nest.children(goes_on), parts, strict=True)]
    return nest.rebuild(structure, found, expand_composites)


def list_to_tuple(structure: object) -> Any:
    """A structure with tuples in the place of its lists.

    >>> list_to_tuple({"a": [1, [2]]})
    {'a': (1, (2,))}
    """
    if not nest.is_nested(structure, strict=True):
        return structure
    parts = [list_to_tuple(part) for part in nest.children(structure)]
    return tuple(parts) if isinstance(structure, list) else nest.rebuild(structure, parts, expand=False)
