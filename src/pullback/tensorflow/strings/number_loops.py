"""Numbers written and read one by one, for the engine, where that is exact in the integers of a processor.

A float with so many digits after its point: the float is m 2^e with whole m, so m 10^digits 2^e, rounded to a whole number (halves to
the even one, as C's printf), has the digits.  A number read: its digits as a whole number below 2^53, times or by a power of ten up to
10^22, are two exact floats, whose product or quotient is rounded once (W. Clinger, How to read floating point numbers accurately, 1990).
"""

from __future__ import annotations

import numpy as np

from ...kernels.loops import Bytes, Double, Floats, Ints, Word, Words, bits, f64, high_zeros, print_number, to_uint128, word

_TENS = np.array([10**k for k in range(20)], np.uint64)
_FLOAT_TENS = np.array([10.0**k for k in range(23)], np.float64)
_PAIRS = "".join(f"{n:02d}" for n in range(100)).encode()
_SIGN = np.uint64(1 << 63)
_INFINITY = np.uint64(0x7FF << 52)
#: What stands in the place of a number's digits.
INFINITE, NOT_A_NUMBER = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0xFFFFFFFFFFFFFFFE)
MOST_DIGITS = 15


def _width(x: Word) -> int:
    """How many digits a whole number has."""
    x |= 1
    guess: int = ((64 - high_zeros(x)) * 1233) >> 12
    return guess + int(x >= _TENS[guess])


def _write(out: Bytes, end: int, x: Word) -> None:
    """The digits of a whole number, up to a place."""
    while x >= 100:
        pair = int(x % 100) * 2
        x = x // 100
        end -= 2
        out[end] = _PAIRS[pair]
        out[end + 1] = _PAIRS[pair + 1]
    if x >= 10:
        out[end - 2] = _PAIRS[int(x) * 2]
        out[end - 1] = _PAIRS[int(x) * 2 + 1]
    else:
        out[end - 1] = int(x) + 48


def whole_widths(x: Ints, count: int, starts: Ints) -> None:
    """Where the numbers begin when they are written one behind another."""
    total = 0
    starts[0] = 0
    for i in range(count):
        total += _width(word(abs(x[i]))) + int(x[i] < 0)
        starts[i + 1] = total


def write_whole(x: Ints, count: int, starts: Ints, out: Bytes) -> None:
    """Whole numbers."""
    for i in range(count):
        if x[i] < 0:
            out[starts[i]] = 45
        _write(out, starts[i + 1], word(abs(x[i])))


def _scale_number(x: Double, digits: int) -> Word:
    """The nearest whole number to |x| 10^digits, which is less than 2^63."""
    pattern = bits(x) & ~_SIGN
    exponent = int(pattern >> 52)
    m = pattern & 0xFFFFFFFFFFFFF
    if exponent == 0:
        exponent = 1
    else:
        m |= 0x10000000000000
    exponent -= 1075
    product = to_uint128(m) * to_uint128(_TENS[digits])
    if exponent >= 0:
        return word(product << to_uint128(word(exponent)))
    if exponent <= -128:
        return word(0)
    shift = to_uint128(word(-exponent))
    found = product >> shift
    rest = product - (found << shift)
    half = to_uint128(word(1)) << (shift - 1)
    if rest > half or (rest == half and (word(found) & 1) == 1):
        found += 1
    return word(found)


def round_to_digits(x: Floats, count: int, digits: int, limit: Double, scaled: Words, starts: Ints) -> bool:
    """Numbers times 10^digits, rounded, and where each begins when they are written one behind another; whether all are below the limit."""
    total = 0
    starts[0] = 0
    for i in range(count):
        size = abs(x[i])
        negative = int((bits(x[i]) & _SIGN) != 0)
        if bits(size) > _INFINITY:
            scaled[i] = NOT_A_NUMBER
            total += 3 + negative
        elif bits(size) == _INFINITY:
            scaled[i] = INFINITE
            total += 3 + negative
        elif size < limit:
            found = _scale_number(x[i], digits)
            scaled[i] = found
            total += max(_width(found), digits + 1) + int(digits > 0) + negative
        else:
            return False
        starts[i + 1] = total
    return True


def write_fixed(x: Floats, scaled: Words, count: int, digits: int, starts: Ints, out: Bytes) -> None:
    """The numbers, which `round_to_digits` has scaled."""
    power = _TENS[digits]
    for i in range(count):
        at = starts[i]
        end = starts[i + 1]
        found = scaled[i]
        if (bits(x[i]) & _SIGN) != 0:
            out[at] = 45
            at += 1
        if found == NOT_A_NUMBER:
            out[at] = 110
            out[at + 1] = 97
            out[at + 2] = 110
            continue
        if found == INFINITE:
            out[at] = 105
            out[at + 1] = 110
            out[at + 2] = 102
            continue
        if digits > 0:
            whole = found // power
            rest = found - whole * power
            _write(out, end, rest + power)
            out[end - digits - 1] = 46
            _write(out, end - digits - 1, whole)
        else:
            _write(out, end, found)


