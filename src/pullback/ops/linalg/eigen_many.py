"""Eigenvalues of many small matrices, by native loops.

LAPACK takes half a microsecond for every call inside its calls, which is most of what it takes for a matrix of eight rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels import lapack, parallel
from ...kernels.loops import native_loop
from .eigen_loops import decompose_general
from .eigen_loops_symmetric import decompose_symmetric

Array = np.ndarray[Any, Any]

LARGEST = 16  # rows
_FEW, _BLOCK = 1 << 11, 1 << 13  # elements from which LAPACK takes longer, and of a block
_LEAST, _MOST = 1e-100, 1e100  # between which squares of elements are numbers


def _is_for_loops(x: Array) -> bool:
    """Whether these matrices are many and small, and such that their squares are numbers."""
    n = x.shape[-1]
    if not 1 < n <= LARGEST or x.size < _FEW:
        return False
    largest = np.abs(x).reshape(-1, n * n).max(axis=1)
    return bool((((largest > _LEAST) & (largest < _MOST)) | (largest == 0)).all())


def _run_in_blocks(loop: Any, count: int, arrays: list[Any], scratch: list[int], n: int) -> bool:
    """Runs a loop on blocks of matrices; arrays: flat, as much of each for a matrix as for any other.  Whether all went well."""
    each = max(_BLOCK // (n * n), 1)
    failed = [0] * -(-count // each)

    def block(i: int) -> None:
        first, last = i * each, min((i + 1) * each, count)
        parts = [a[len(a) // count * first : len(a) // count * last] for a in arrays]
        more = [np.empty(size) for size in scratch]
        failed[i] = loop(*parts, *more, last - first, n=n)

    parallel.run(block, len(failed))
    return not any(failed)


def _turn_upright(values: Array, vectors: Array) -> tuple[Array, Array]:
    """Eigenvectors whose largest elements are real and positive, as the loops give them: the first calls are answered without these."""
    at = np.abs(vectors).argmax(axis=-2, keepdims=True)
    longest = np.take_along_axis(vectors, at, axis=-2)
    found = vectors * (np.conj(longest) / np.abs(longest))
    if found.dtype.kind == "c":
        np.put_along_axis(found, at, np.take_along_axis(found, at, axis=-2).real, axis=-2)
    return values, found


def eig(x: Array) -> tuple[Array, Array] | None:
    """Eigenvalues and eigenvectors of many small matrices, complex128; None for few or large ones.

    Raises LinAlgError as `np.linalg.eig`.
    """
    if not _is_for_loops(x):
        return None
    found = _decompose_general(x, native_loop(decompose_general, x.size))
    if found is not None:
        return found
    values, vectors = np.linalg.eig(x.astype(np.result_type(x.dtype, np.float64), copy=False))
    return _turn_upright(values.astype(np.complex128), vectors.astype(np.complex128))


def _decompose_general(x: Array, loop: Any) -> tuple[Array, Array] | None:
    if loop is None:
        return None
    n = x.shape[-1]
    parts: list[Any] = [np.array(part, np.float64, order="C").reshape(-1) for part in (x.real, x.imag)]
    values, out = np.empty(x.shape[:-1], np.complex128), np.empty(x.shape, np.complex128)
    arrays = [*parts, np.empty(x.size), np.empty(x.size), *(a.reshape(-1).view(np.float64) for a in (values, out))]
    done = _run_in_blocks(loop, x.size // (n * n), arrays, [2 * n, 2 * n, 2 + 3 * n], n)
    return (values, out) if done else None


def eigh(x: Array) -> tuple[Array, Array] | None:
    """Eigenvalues and eigenvectors of many small symmetric matrices of real numbers, whose lower triangles are read, float64; None for
    others.
    """
    if x.dtype.kind != "f" or not _is_for_loops(x):
        return None
    found = _decompose_symmetric(x, native_loop(decompose_symmetric, x.size))
    return _turn_upright(*lapack.eigh(x.astype(np.float64, copy=False))) if found is None else found


def _decompose_symmetric(x: Array, loop: Any) -> tuple[Array, Array] | None:
    if loop is None:
        return None
    n = x.shape[-1]
    whole = np.array(x, np.float64, order="C")
    for i in range(n - 1):
        whole[..., i, i + 1 :] = whole[..., i + 1 :, i]
    values, out = np.empty(x.shape[:-1]), np.empty(x.shape)
    arrays = [a.reshape(-1) for a in (whole, np.empty(x.size), values, out)]
    return (values, out) if _run_in_blocks(loop, x.size // (n * n), arrays, [3 * n], n) else None
