"""GradBench's `det`: a determinant by expansion by minors.

A minor of the last m rows is a set of m columns; expanded along its first row, it is a sum over those columns of minors of the last m - 1
rows. So all minors of m rows are one gather and one product of a matrix with a row, and each is computed once: n * 2**n products, where a
recursion that meets them again and again takes n!.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import isqrt
from typing import Any

import numpy as np

import pullback as tf

from .derivatives import gradient
from .protocol import Function, number, numbers, vector

Table = np.ndarray[Any, Any]


@cache
def expansions(n: int) -> tuple[tuple[Table, Table], ...]:
    """For m = 2 ... n: of each minor of m rows, for each column, the minor without it, and its sign, 0 where the column is not in it."""
    return tuple(_expansions(n))


def _expansions(n: int) -> Iterator[tuple[Table, Table]]:
    smaller: dict[tuple[int, ...], int] = {(j,): j for j in range(n)}
    for m in range(2, n + 1):
        minors = list(combinations(range(n), m))
        places, signs = np.zeros((len(minors), n), np.int32), np.zeros((len(minors), n))
        for row, columns in enumerate(minors):
            for k, j in enumerate(columns):
                places[row, j] = smaller[columns[:k] + columns[k + 1 :]]
                signs[row, j] = (-1) ** k
        yield places, signs
        smaller = {columns: row for row, columns in enumerate(minors)}


@tf.function
def determinant(a: Any) -> Any:
    n = a.shape[0]
    minors = a[-1]
    for m, (places, signs) in enumerate(expansions(n), 2):
        minors = tf.linalg.matvec(tf.gather(minors, places) * signs, a[n - m])
    return tf.reshape(minors, [])


@tf.function
def slope(a: Any) -> Any:
    return tf.reshape(gradient(determinant, a), [-1])


def prepare(given: Any) -> tuple[Any, ...]:
    side = isqrt(len(given["A"]))
    return (tf.reshape(vector(given["A"]), [side, side]),)


FUNCTIONS = {"primal": Function(prepare, determinant, number), "gradient": Function(prepare, slope, numbers)}
