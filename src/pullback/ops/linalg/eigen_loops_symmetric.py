"""Eigenvalues of small symmetric matrices as loops (`kernels.loops`): QL steps on tridiagonal matrices, all along rows.

Formulas: G. Golub and C. Van Loan, "Matrix Computations" (2013), 8.3; the shifts are Wilkinson's.
"""

from __future__ import annotations

from ...kernels.loops import Array, f64, sqrt

_EPS = 2.220446049250313e-16
_STEPS = 30  # for one eigenvalue, after which a matrix is somebody else's


def reduce_to_tridiagonal(a: Array, w: Array, work: Array, at: int, *, n: int) -> int:
    """A symmetric matrix becomes tridiagonal by Householder's reflections, whose product stands in `w`, by columns."""
    for i in range(n):
        for j in range(n):
            w[at + i * n + j] = 1.0 if i == j else 0.0
    for k in range(n - 2):
        below = f64(0.0)
        for j in range(k + 2, n):
            below += a[at + k * n + j] * a[at + k * n + j]
        if below > 0.0:
            first = a[at + k * n + k + 1]
            length = sqrt(first * first + below)
            for j in range(n):
                work[j] = a[at + k * n + j] if j > k + 1 else 0.0
                work[n + j] = 0.0
                work[2 * n + j] = 0.0
            work[k + 1] = first + (length if first >= 0.0 else -length)
            factor = 1.0 / (length * (length + abs(first)))
            for i in range(k + 1, n):
                for j in range(n):
                    work[n + j] += work[i] * a[at + i * n + j]
                    work[2 * n + j] += work[i] * w[at + i * n + j]
            middle = f64(0.0)
            for j in range(k + 1, n):
                middle += work[n + j] * work[j]
            middle = 0.5 * factor * middle
            for j in range(n):
                work[n + j] = factor * (work[n + j] - middle * work[j])
            for i in range(n):
                x = work[i]
                y = work[n + i]
                z = factor * x
                for j in range(n):
                    a[at + i * n + j] -= x * work[n + j] + y * work[j]
                    w[at + i * n + j] -= z * work[2 * n + j]
    return 0


def turn_to_diagonal(d: Array, w: Array, at: int, *, n: int) -> int:
    """Shifted QL steps until a tridiagonal matrix is diagonal, which turn the basis; 1 where it does not become so.

    d: the diagonal, and behind it the elements beside it.
    """
    for l in range(n):
        steps = 0
        m = n
        while m != l:
            m = l
            while m < n - 1:
                if abs(d[n + m]) <= _EPS * (abs(d[m]) + abs(d[m + 1])):
                    break
                m += 1
            if m != l:
                steps += 1
                if steps > _STEPS:
                    return 1
                g = (d[l + 1] - d[l]) / (2.0 * d[n + l])
                r = sqrt(g * g + 1.0)
                g = d[m] - d[l] + d[n + l] / (g + (r if g >= 0.0 else -r))
                s = f64(1.0)
                c = f64(1.0)
                p = f64(0.0)
                i = m - 1
                while i >= l:
                    f = s * d[n + i]
                    b = c * d[n + i]
                    r = sqrt(f * f + g * g)
                    d[n + i + 1] = r
                    if r == 0.0:
                        d[i + 1] -= p
                        d[n + m] = 0.0
                        break
                    inverse = 1.0 / r
                    s = f * inverse
                    c = g * inverse
                    g = d[i + 1] - p
                    r = (d[i] - g) * s + 2.0 * c * b
                    p = s * r
                    d[i + 1] = g + p
                    g = c * r - b
                    top = at + i * n
                    for j in range(n):
                        x = w[top + j]
                        y = w[top + n + j]
                        w[top + n + j] = s * x + c * y
                        w[top + j] = c * x - s * y
                    i -= 1
                if i < l:
                    d[l] -= p
                    d[n + l] = g
                    d[n + m] = 0.0
    return 0


def decompose_symmetric(a: Array, w: Array, values: Array, out: Array, work: Array, count: int, *, n: int) -> int:
    """The rising eigenvalues, and the eigenvectors as columns, their largest elements positive; how many matrices did not become
    diagonal.
    """
    failed = 0
    for number in range(count):
        at = number * n * n
        reduce_to_tridiagonal(a, w, work, at, n=n)
        for i in range(n):
            work[i] = a[at + i * n + i]
            work[n + i] = a[at + i * n + i + 1] if i < n - 1 else 0.0
        failed += turn_to_diagonal(work, w, at, n=n)
        for i in range(n):
            rank = 0
            for j in range(n):
                rank += int(work[j] < work[i]) + int((work[j] == work[i]) & (j < i))
            values[number * n + rank] = work[i]
            longest = f64(0.0)
            for j in range(n):
                if abs(w[at + i * n + j]) > abs(longest):
                    longest = w[at + i * n + j]
            sign = f64(1.0) if longest > 0.0 else f64(-1.0)
            for j in range(n):
                out[at + j * n + rank] = sign * w[at + i * n + j]
    return failed
