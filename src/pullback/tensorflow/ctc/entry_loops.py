"""Plain loops of the decoders, which run natively where they can (`kernels.native_loops`): frames one after another, beams kept in order.

All arrays are flat; logits are [frames, batch, classes], logarithms of probabilities [frames, classes].
"""

from __future__ import annotations

from ...kernels.loops import Array, bits, exp, log1p

#: Numbers that a beam is: its parent, its label, its first child, the next child of its parent.
NODE = 4


def decode_greedily(
    indices: Array, values: Array, scores: Array, longest: Array, keys: Array, x: Array, lengths: Array, frames: int, batch: int,
    classes: int, *, blank: int, merge: int,
) -> int:  # fmt: skip
    """The best class of each frame, the first of several, without blanks and where `merge` without what repeats; returns how many are left.

    x: of single precision.  keys: room for the classes of a frame: numbers in their order as integers, NaN above all.
    """
    count = 0
    most = 0
    for b in range(batch):
        column = 0
        previous = -1
        for t in range(lengths[b]):
            at = (t * batch + b) * classes
            top = -2147483648
            for c in range(classes):
                v = x[at + c]
                code = bits(v + 0.0)
                key = code ^ ((code >> 31) & 2147483647)
                key = 2147483647 if v != v else key  # noqa: PLR0124  # NaN
                keys[c] = key
                top = max(top, key)
            best = classes
            for c in range(classes):
                best = min(best, c if keys[c] == top else classes)
            scores[b] = scores[b] - x[at + best]
            if best != blank and not (merge and best == previous):
                indices[2 * count] = b
                indices[2 * count + 1] = column
                values[count] = best
                count += 1
                column += 1
            previous = best
        most = max(most, column)
    longest[0] = most
    return count


def search(
    paths: Array, ends: Array, scores: Array, nodes: Array, now: Array, before: Array, leaves: Array, beams: Array, order: Array,
    logp: Array, frames: int, classes: int, width: int, kept: int, longest: int, room: int, *, merge: int,
) -> int:  # fmt: skip
    """The beam search of `decoders` for one example: writes the `kept` best paths and their scores, and returns how many beams there are.

    nodes [room, NODE]; now, before: logarithms of the probabilities of each beam, of ending in a blank, in its label, and of either;
    leaves, beams, order: room for the numbers of `width` beams and one more.  paths [kept, longest], of which `ends` are used.
    -1 where the nodes do not suffice.
    """
    never = now[0]  # minus infinity
    nodes[0] = -1
    nodes[1] = -1
    nodes[2] = -1
    nodes[3] = -1
    now[0] = 0.0
    now[1] = never
    now[2] = 0.0
    known = 1
    leaves[0] = 0
    count = 1
    last = classes - 1
    for t in range(frames):
        held = count
        for i in range(held):
            beams[i] = leaves[i]
            at = 3 * leaves[i]
            before[at] = now[at]
            before[at + 1] = now[at + 1]
            before[at + 2] = now[at + 2]
        count = 0
        row = t * classes
        for i in range(held):
            beam = beams[i]
            at = 3 * beam
            parent = nodes[4 * beam]
            own = nodes[4 * beam + 1]
            label = never
            if parent >= 0:
                label = now[at + 1]
                if now[3 * parent + 2] != never:
                    other = before[3 * parent] if own == nodes[4 * parent + 1] else before[3 * parent + 2]
                    top = max(label, other)
                    low = min(label, other)
                    if top != never:
                        label = top + log1p(exp(low - top))
                label = label + logp[row + own]
            blank = before[at + 2] + logp[row + last]
            now[at] = blank
            now[at + 1] = label
            top = max(blank, label)
            low = min(blank, label)
            now[at + 2] = top + log1p(exp(low - top)) if top != never else never
        for i in range(held):
            count = push_beam(leaves, now, beams[i], count, width, never)
        # the beams by what they were before, the best first, equal ones as they stand
        for i in range(held):
            j = i
            while j > 0 and before[3 * order[j - 1] + 2] < before[3 * beams[i] + 2]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = beams[i]
        for i in range(held):
            beam = order[i]
            total = before[3 * beam + 2]
            worst = now[3 * leaves[count - 1] + 2] if count >= width else never
            if not total > worst:
                continue
            own = nodes[4 * beam + 1]
            child = nodes[4 * beam + 2]
            link = -1
            for c in range(last):
                entry = before[3 * beam] + logp[row + c] if c == own else total + logp[row + c]
                if child >= 0 and nodes[4 * child + 1] == c:
                    mine = child
                    link = child
                    child = nodes[4 * child + 3]
                elif entry > worst:
                    if known == room:
                        return -1
                    mine = known
                    known += 1
                    nodes[4 * mine] = beam
                    nodes[4 * mine + 1] = c
                    nodes[4 * mine + 2] = -1
                    nodes[4 * mine + 3] = child
                    now[3 * mine + 2] = never
                    if link < 0:
                        nodes[4 * beam + 2] = mine
                    else:
                        nodes[4 * link + 3] = mine
                    link = mine
                else:
                    continue
                if now[3 * mine + 2] != never:
                    continue
                if entry > worst:
                    now[3 * mine] = never
                    now[3 * mine + 1] = entry
                    now[3 * mine + 2] = entry
                    count = push_beam(leaves, now, mine, count, width, never)
                    worst = now[3 * leaves[count - 1] + 2] if count >= width else never
                else:
                    before[3 * mine] = never
                    before[3 * mine + 1] = never
                    before[3 * mine + 2] = never
    for k in range(min(kept, count)):
        for turn in range(2):  # how long the path is, then the path
            length = 0
            previous = -1
            node = leaves[k]
            while nodes[4 * node] >= 0:
                label_here = nodes[4 * node + 1]
                if not merge or label_here != previous:
                    length += 1
                    if turn == 1:
                        paths[k * longest + ends[k] - length] = label_here
                previous = label_here
                node = nodes[4 * node]
            ends[k] = length
        scores[k] = now[3 * leaves[k] + 2]
    return count


def push_beam(leaves: Array, now: Array, node: int, count: int, width: int, never: float) -> int:
    """Puts a beam among the best ones, behind those that are as good; what is one too many is forgotten.  Returns how many there are."""
    score = now[3 * node + 2]
    j = count
    while j > 0 and now[3 * leaves[j - 1] + 2] < score:
        leaves[j] = leaves[j - 1]
        j -= 1
    leaves[j] = node
    if count < width:
        return count + 1
    out = 3 * leaves[count]
    now[out] = never
    now[out + 1] = never
    now[out + 2] = never
    return count
