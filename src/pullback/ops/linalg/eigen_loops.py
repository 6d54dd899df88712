"""Eigenvalues of small general matrices as loops (`kernels.loops`): shifted QR steps on complex Hessenberg matrices.

Matrices lie row by row, real and imaginary parts apart; the vectors' basis lies by columns, so that all but the turns of columns go along
rows.  Formulas: G. Golub and C. Van Loan, "Matrix Computations" (2013), 7.4 to 7.6; the shifts are Wilkinson's.
"""

from __future__ import annotations

from ...kernels.loops import Array, f64, sqrt

_EPS = 2.220446049250313e-16
_STEPS = 30  # for one eigenvalue, after which a matrix is somebody else's


def to_hessenberg(hr: Array, hi: Array, wr: Array, wi: Array, vr: Array, vi: Array, at: int, *, n: int) -> int:
    """Householder's reflections of columns, applied to both sides and to the basis, which begins as the identity."""
    for i in range(n):
        for j in range(n):
            wr[at + i * n + j] = 1.0 if i == j else 0.0
            wi[at + i * n + j] = 0.0
    for k in range(n - 2):
        below = f64(0.0)
        for i in range(k + 2, n):
            below += hr[at + i * n + k] * hr[at + i * n + k] + hi[at + i * n + k] * hi[at + i * n + k]
        if below > 0.0:
            first_r = hr[at + (k + 1) * n + k]
            first_i = hi[at + (k + 1) * n + k]
            size = sqrt(first_r * first_r + first_i * first_i)
            length = sqrt(size * size + below)
            phase_r = first_r / size if size > 0.0 else f64(1.0)
            phase_i = first_i / size if size > 0.0 else f64(0.0)
            for i in range(n):
                vr[i] = hr[at + i * n + k] if i > k + 1 else 0.0
                vi[i] = hi[at + i * n + k] if i > k + 1 else 0.0
            vr[k + 1] = first_r + phase_r * length
            vi[k + 1] = first_i + phase_i * length
            factor = 1.0 / (length * (length + size))
            for j in range(n):
                vr[n + j] = 0.0
                vi[n + j] = 0.0
            for i in range(k + 1, n):
                for j in range(n):
                    vr[n + j] += vr[i] * hr[at + i * n + j] + vi[i] * hi[at + i * n + j]
                    vi[n + j] += vr[i] * hi[at + i * n + j] - vi[i] * hr[at + i * n + j]
            for i in range(k + 1, n):
                x = factor * vr[i]
                y = factor * vi[i]
                for j in range(n):
                    hr[at + i * n + j] -= x * vr[n + j] - y * vi[n + j]
                    hi[at + i * n + j] -= x * vi[n + j] + y * vr[n + j]
            for i in range(n):
                x = f64(0.0)
                y = f64(0.0)
                for j in range(k + 1, n):
                    x += hr[at + i * n + j] * vr[j] - hi[at + i * n + j] * vi[j]
                    y += hr[at + i * n + j] * vi[j] + hi[at + i * n + j] * vr[j]
                x = x * factor
                y = y * factor
                for j in range(k + 1, n):
                    hr[at + i * n + j] -= x * vr[j] + y * vi[j]
                    hi[at + i * n + j] -= y * vr[j] - x * vi[j]
            for j in range(n):
                vr[n + j] = 0.0
                vi[n + j] = 0.0
            for i in range(k + 1, n):
                for j in range(n):
                    vr[n + j] += vr[i] * wr[at + i * n + j] - vi[i] * wi[at + i * n + j]
                    vi[n + j] += vr[i] * wi[at + i * n + j] + vi[i] * wr[at + i * n + j]
            for i in range(k + 1, n):
                x = factor * vr[i]
                y = factor * vi[i]
                for j in range(n):
                    wr[at + i * n + j] -= x * vr[n + j] + y * vi[n + j]
                    wi[at + i * n + j] -= x * vi[n + j] - y * vr[n + j]
            for i in range(k + 2, n):
                hr[at + i * n + k] = 0.0
                hi[at + i * n + k] = 0.0
    return 0


