"""Shapes: what TensorFlow 2.21 prints for the same expressions (T is TensorShape, D is Dimension)."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from pullback.base import shapes
from pullback.base.shapes import Dimension as D, TensorShape as T

NAMES = {"T": T, "D": D, "np": np, "broadcast": lambda a, b: T(shapes.broadcast(T(a)._dims, T(b)._dims))}

ANSWERS = """
T(None) => TensorShape(None)
T([]) => TensorShape([])
T([2,None]) => TensorShape([2, None])
T(3) => TensorShape([3])
T(np.array([2,3])) => TensorShape([2, 3])
T([np.int64(3)]) => TensorShape([3])
T(T([1,2])) => TensorShape([1, 2])
T([D(3), D(None)]) => TensorShape([3, None])
T(range(3)) => TensorShape([0, 1, 2])
str(T(None)) => '<unknown>'
str(T([2,None])) => '(2, None)'
str(T([2])) => '(2,)'
T([2,None]).as_list() => [2, None]
T([2,None]).dims => [Dimension(2), Dimension(None)]
T(None).dims => None
T([2,None]).rank => 2
T(None).ndims => None
T([2,3]).num_elements() => 6
T([2,None]).num_elements() => None
T(None).num_elements() => None
T([2,0]).num_elements() => 0
T([]).num_elements() => 1
T([2,None]).is_fully_defined() => False
T([]).is_fully_defined() => True
T([2]).concatenate([3,4]) => TensorShape([2, 3, 4])
T(None).concatenate([3]) => TensorShape(None)
T([3]).concatenate(None) => TensorShape(None)
[2]+T([3]) => TensorShape([2, 3])
T([2])+T(None) => TensorShape(None)
T([2,None]).merge_with([None,3]) => TensorShape([2, 3])
T(None).merge_with([3]) => TensorShape([3])
T([2,3]).with_rank(2) => TensorShape([2, 3])
T(None).with_rank(3) => TensorShape([None, None, None])
T(None).with_rank_at_least(3) => TensorShape(None)
T(None).with_rank_at_most(1) => TensorShape(None)
T([2,3]).is_compatible_with([None,3]) => True
T([2,3]).is_compatible_with([2]) => False
T([2,3]).is_compatible_with(None) => True
T([2,3]).most_specific_compatible_shape([2,4]) => TensorShape([2, None])
T([2,3]).most_specific_compatible_shape([2]) => TensorShape(None)
T([2,3]).most_specific_common_supertype([T([2,4])]) => TensorShape([2, None])
T([2,3]).is_subtype_of(T([None,3])) => True
T([None,3]).is_subtype_of(T([2,3])) => False
T([2,3])[0] => 2
T([2,3])[-1] => 3
T([2,3])[1:] => TensorShape([3])
T([2,None])[1] => None
T(None)[0] => None
T(None)[1:] => TensorShape(None)
T(None)[:2] => TensorShape([None, None])
T(None)[:-2] => TensorShape(None)
T(None)[1:3] => TensorShape([None, None])
T(None)[-2:] => TensorShape(None)
list(T([2,None])) => [2, None]
len(T([2,3])) => 2
bool(T([])) => True
bool(T(None)) => False
T([2,3])==[2,3] => True
T([2,3])!=(2,3) => False
T([2,None])==T([2,None]) => True
T(None)==T(None) => True
T(None)==None => True
T([2])==None => False
T([2])!=T(None) => True
T([2])=='a' => False
T([2,3])==5 => False
hash(T([2]))==hash(T([2])) => True
D(None) => Dimension(None)
str(D(None)) => '?'
str(D(3)) => '3'
D(3)+2 => Dimension(5)
D(3)+None => Dimension(None)
D(3)==3 => True
D(3)!=3 => False
D(None)==3 => None
D(3)==None => None
D(3)!=None => None
2*D(3) => Dimension(6)
D(7)-2 => Dimension(5)
9-D(7) => Dimension(2)
D(7)//2 => Dimension(3)
15//D(7) => Dimension(2)
D(7)%4 => Dimension(3)
15%D(7) => Dimension(1)
D(7)<8 => True
D(7)<=6 => False
D(7)>8 => False
D(7)>=7 => True
D(None)<8 => None
int(D(3)) => 3
D(3).merge_with(None) => Dimension(3)
D(None).merge_with(3) => Dimension(3)
D(3).is_compatible_with(None) => True
D(3).value => 3
range(D(3)) => range(0, 3)
broadcast([2,None],[1,3]) => TensorShape([2, 3])
broadcast([2,None],[None,1]) => TensorShape([2, None])
broadcast(None,[4,3]) => TensorShape(None)
broadcast([None],[0]) => TensorShape([None])
broadcast([3,1],[2,1,4]) => TensorShape([2, 3, 4])
broadcast([],[2]) => TensorShape([2])
broadcast([0],[1]) => TensorShape([0])
"""

ERRORS = """
T([2,-1]) !! ValueError: Dimension -1 must be >= 0
T([2.5]) !! TypeError: Dimension value must be integer or None or have an __index__ method, got value '2.5' with type '<class 'float'>'
T([2,3])[5] !! IndexError: tuple index out of range
T(None).as_list() !! ValueError: as_list() is not defined on an unknown TensorShape.
T([2,None]).merge_with([3,3]) !! ValueError: Shapes (2, None) and (3, 3) are not compatible
T([2,None]).merge_with([3]) !! ValueError: Shapes (2, None) and (3,) are not compatible
T([2,3]).with_rank(3) !! ValueError: Shape (2, 3) must have rank 3
T([2,3]).with_rank_at_least(3) !! ValueError: Shape (2, 3) must have rank at least 3
T([2,3]).with_rank_at_most(1) !! ValueError: Shape (2, 3) must have rank at most 1
T([2,3]).assert_is_compatible_with([3,3]) !! ValueError: Shapes (2, 3) and [3, 3] are incompatible
T([2,3]).assert_same_rank([3]) !! ValueError: Shapes (2, 3) and (3,) must have the same rank
T([2,3]).assert_has_rank(1) !! ValueError: Shape (2, 3) must have rank 1
T([2,None]).assert_is_fully_defined() !! ValueError: Shape (2, None) is not fully defined
list(T(None)) !! ValueError: Cannot iterate over a shape with unknown rank.
len(T(None)) !! ValueError: Cannot take the length of shape with unknown rank.
D(7)/2 !! TypeError: unsupported operand type(s) for /: 'Dimension' and 'int', please use // instead
2/D(7) !! TypeError: unsupported operand type(s) for /: 'int' and 'Dimension', please use // instead
2-D(7) !! ValueError: Dimension -5 must be >= 0
D(-1) !! ValueError: Dimension -1 must be >= 0
D(3).merge_with(4) !! ValueError: Dimensions 3 and 4 are not compatible
D(3).assert_is_compatible_with(4) !! ValueError: Dimensions 3 and 4 are not compatible
"""


def rows(table: str, mark: str) -> list[tuple[str, ...]]:
    return [tuple(line.split(mark, 1)) for line in table.strip().splitlines()]


@pytest.mark.parametrize(("expression", "answer"), rows(ANSWERS, " => "))
def test_answers(expression: str, answer: str) -> None:
    assert repr(eval(expression, NAMES)) == answer


@pytest.mark.parametrize(("expression", "error"), rows(ERRORS, " !! "))
def test_errors(expression: str, error: str) -> None:
    with pytest.raises((ValueError, TypeError, IndexError)) as caught:
        eval(expression, NAMES)
    assert f"{type(caught.value).__name__}: {caught.value}" == error


def test_broadcasting_what_does_not_fit_names_both_shapes() -> None:
    with pytest.raises(ValueError, match=r"Incompatible shapes for broadcasting.*\(2, None\) and \(4, 3\)"):
        shapes.broadcast((2, None), (4, 3))


def test_a_word_is_no_shape() -> None:
    with pytest.raises(TypeError, match="Failed to convert ''a'' to a shape"):
        T("a")


def test_an_unknown_dimension_has_no_int() -> None:
    with pytest.raises(TypeError, match="unknown"):
        int(D(None))


def test_plain_functions() -> None:
    assert [shapes.show(s) for s in ((2, None), (), (3,), None)] == ["[2,?]", "[]", "[3]", "<unknown>"]
    assert shapes.merge((2, None), None) == (2, None)
    assert shapes.are_compatible((2, None), (None, 5)) and not shapes.are_compatible((2,), (3,)) and not shapes.are_compatible((2,), (2, 2))
    assert shapes.is_fully_known((2, 0)) and not shapes.is_fully_known((None,)) and not shapes.is_fully_known(None)
    assert shapes.num_elements((2, 3, None)) is None
    assert repr(shapes.unknown_shape()) == "TensorShape(None)"
    assert shapes.as_shape(shape := T([1])) is shape and shapes.as_shape(2) == [2]
    assert T.of((2, None)) == T([2, None])
    assert pickle.loads(pickle.dumps(T([2, None]))) == [2, None]


@pytest.fixture
def v1_dimensions() -> Iterator[None]:
    shapes.set_v1_dimensions(True)
    yield
    shapes.set_v1_dimensions(False)


@pytest.mark.parametrize(
    ("expression", "answer"),
    rows(
        """
T([2,None])[0] => Dimension(2)
T([2,None])[1:] => TensorShape([Dimension(None)])
str(T([2,None])[1:]) => '(?,)'
str(T([2,None])) => '(2, ?)'
str(T([])) => '()'
list(T([2,None])) => [Dimension(2), Dimension(None)]
T([2,None]).as_list() => [2, None]
T(None)[0] => Dimension(None)
T([2,3])==[2,3] => True
T([2,3])[0]==2 => True
T([2,None]) => TensorShape([Dimension(2), Dimension(None)])
""",
        " => ",
    ),
)
def test_the_v1_face_gives_dimensions(v1_dimensions: None, expression: str, answer: str) -> None:
    assert repr(eval(expression, NAMES)) == answer
