"""Nested structures: what tf.nest of TensorFlow 2.21 gives for the same expressions."""

from __future__ import annotations

import collections
import dataclasses
import types
from typing import Any

import numpy as np
import pytest

from pullback.base import nest
from pullback.interop import nest as of_tensorflow, nest_paths

N = types.SimpleNamespace(**{**vars(nest), **vars(nest_paths), **vars(of_tensorflow)})
P = collections.namedtuple("P", "x y")
Q = collections.namedtuple("Q", "x y")
OD = collections.OrderedDict
NAMES = {"np": np, "types": types}  # names that only the expressions below use


@dataclasses.dataclass
class D:
    a: int
    b: int


class Attribute:
    def __init__(self, name: str) -> None:
        self.name = name


class A:
    """What the attrs package makes of a class, as far as nests look at it."""

    __attrs_attrs__ = (Attribute("a"), Attribute("b"))

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def __repr__(self) -> str:
        return f"A({self.a},{self.b})"


class Pair:
    _is_composite = True

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts

    def _components(self) -> list[Any]:
        return self.parts

    def _from_components(self, parts: list[Any]) -> Pair:
        return Pair(parts)

    def __repr__(self) -> str:
        return f"Pair({self.parts})"


ANSWERS = """
N.flatten(3) => [3]
N.flatten(None) => [None]
N.flatten('abc') => ['abc']
N.flatten(b'abc') => [b'abc']
N.flatten([1,[2,(3,)]]) => [1, 2, 3]
N.flatten({'b':1,'a':2}) => [2, 1]
N.flatten(OD([('b',1),('a',2)])) => [2, 1]
N.flatten(P(1,2)) => [1, 2]
N.flatten(A(1,[2,3])) => [1, 2, 3]
N.flatten(D(1,2)) => [D(a=1, b=2)]
N.flatten([]) => []
N.flatten({}) => []
N.flatten({3:1,1:2}) => [2, 1]
N.flatten(np.zeros(2)) => [array([0., 0.])]
N.flatten({1,2}) => [{1, 2}]
N.flatten(range(3)) => [0, 1, 2]
N.flatten({'a':1}.values()) => [1]
N.flatten({'b':1,'a':2}.keys()) => ['b', 'a']
N.flatten({'b':1,'a':2}.items()) => ['b', 1, 'a', 2]
N.flatten(types.MappingProxyType({'b':1,'a':2})) => [2, 1]
N.flatten(collections.deque([1])) => [1]
N.flatten(bytearray(b'a')) => [97]
N.flatten([1, Pair([2, 3])]) => [1, Pair([2, 3])]
N.flatten([1, Pair([2, 3])], expand_composites=True) => [1, 2, 3]
N.pack_sequence_as([1, Pair([2, 3])], [4, 5, 6], expand_composites=True) => [4, Pair([5, 6])]
N.map_structure(lambda x: x + 1, Pair([2, 3]), expand_composites=True) => Pair([3, 4])
N.pack_sequence_as([1,[2,3]],[4,5,6]) => [4, [5, 6]]
N.pack_sequence_as(1,[4]) => 4
N.pack_sequence_as({'b':1,'a':2},[10,20]) => {'b': 20, 'a': 10}
N.pack_sequence_as(OD([('b',1),('a',2)]),[10,20]) => OrderedDict({'b': 20, 'a': 10})
N.pack_sequence_as(collections.defaultdict(list,{'b':1,'a':2}),[10,20]) => defaultdict(<class 'list'>, {'b': 20, 'a': 10})
N.pack_sequence_as(P(1,(2,)),[10,20]) => P(x=10, y=(20,))
N.pack_sequence_as(A(1,[2]),[5,6]) => A(5,[6])
N.pack_sequence_as(D(1,2),[10]) => 10
N.pack_sequence_as([],[]) => []
N.pack_sequence_as(range(2),[4,5]) => [4, 5]
N.map_structure(lambda x:x+1,[1,{'b':2,'a':3}]) => [2, {'b': 3, 'a': 4}]
N.map_structure(lambda *a: a, [1,(2,)],[3,(4,)],[5,(6,)]) => [(1, 3, 5), ((2, 4, 6),)]
N.map_structure(lambda x,y:x+y,[1,(2,)],[3,[4]],check_types=False) => [4, (6,)]
N.assert_same_structure([1,2],[3,4]) => None
N.assert_same_structure([1,2],(1,2),check_types=False) => None
N.assert_same_structure({'a':1},OD(a=1)) => None
N.assert_same_structure(1,2) => None
N.assert_same_structure(P(1,2),collections.namedtuple('P','x y')(1,2)) => None
N.is_nested([1]) => True
N.is_nested(()) => True
N.is_nested('a') => False
N.is_nested({}) => True
N.is_nested(P(1,2)) => True
N.is_nested(A(1,2)) => True
N.is_nested(D(1,2)) => False
N.is_nested({1}) => False
N.is_nested(range(2)) => True
N.is_nested(np.zeros(2)) => False
N.is_nested(Pair([1])) => False
N.flatten_dict_items({(4,5):(1,2),6:3}) => {4: 1, 5: 2, 6: 3}
N.map_structure_up_to([1,2],lambda x:x,[[1,2],3]) => [[1, 2], 3]
N.map_structure_up_to([1,2],lambda x,y:(x,y),[[1,2],3],[4,[5]]) => [([1, 2], 4), (3, [5])]
N.map_structure_up_to(1,lambda x:x,[1,2]) => [1, 2]
N.flatten_up_to([1,2],[[1,2],3]) => [[1, 2], 3]
"""