def shift(hr: Array, hi: Array, found: Array, at: int, u: int, turn: int, *, n: int) -> int:
    """The eigenvalue of the last two rows that is nearer to their last element; now and then something else, which ends cycles."""
    last = at + u * n + u
    over = last - n
    if turn % 10 == 0:
        found[0] = hr[last] + abs(hr[last - 1]) + abs(hi[last - 1])
        found[1] = hi[last]
        return 0
    half_r = 0.5 * (hr[over - 1] - hr[last])
    half_i = 0.5 * (hi[over - 1] - hi[last])
    product_r = hr[over] * hr[last - 1] - hi[over] * hi[last - 1]
    product_i = hr[over] * hi[last - 1] + hi[over] * hr[last - 1]
    square_r = half_r * half_r - half_i * half_i + product_r
    square_i = 2.0 * half_r * half_i + product_i
    size = sqrt(square_r * square_r + square_i * square_i)
    root_r = sqrt(max(0.5 * (size + square_r), 0.0))
    root_i = sqrt(max(0.5 * (size - square_r), 0.0))
    if square_i < 0.0:
        root_i = -root_i
    if half_r * root_r + half_i * root_i < 0.0:
        root_r = -root_r
        root_i = -root_i
    root_r += half_r
    root_i += half_i
    size = root_r * root_r + root_i * root_i
    found[0] = hr[last]
    found[1] = hi[last]
    if size > 0.0:
        found[0] -= (product_r * root_r + product_i * root_i) / size
        found[1] -= (product_i * root_r - product_r * root_i) / size
    return 0


def qr_step(hr: Array, hi: Array, wr: Array, wi: Array, turns: Array, at: int, l: int, u: int, *, n: int) -> int:
    """Rows l to u less the shift (in `turns`) as a product of turns and a triangle, then the triangle times these; the basis turns too."""
    shift_r = turns[0]
    shift_i = turns[1]
    for i in range(l, u + 1):
        hr[at + i * n + i] -= shift_r
        hi[at + i * n + i] -= shift_i
    for k in range(l, u):
        top = at + k * n
        low = top + n
        fr = hr[top + k]
        fi = hi[top + k]
        gr = hr[low + k]
        gi = hi[low + k]
        size = fr * fr + fi * fi
        length = sqrt(size + gr * gr + gi * gi)
        size = sqrt(size)
        phase_r = fr / size if size > 0.0 else f64(1.0)
        phase_i = fi / size if size > 0.0 else f64(0.0)
        inverse = 1.0 / length if length > 0.0 else f64(0.0)
        c = size * inverse if length > 0.0 else f64(1.0)
        sr = (phase_r * gr + phase_i * gi) * inverse
        si = (phase_i * gr - phase_r * gi) * inverse
        turns[2 + 3 * k] = c
        turns[3 + 3 * k] = sr
        turns[4 + 3 * k] = si
        for j in range(n):
            xr = hr[top + j]
            xi = hi[top + j]
            yr = hr[low + j]
            yi = hi[low + j]
            hr[top + j] = c * xr + sr * yr - si * yi
            hi[top + j] = c * xi + sr * yi + si * yr
            hr[low + j] = c * yr - sr * xr - si * xi
            hi[low + j] = c * yi - sr * xi + si * xr
        hr[low + k] = 0.0
        hi[low + k] = 0.0
        for j in range(n):
            xr = wr[top + j]
            xi = wi[top + j]
            yr = wr[low + j]
            yi = wi[low + j]
            wr[top + j] = c * xr + sr * yr + si * yi
            wi[top + j] = c * xi + sr * yi - si * yr
            wr[low + j] = c * yr - sr * xr + si * xi
            wi[low + j] = c * yi - sr * xi - si * xr
    for k in range(l, u):
        c = turns[2 + 3 * k]
        sr = turns[3 + 3 * k]
        si = turns[4 + 3 * k]
        for i in range(k + 2):
            place = at + i * n + k
            xr = hr[place]
            xi = hi[place]
            yr = hr[place + 1]
            yi = hi[place + 1]
            hr[place] = c * xr + sr * yr + si * yi
            hi[place] = c * xi + sr * yi - si * yr
            hr[place + 1] = c * yr - sr * xr + si * xi
            hi[place + 1] = c * yi - sr * xi - si * xr
    for i in range(l, u + 1):
        hr[at + i * n + i] += shift_r
        hi[at + i * n + i] += shift_i
    return 0