def _decimal(x: Double, significant: int) -> tuple[Word, int]:
    """The digits of |x| and the power of ten of the first; no digits where they are not to be had in so narrow integers."""
    power = ((int((bits(x) & ~_SIGN) >> 52) - 1023) * 1233 >> 12) + 1
    least = significant - 20
    if power <= least or power >= significant or significant > 17:
        return word(0), 0
    found = _scale_number(x, significant - 1 - power)
    if found <= _TENS[significant - 1]:  # if equal, perhaps only rounded up to it
        power -= 1
        found = _scale_number(x, significant - 1 - power)
        if found >= _TENS[significant]:
            return _TENS[significant - 1], power + 1
    return found, power


def _write_scientific(out: Bytes, at: int, found: Word, digits: int, power: int) -> int:
    """So many digits, a point after the first, and a power of ten of two digits; where that ends."""
    if digits > 1:
        _write(out, at + digits + 1, found)
        out[at] = out[at + 1]
        out[at + 1] = 46
        at += digits + 1
    else:
        _write(out, at + 1, found)
        at += 1
    out[at] = 101
    out[at + 1] = 43 if power >= 0 else 45
    out[at + 2] = 48
    _write(out, at + 4, word(abs(power)))
    return at + 4


def _write_shortest(out: Bytes, at: int, found: Word, digits: int, power: int) -> int:
    """The same without zeros at the end, and without a power of ten if it is small."""
    significant = digits
    while digits > 1 and found % 10 == 0:
        found = found // 10
        digits -= 1
    if power < -4 or power >= significant:
        last: int = _write_scientific(out, at, found, digits, power)
        return last
    if power < 0:
        for place in range(at, at + 1 - power):
            out[place] = 48
        out[at + 1] = 46
        at += 1 - power + digits
        _write(out, at, found)
        return at
    end: int = at + digits
    if digits <= power + 1:
        _write(out, end, found)
        for place in range(end, at + power + 1):
            out[place] = 48
        return at + power + 1
    _write(out, end + 1, found)
    for place in range(at, at + power + 1):
        out[place] = out[place + 1]
    out[at + power + 1] = 46
    return end + 1


def print_floats(
    x: Floats, first: int, count: int, form: Bytes, significant: int, shortest: bool, room: int, starts: Ints, out: Bytes
) -> int:
    """Numbers from the first on as C's printf writes them; the one for which there was no room, or -1 where that fails.

    significant: how many digits scientific or shortest notation without a width has, 0 for another.
    """
    at = starts[first]
    for i in range(first, count):
        if significant > 0 and room - at > significant + 12:
            found, power = _decimal(x[i], significant)
            if found > 0:
                if (bits(x[i]) & _SIGN) != 0:
                    out[at] = 45
                    at += 1
                if shortest:
                    at = _write_shortest(out, at, found, significant, power)
                else:
                    at = _write_scientific(out, at, found, significant, power)
                starts[i + 1] = at
                continue
        size = print_number(out, at, room - at, form, x[i])
        if size < 0:
            return -1
        if size >= room - at:
            return i
        at += size
        starts[i + 1] = at
    return count


def _is_space(c: int) -> bool:
    return c == 32 or (c >= 9 and c <= 13)


def read_whole(data: Bytes, starts: Ints, count: int, least: int, most: int, found: Ints) -> bool:
    """Whole numbers of up to 18 digits with white space around them; whether all are such, and in range."""
    for i in range(count):
        at = starts[i]
        end = starts[i + 1]
        while at < end and _is_space(data[at]):
            at += 1
        while at < end and _is_space(data[end - 1]):
            end -= 1
        negative = at < end and data[at] == 45
        if at < end and (negative or data[at] == 43):
            at += 1
        if at >= end or end - at > 18 or (negative and least == 0):
            return False
        n = 0
        while at < end:
            digit = data[at] - 48
            if digit < 0 or digit > 9:
                return False
            n = n * 10 + digit
            at += 1
        if negative:
            n = -n
        if n < least or n > most:
            return False
        found[i] = n
    return True


def read_floats(data: Bytes, starts: Ints, count: int, found: Floats, unsure: Ints) -> int:
    """Decimal numbers that are easily read; how many are not, and which."""
    left = 0
    for i in range(count):
        at = starts[i]
        end = starts[i + 1]
        while at < end and _is_space(data[at]):
            at += 1
        while at < end and _is_space(data[end - 1]):
            end -= 1
        negative = at < end and data[at] == 45
        if at < end and (negative or data[at] == 43):
            at += 1
        m = word(0)
        first = at
        point = -1
        while at < end:
            c = data[at]
            if c >= 48 and c <= 57:
                m = m * 10 + word(c - 48)
            elif c == 46 and point < 0:
                point = at
            else:
                break
            at += 1
        digits = at - first - int(point >= 0)
        power = 0 if point < 0 else point + 1 - at
        good = digits > 0 and digits <= 18 and m < 0x20000000000000
        if good and at < end and (data[at] | 32) == 101:
            at += 1
            down = at < end and data[at] == 45
            if at < end and (down or data[at] == 43):
                at += 1
            good = at < end and end - at <= 4
            exponent = 0
            while at < end and data[at] >= 48 and data[at] <= 57:
                exponent = exponent * 10 + data[at] - 48
                at += 1
            power += -exponent if down else exponent
        if good and at == end and power >= -22 and power <= 22:
            x = f64(m)
            if power < 0:
                x = x / _FLOAT_TENS[-power]
            else:
                x = x * _FLOAT_TENS[power]
            found[i] = -x if negative else x
        else:
            unsure[left] = i
            left += 1
    return left
