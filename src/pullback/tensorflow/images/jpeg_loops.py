"""JPEG files of the plain kind (ITU T.81: baseline, Huffman codes, one scan, no restarts) read by loops, all of them or a window.

The window's blocks alone are transformed and coloured; what comes before it in the file is read for its codes only.  Every step has the
integers of libjpeg's accurate way, so that the pixels are those that Pillow gives: the inverse transform of Loeffler, Ligtenberg and
Moschytz (1989) with 13 bits of fraction, triangular upsampling of chroma, colours with 16 bits.  Another kind of file, or one with a
fault, or with coefficients that no picture has, is for Pillow.

A Huffman table is a run of `TABLE` integers: what the next `AHEAD` bits mean (a packed entry, 0 for a longer code); from `LAST` on, the
last code of each length; from `SHIFT` on, what makes a code of that length an index of the values, which stand from `VALUES` on.  An entry
has the bits taken (5 bits), zeros before (4), bits still to be read (4), whether the block ends (1), and from bit 16 on a coefficient whose
own bits were among the next ones.
"""

from __future__ import annotations

from ...kernels.loops import Array, unrolled

AHEAD = 10
LAST, SHIFT, VALUES, TABLE = 1024, 1042, 1060, 1316
_END = 1 << 13
PAD = 512
LARGE = 2048  # beyond what coefficients of pictures are


def entry_of(symbol: int, length: int) -> int:
    """The entry of a code without a coefficient; no coefficient but for a run of 16 zeros is the end of a block."""
    if symbol & 15 == 0:
        return length | (15 << 5) if symbol == 240 else length | _END
    return length | ((symbol >> 4) << 5) | ((symbol & 15) << 9)


def extended(bits: int, size: int) -> int:
    """A coefficient from its bits."""
    return bits if bits >= 1 << (size - 1) else bits - (1 << size) + 1


def build(counts: Array, values: Array, table: Array, start: int, is_dc: int) -> int:
    """Fill a Huffman table from the number of codes of each length and their values; -1 where they are too many."""
    for i in range(1 << AHEAD):
        table[start + i] = 0
    code = 0
    at = 0
    for length in range(1, 17):
        table[start + SHIFT + length] = at - code
        for _ in range(counts[length - 1]):
            symbol = int(values[at])
            if is_dc and symbol > 11:
                return -1
            table[start + VALUES + at] = symbol
            if length <= AHEAD:
                if code >> length > 0:
                    return -1
                rest = AHEAD - length
                for more in range(1 << rest):
                    place = start + (code << rest) + more
                    if is_dc:
                        table[place] = length | (symbol << 9)
                    else:
                        size = symbol & 15
                        if 0 < size <= rest:
                            value = extended((more >> (rest - size)) & ((1 << size) - 1), size)
                            table[place] = (length + size) | ((symbol >> 4) << 5) | (value << 16)
                        else:
                            table[place] = entry_of(symbol, length)
            code += 1
            at += 1
        table[start + LAST + length] = code - 1
        if code > 1 << length:
            return -1
        code = code << 1
    return 0


def long_code(table: Array, start: int, word: int, is_dc: int) -> int:
    """The entry of a code of more bits than `AHEAD` that 16 bits begin with; 0 where there is none."""
    for length in range(AHEAD + 1, 17):
        code = word >> (16 - length)
        if code <= table[start + LAST + length]:
            symbol = int(table[start + VALUES + ((code + int(table[start + SHIFT + length])) & 255)])
            return length | (symbol << 9) if is_dc else entry_of(symbol, length)
    return 0


def transform(coefficients: Array, work: Array, plane: Array, to: int, step: int) -> int:
    """The inverse transform of a block, written into a plane whose lines are `step` long."""
    for c in range(8):
        one_line(coefficients, c, 8, work, c, 8, shift=11)
    for r in range(8):
        one_line(work, 8 * r, 1, coefficients, 8 * r, 1, shift=18)
    for r in range(8):
        for c in range(8):
            plane[to + r * step + c] = min(max(int(coefficients[8 * r + c]) + 128, 0), 255)
    return 0