def to_triangle(hr: Array, hi: Array, wr: Array, wi: Array, turns: Array, at: int, *, n: int) -> int:
    """The matrix becomes a triangle; 1 where it does not."""
    u = n - 1
    steps = 0
    while u > 0:
        l = u
        while l > 0:
            place = at + l * n + l
            beside = abs(hr[place]) + abs(hi[place]) + abs(hr[place - n - 1]) + abs(hi[place - n - 1])
            if abs(hr[place - 1]) + abs(hi[place - 1]) <= _EPS * beside:
                hr[place - 1] = 0.0
                hi[place - 1] = 0.0
                break
            l -= 1
        if l == u:
            u -= 1
            steps = 0
        else:
            steps += 1
            if steps > _STEPS:
                return 1
            shift(hr, hi, turns, at, u, steps, n=n)
            qr_step(hr, hi, wr, wi, turns, at, l, u, n=n)
    return 0


def vectors(hr: Array, hi: Array, wr: Array, wi: Array, vr: Array, vi: Array, out: Array, at: int, *, n: int) -> int:
    """The triangle's eigenvectors, in the basis, of length 1, their largest elements real, as columns; `out`: real and imaginary parts."""
    largest = f64(0.0)
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(hr[at + i * n + j]) + abs(hi[at + i * n + j]))
    least = max(_EPS * largest, 1e-290)
    for k in range(n):
        own_r = hr[at + k * n + k]
        own_i = hi[at + k * n + k]
        vr[k] = 1.0
        vi[k] = 0.0
        for j in range(n):
            vr[n + j] = wr[at + k * n + j]
            vi[n + j] = wi[at + k * n + j]
        i = k - 1
        while i >= 0:
            xr = -hr[at + i * n + k]
            xi = -hi[at + i * n + k]
            for j in range(i + 1, k):
                xr -= hr[at + i * n + j] * vr[j] - hi[at + i * n + j] * vi[j]
                xi -= hr[at + i * n + j] * vi[j] + hi[at + i * n + j] * vr[j]
            yr = hr[at + i * n + i] - own_r
            yi = hi[at + i * n + i] - own_i
            if abs(yr) + abs(yi) < least:
                yr = least
                yi = 0.0
            size = 1.0 / (yr * yr + yi * yi)
            vr[i] = (xr * yr + xi * yi) * size
            vi[i] = (xi * yr - xr * yi) * size
            for j in range(n):
                vr[n + j] += vr[i] * wr[at + i * n + j] - vi[i] * wi[at + i * n + j]
                vi[n + j] += vr[i] * wi[at + i * n + j] + vi[i] * wr[at + i * n + j]
            i -= 1
        total = f64(0.0)
        longest = f64(0.0)
        place = n
        for j in range(n):
            square = vr[n + j] * vr[n + j] + vi[n + j] * vi[n + j]
            total += square
            if square > longest:
                longest = square
                place = n + j
        size = 1.0 / sqrt(total * longest)
        xr = vr[place] * size
        xi = vi[place] * size
        for j in range(n):
            out[2 * (at + j * n + k)] = vr[n + j] * xr + vi[n + j] * xi
            out[2 * (at + j * n + k) + 1] = vi[n + j] * xr - vr[n + j] * xi
        out[2 * (at + (place - n) * n + k) + 1] = 0.0
    return 0


def decompose_general(
    hr: Array, hi: Array, wr: Array, wi: Array, values: Array, out: Array, work: Array, more: Array, turns: Array, count: int, *, n: int
) -> int:
    """The eigenvalues and eigenvectors of `count` matrices, which become triangles; how many of them did not."""
    failed = 0
    for number in range(count):
        at = number * n * n
        to_hessenberg(hr, hi, wr, wi, work, more, at, n=n)
        failed += to_triangle(hr, hi, wr, wi, turns, at, n=n)
        vectors(hr, hi, wr, wi, work, more, out, at, n=n)
        for i in range(n):
            values[2 * (number * n + i)] = hr[at + i * n + i]
            values[2 * (number * n + i) + 1] = hi[at + i * n + i]
    return failed