@pytest.mark.parametrize(("expression", "answer"), [line.split(" => ", 1) for line in ANSWERS.strip().splitlines()])
def test_answers(expression: str, answer: str) -> None:
    expected = answer if "OrderedDict" not in answer else repr(OD([("b", 20), ("a", 10)]))
    assert repr(eval(expression, globals() | NAMES)) == expected


DIFFERS = "The two structures don't have the same nested structure.\n\n"
ERRORS: list[tuple[str, type[Exception], str]] = [
    (
        "N.pack_sequence_as([1,[2,3]],[4,5])",
        ValueError,
        "Could not pack sequence. Structure had 3 atoms, but flat_sequence had 2 items.  Structure: [1, [2, 3]], flat_sequence: [4, 5].",
    ),
    (
        "N.pack_sequence_as(1,[4,5])",
        ValueError,
        "The target structure is of type `<class 'int'>`\n  1\nHowever the input is a sequence (<class 'list'>) of length 2.\n"
        "  [4, 5]\nnest cannot guarantee that it is safe to map one to the other.",
    ),
    (
        "N.pack_sequence_as([1],4)",
        TypeError,
        "Attempted to pack value:\n  4\ninto a structure, but found incompatible type `<class 'int'>` instead.",
    ),
    (
        "N.map_structure(lambda x,y:x+y,[1,(2,)],[3,[4]])",
        TypeError,
        DIFFERS + "First structure: type=list str=[1, (2,)]\n\nSecond structure: type=list str=[3, [4]]\n\n"
        "More specifically: The two namedtuples don't have the same sequence type. First structure type=tuple str=(2,) has type "
        "tuple, while second structure type=list str=[4] has type list\nEntire first structure:\n[., (.,)]\n"
        "Entire second structure:\n[., [.]]",
    ),
    (
        "N.map_structure(lambda x,y:x+y,[1,2],[3])",
        ValueError,
        DIFFERS + "First structure: type=list str=[1, 2]\n\nSecond structure: type=list str=[3]\n\n"
        "More specifically: The two structures don't have the same number of elements. First structure: type=list str=[1, 2]. "
        "Second structure: type=list str=[3]\nEntire first structure:\n[., .]\nEntire second structure:\n[.]",
    ),
    (
        "N.assert_same_structure({'a':1},{'b':1})",
        ValueError,
        DIFFERS + "First structure: type=dict str={'a': 1}\n\nSecond structure: type=dict str={'b': 1}\n\n"
        "More specifically: The two dictionaries don't have the same set of keys. First structure has keys type=list str=['a'], "
        "while second structure has keys type=list str=['b']\nEntire first structure:\n{'a': .}\nEntire second structure:\n{'b': .}",
    ),
    (
        "N.assert_same_structure(1,[2])",
        ValueError,
        DIFFERS + "First structure: type=int str=1\n\nSecond structure: type=list str=[2]\n\n"
        'More specifically: Substructure "type=list str=[2]" is a sequence, while substructure "type=int str=1" is not\n'
        "Entire first structure:\n.\nEntire second structure:\n[.]",
    ),
    (
        "N.assert_same_structure(P(1,2),Q(1,2))",
        TypeError,
        DIFFERS + "First structure: type=P str=P(x=1, y=2)\n\nSecond structure: type=Q str=Q(x=1, y=2)\n\n"
        "More specifically: The two namedtuples don't have the same sequence type. First structure type=P str=P(x=1, y=2) has type "
        "P, while second structure type=Q str=Q(x=1, y=2) has type Q\nEntire first structure:\nP(x=., y=.)\n"
        "Entire second structure:\nQ(x=., y=.)",
    ),
    ("N.map_structure(3,[1])", TypeError, "func must be callable, got: 3"),
    ("N.map_structure(lambda x:x)", ValueError, "Must provide at least one structure"),
    (
        "N.map_structure(lambda x:x,[1],foo=2)",
        ValueError,
        "Only valid keyword arguments are `check_types` and `expand_composites`, not: `foo`",
    ),
    (
        "N.pack_sequence_as(types.MappingProxyType({'b':1,'a':2}),[10,20])",
        TypeError,
        "Error creating an object of type <class 'mappingproxy'> like {'b': 1, 'a': 2}. Note that it must accept a single positional "
        "argument representing an iterable of key-value pairs, in addition to self. Cause: mappingproxy() argument must be a mapping, "
        "not list",
    ),
    (
        "N.flatten({1:2,'a':3})",
        TypeError,
        "nest only supports dicts with sortable keys, got [1, 'a']: '<' not supported between instances of 'str' and 'int'",
    ),
    (
        "N.flatten_dict_items({(4,5):(1,2,3)})",
        ValueError,
        "Could not flatten dictionary. Key had 2 elements, but value had 3 elements. Key: [4, 5], value: [1, 2, 3].",
    ),
    (
        "N.flatten_dict_items([1])",
        TypeError,
        "FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, instead of 'list'.",
    ),
    ("N.flatten_dict_items({(4,5):(1,2),5:3})", ValueError, "Cannot flatten dict because this key is not unique: 5"),
    (
        "N.map_structure_up_to([1,2],lambda x:x,[[1,2]])",
        ValueError,
        "The two structures don't have the same sequence length. Input structure has length 1, while shallow structure has length 2.",
    ),
    (
        "N.map_structure_up_to([1,2],lambda x:x,([1,2],3))",
        TypeError,
        "The two structures don't have the same sequence type. Input structure has type <class 'tuple'>, while shallow structure has "
        "type <class 'list'>.",
    ),
    (
        "N.map_structure_up_to({'a':1},lambda x:x,{'b':3})",
        ValueError,
        "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following keys that are not in "
        "the input_tree: ['a'].",
    ),
    (
        "N.map_structure_up_to([1,[2]],lambda x:x,[1,2])",
        TypeError,
        "If shallow structure is a sequence, input must also be a sequence. Input has type: <class 'int'>.",
    ),
    ("N.map_structure_up_to([1],lambda: 0)", ValueError, "Cannot map over no sequences"),
]


@pytest.mark.parametrize(("expression", "kind", "message"), ERRORS, ids=[row[0] for row in ERRORS])
def test_errors(expression: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        eval(expression, globals() | NAMES)
    assert type(caught.value) is kind
    assert str(caught.value) == message


def test_composites_nest_only_when_asked() -> None:
    with pytest.raises(ValueError, match=r"Substructure .*Pair.* is a sequence"):
        N.assert_same_structure(Pair([1]), 1, expand_composites=True)
    N.assert_same_structure(Pair([1]), 1)


def test_packing_keeps_what_flatten_gave() -> None:
    structure = {"w": [1, (2, None)], "b": P({"z": 3, "y": 4}, "s")}
    assert N.pack_sequence_as(structure, N.flatten(structure)) == structure