def one_line(x: Array, at: int, by: int, out: Array, to: int, along: int, *, shift: int) -> int:
    """The transform of eight numbers, rounded to fewer bits."""
    z2 = int(x[at + 2 * by])
    z3 = int(x[at + 6 * by])
    z1 = (z2 + z3) * 4433
    even2 = z1 - z3 * 15137
    even3 = z1 + z2 * 6270
    even0 = (int(x[at]) + int(x[at + 4 * by])) << 13
    even1 = (int(x[at]) - int(x[at + 4 * by])) << 13
    half = 1 << (shift - 1)
    p0, p3 = even0 + even3 + half, even0 - even3 + half
    p1, p2 = even1 + even2 + half, even1 - even2 + half
    o0, o1, o2, o3 = int(x[at + 7 * by]), int(x[at + 5 * by]), int(x[at + 3 * by]), int(x[at + by])
    turn = (o0 + o2 + o1 + o3) * 9633
    a, b = (o0 + o3) * 7373, (o1 + o2) * 20995
    c, d = turn - (o0 + o2) * 16069, turn - (o1 + o3) * 3196
    o0 = o0 * 2446 - a + c
    o1 = o1 * 16819 - b + d
    o2 = o2 * 25172 - b + c
    o3 = o3 * 12299 - a + d
    out[to] = (p0 + o3) >> shift
    out[to + along] = (p1 + o2) >> shift
    out[to + 2 * along] = (p2 + o1) >> shift
    out[to + 3 * along] = (p3 + o0) >> shift
    out[to + 4 * along] = (p3 - o0) >> shift
    out[to + 5 * along] = (p2 - o1) >> shift
    out[to + 6 * along] = (p1 - o2) >> shift
    out[to + 7 * along] = (p0 - o3) >> shift
    return 0


def squeeze(data: Array, start: int, end: int, marks: Array, count: int, out: Array) -> int:
    """A scan without the zeros that stand after bytes of 255, which `marks` places; its size, or -1 where there is another marker.

    After it come so many zeros as a block may read too far.
    """
    to = 0
    at = start
    for i in range(count):
        place = start + marks[i]
        if place + 1 >= end or data[place + 1] > 0:
            return -1
        for j in range(place + 1 - at):
            out[to + j] = data[at + j]
        to += place + 1 - at
        at = place + 2
    for j in range(end - at):
        out[to + j] = data[at + j]
    to += end - at
    for j in range(PAD):
        out[to + j] = 0
    return to


def word(data: Array, at: int) -> int:
    """Four bytes as one number, the first the highest."""
    return (int(data[at]) << 24) | (int(data[at + 1]) << 16) | (int(data[at + 2]) << 8) | int(data[at + 3])


def decode(
    data: Array, size: int, tables: Array, quantisers: Array, zigzag: Array, frame: Array, coefficients: Array, work: Array,
    planes: Array, state: Array, across: int, first_row: int, last_row: int, first_column: int, last_column: int, count: int,
) -> int:
    """Read the units of a scan up to `last_row`, and transform those of a window into planes; -1 for a fault.

    frame: eight numbers for each of so many components: blocks across and down in a unit, tables of DC and AC, quantiser, where its plane
    starts and how long its lines are.  state: the DC coefficient before, by component.
    """
    for component in range(count):
        state[component] = 0
    buffer = 0
    held = 0
    at = 0
    for row in range(last_row + 1):
        for column in range(across):
            is_seen = int(row >= first_row) & int(column >= first_column) & int(column <= last_column)
            for component in range(count):
                f = 8 * component
                dc = int(frame[f + 2])
                ac = int(frame[f + 3])
                quantiser = int(frame[f + 4])
                for block in range(frame[f] * frame[f + 1]):
                    if at > size + 8:
                        return -1
                    if is_seen:
                        for k in range(64):
                            coefficients[k] = 0
                    if held < 32:
                        buffer = (buffer << 32) | word(data, at)
                        at += 4
                        held += 32
                    entry = int(tables[dc + ((buffer >> (held - AHEAD)) & 1023)])
                    if entry == 0:
                        entry = long_code(tables, dc, (buffer >> (held - 16)) & 65535, 1)
                        if entry == 0:
                            return -1
                    bits = (entry >> 9) & 15
                    held -= entry & 31
                    if bits > 0:
                        held -= bits
                        state[component] += extended((buffer >> held) & ((1 << bits) - 1), bits)
                    last = 0
                    k = 1
                    while k < 64:
                        if held < 32:
                            buffer = (buffer << 32) | word(data, at)
                            at += 4
                            held += 32
                        entry = int(tables[ac + ((buffer >> (held - AHEAD)) & 1023)])
                        if entry == 0:
                            entry = long_code(tables, ac, (buffer >> (held - 16)) & 65535, 0)
                            if entry == 0:
                                return -1
                        held -= entry & 31
                        if entry & _END:
                            break
                        k += (entry >> 5) & 15
                        value = entry >> 16
                        bits = (entry >> 9) & 15
                        if bits > 0:
                            held -= bits
                            value = extended((buffer >> held) & ((1 << bits) - 1), bits)
                        value = value * int(quantisers[quantiser + k])
                        if k > 63 or (value + LARGE) >> 12 != 0:
                            return -1
                        coefficients[zigzag[k]] = value
                        last = k
                        k += 1
                    level = int(state[component]) * int(quantisers[quantiser])
                    if (level + LARGE) >> 12 != 0:
                        return -1
                    if is_seen:
                        step = int(frame[f + 6])
                        line = (row - first_row) * int(frame[f + 1]) + block // int(frame[f])
                        place = (column - first_column) * int(frame[f]) + block % int(frame[f])
                        to = int(frame[f + 5]) + 8 * (line * step + place)
                        if last == 0:
                            flat = min(max(((level * 4 + 16) >> 5) + 128, 0), 255)
                            for r in range(8):
                                for c in unrolled(8):
                                    planes[to + r * step + c] = flat
                        else:
                            coefficients[0] = level
                            transform(coefficients, work, planes, to, step)
    return -1 if 8 * at - held > 8 * size else 0


