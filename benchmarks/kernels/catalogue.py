"""Everything that is measured, by family, and what is not, with the reason.

Every operation of the registry has a row, whose name begins with the operation's, or stands in `LEFT_OUT`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import arrays, chance, elements, families, matrices, nets, pictures, shapes, steps, table, words

Group = Callable[[Any], table.Rows]

FAMILIES: dict[str, list[Group]] = {
    "Elements": [table.unary, table.binary, table.gradients_of_units, elements.elements],
    "Other types of numbers": [table.casts, families.halves, families.complexes],
    "Special functions": [families.special_functions],
    "What is passed on": [elements.passed_on],
    "Reductions and scans": [table.reductions, table.scans],
    "Softmax, order and search": [arrays.softmaxes, arrays.orders, shapes.found],
    "Gathering and scattering": [arrays.gathers],
    "Segments": [arrays.segments, matrices.picked_segments],
    "Shapes": [arrays.shapes, shapes.padded_and_placed],
    "Products and factors": [arrays.products, arrays.factors, shapes.matrices],
    "Diagonals": [arrays.diagonals, shapes.older_matrices],
    "Convolutions and pools": [arrays.images, nets.pools, nets.dilations, nets.volumes],
    "Networks": [nets.normalised, nets.recurrent, nets.alignments],
    "Quantised types": [families.quantisation, nets.quantised],
    "Images": [families.pictures, pictures.resized, pictures.projected, pictures.suppressed, pictures.files],
    "Fourier transforms": [families.transforms, pictures.transforms],
    "Random numbers": [arrays.draws, chance.by_key, chance.by_seed, chance.by_generator, chance.candidates],
    "Variables and optimizers": [arrays.updates, steps.variables, steps.optimizers],
    "Sparse tensors": [families.sparse_matrices, matrices.sparse_tensors, matrices.counts, matrices.compressed_rows, matrices.sets],
    "Ragged tensors and lists": [matrices.ragged_tensors, matrices.lists],
    "Strings": [words.plain, words.hashed, words.numerals, words.coded, words.patterns, words.distances],
    "Summaries": [words.summaries],
}