def colour(
    planes: Array, out: Array, frame: Array, sums: Array, blue: Array, red: Array, first_row: int, first_column: int,
    top: int, left: int, height: int, width: int, chroma_height: int, chroma_width: int, *, wide: int, high: int,
) -> int:
    """The colours of a window.  wide, high: 2 where chroma has half the columns, half the rows; sums, blue, red: room for a line."""
    for i in range(height):
        y = top + i
        upsample(planes, int(frame[13]), int(frame[14]), sums, blue, y, first_row, first_column, left, width,
                 chroma_height, chroma_width, wide=wide, high=high)
        upsample(planes, int(frame[21]), int(frame[22]), sums, red, y, first_row, first_column, left, width,
                 chroma_height, chroma_width, wide=wide, high=high)
        line = int(frame[5]) + (y - 8 * high * first_row) * int(frame[6]) + left - 8 * wide * first_column
        skipped = left % wide
        for j in range(width):
            luma = int(planes[line + j])
            b = int(blue[j + skipped]) - 128
            r = int(red[j + skipped]) - 128
            to = 3 * (i * width + j)
            out[to] = min(max(luma + ((91881 * r + 32768) >> 16), 0), 255)
            out[to + 1] = min(max(luma + ((32768 - 22554 * b - 46802 * r) >> 16), 0), 255)
            out[to + 2] = min(max(luma + ((116130 * b + 32768) >> 16), 0), 255)
    return 0


def upsample(
    planes: Array, start: int, step: int, sums: Array, out: Array, y: int, first_row: int, first_column: int, left: int, width: int,
    chroma_height: int, chroma_width: int, *, wide: int, high: int,
) -> int:
    """A line of chroma at full width: each number is three parts of the nearest and one of the next nearest, down and across."""
    row = y // high
    near = row
    if high == 2:
        near = min(row + 1, chroma_height - 1) if y % 2 else max(row - 1, 0)
    line = start + (row - 8 * first_row) * step - 8 * first_column
    other = start + (near - 8 * first_row) * step - 8 * first_column
    first = left // wide
    last = (left + width - 1) // wide
    if wide == 1:
        for x in range(first, last + 1):
            out[x - first] = planes[line + x]
        return 0
    low = max(first - 1, 0)
    up = min(last + 1, chroma_width - 1)
    for x in range(low, up + 1):
        sums[x - first + 1] = 3 * int(planes[line + x]) + int(planes[other + x]) if high == 2 else int(planes[line + x])
    if low == first:
        sums[0] = sums[1]
    if up == last:
        sums[last - first + 2] = sums[last - first + 1]
    for x in range(last - first + 1):
        this = 3 * int(sums[x + 1])
        if high == 2:
            out[2 * x] = (this + int(sums[x]) + 8) >> 4
            out[2 * x + 1] = (this + int(sums[x + 2]) + 7) >> 4
        else:
            out[2 * x] = (this + int(sums[x]) + 1) >> 2
            out[2 * x + 1] = (this + int(sums[x + 2]) + 2) >> 2
    return 0
