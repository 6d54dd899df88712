"""Beam search of `tf.contrib.seq2seq`: of each sequence the likeliest few beginnings are gone on with."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any, TypeVar

from ...base import nest
from ...base.dtypes import bool as bool_, int32, int64
from ...base.export import export
from ...base.shapes import TensorShape
from ...control.functional import scan
from ...control.tensor_array import TensorArray
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...nn.activations import log_softmax
from ...ops.array.basic import reshape, zeros_of
from ...ops.array.create import one_hot, range, zeros
from ...ops.array.gather import gather
from ...ops.array.order import reverse
from ...ops.array.tile import tile
from ...ops.array.where import where
from ...ops.math.division import floordiv, floormod
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, greater, less, logical_not, logical_or
from ...ops.reduce.reductions import reduce_max
from ...ops.reduce.scan import cumsum
from ...ops.search.composed import repeat
from ...ops.search.sort import top_k
from .seq2seq_decoding import Decoder, lengths_of
from .seq2seq_helpers import Embedding, rows_of

T = TypeVar("T")


@export(v1="contrib.seq2seq.tile_batch")
def tile_batch(t: T, multiplier: IntLike, name: str | None = None) -> T:
    """Each entry of nested tensors `multiplier` times, one behind the other.

    >>> tf1.contrib.seq2seq.tile_batch(tf1.constant([1, 2]), 2).numpy().tolist()
    [1, 1, 2, 2]
    """

    def tile_one(one: Any) -> Any:
        one = convert_to_tensor(one)
        if one.dims == ():
            raise ValueError("t must have statically known rank, at least 1")
        found = repeat(one, multiplier, 0)
        if one.dims is not None and isinstance(multiplier, int):
            found.set_shape([None if one.dims[0] is None else one.dims[0] * multiplier, *one.dims[1:]])
        return found

    return nest.map_structure(tile_one, t)


@export(v1="contrib.seq2seq.gather_tree")
def gather_tree(
    step_ids: TensorLike, parent_ids: TensorLike, max_sequence_lengths: TensorLike, end_token: TensorLike, name: str | None = None
) -> Tensor:
    """Whole beams of the symbols of steps and of the beams that they went on with, both [time, batch, beams].

    >>> steps, parents = [[[1, 2]], [[3, 4]]], [[[0, 0]], [[1, 0]]]
    >>> tf1.contrib.seq2seq.gather_tree(steps, parents, [2], 9).numpy().tolist()
    [[[2, 1]], [[3, 4]]]
    """
    steps, parents = convert_to_tensor(step_ids), convert_to_tensor(parent_ids)
    lengths, end = convert_to_tensor(max_sequence_lengths), convert_to_tensor(end_token, steps.dtype)
    time, batch, width = lengths_of(steps)

    def step_back(after: Any, step: Any) -> tuple[Any, Any]:
        symbols, before, at = step
        beams = after[1]
        reached = less(cast(at, lengths.dtype), lengths)[:, None]
        return (
            where(reached, gather(symbols, beams, batch_dims=1), end),
            where(reached, gather(before, beams, batch_dims=1), beams),
        )

    first = zeros_of(steps[0]), tile(cast(range(width), parents.dtype)[None], [batch, 1])
    found = reverse(scan(step_back, (reverse(steps, [0]), reverse(parents, [0]), reverse(range(time), [0])), first)[0], [0])
    ended = greater(cumsum(cast(equal(found, end), int32), 0, exclusive=True), 0)
    return where(ended, end, found)


@export(v1="contrib.seq2seq.BeamSearchDecoderState")
class BeamSearchDecoderState(namedtuple("BeamSearchDecoderState", "cell_state log_probs finished lengths")):
    """The state of a `BeamSearchDecoder`: that of its cell, and of each beam its log-probability, whether it has ended, and its length.

    >>> tf1.contrib.seq2seq.BeamSearchDecoderState(1, 2, 3, 4).lengths
    4
    """


@export(v1="contrib.seq2seq.BeamSearchDecoderOutput")
class BeamSearchDecoderOutput(namedtuple("BeamSearchDecoderOutput", "scores predicted_ids parent_ids")):
    """What a step of a `BeamSearchDecoder` gives: scores, symbols, and the beams that they go on with.

    >>> tf1.contrib.seq2seq.BeamSearchDecoderOutput(1, 2, 3).parent_ids
    3
    """


@export(v1="contrib.seq2seq.FinalBeamSearchDecoderOutput")
class FinalBeamSearchDecoderOutput(namedtuple("FinalBeamSearchDecoderOutput", "predicted_ids beam_search_decoder_output")):
    """What a `BeamSearchDecoder` gives in the end: whole beams, best first, and the steps.

    >>> tf1.contrib.seq2seq.FinalBeamSearchDecoderOutput(1, 2).predicted_ids
    1
    """


@export(v1="contrib.seq2seq.BeamSearchDecoder")
class BeamSearchDecoder(Decoder):
    """A decoder that goes on with the `beam_width` likeliest beginnings of each sequence.

    Args:
        embedding: a table of symbols, or a function of them.
        start_tokens: the symbol that each sequence begins with, a vector.  end_token: the symbol for the end, a scalar.
        initial_state: the cell's first state, tiled by `tile_batch`.
        output_layer: a layer between the cell and the logits.
        length_penalty_weight: scores are divided by `((5 + length) / 6) ** weight`.

    Raises:
        NotImplementedError: `coverage_penalty_weight` other than 0.
        ValueError: `start_tokens` is no vector or `end_token` no scalar.

    >>> seq2seq = tf1.contrib.seq2seq
    >>> with tf1.Graph().as_default():
    ...     cell, first = tf1.nn.rnn_cell.GRUCell(4), seq2seq.tile_batch(tf1.zeros([2, 4]), 3)
    ...     decoder = seq2seq.BeamSearchDecoder(cell, tf1.zeros([7, 5]), [1, 1], 2, first, 3, tf1.layers.Dense(7))
    ...     outputs, _, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=4)
    ...     outputs.predicted_ids.shape.as_list()
    [2, None, 3]
    """

    def __init__(
        self, cell: Any, embedding: Embedding, start_tokens: TensorLike, end_token: TensorLike, initial_state: Any, beam_width: int,
        output_layer: Callable[[Any], Any] | None = None, length_penalty_weight: float = 0.0, coverage_penalty_weight: float = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:  # fmt: skip
        if coverage_penalty_weight:
            raise NotImplementedError("BeamSearchDecoder: coverage_penalty_weight is not in Pullback")
        self._cell, self._rows, self._layer, self._width = cell, rows_of(embedding), output_layer, beam_width
        self._start, self._end = convert_to_tensor(start_tokens, int32), convert_to_tensor(end_token, int32)
        if self._start.dims is None or len(self._start.dims) != 1:
            raise ValueError(f"start_tokens must be a vector, but is of shape {self._start.shape}")
        if self._end.dims != ():
            raise ValueError(f"end_token must be a scalar, but is of shape {self._end.shape}")
        self._penalty, self._reorders = length_penalty_weight, reorder_tensor_arrays
        self._first = nest.map_structure(self._part_beams, initial_state)
        self._first_inputs = self._rows(tile(self._start[:, None], [1, beam_width]))

    @property
    def batch_size(self) -> Tensor:
        """How many sequences there are, an int32 scalar."""
        return lengths_of(self._start)[0]

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams change places, so that the decoder says itself which are over."""
        return True

    @property
    def output_size(self) -> Any:
        """The shapes of a step's outputs, the batch left out."""
        return BeamSearchDecoderOutput(*[TensorShape([self._width])] * 3)

    @property
    def output_dtype(self) -> Any:
        """The dtypes of a step's outputs."""
        return BeamSearchDecoderOutput(nest.flatten(self._first)[0].dtype, int32, int32)

    def _part_beams(self, one: Any) -> Any:
        """[batch * beams, ...] as [batch, beams, ...]; what has no batch stays as it is."""
        if isinstance(one, TensorArray) or one.dims == ():
            return one
        return reshape(one, [self.batch_size, self._width, *lengths_of(one)[1:]])

    def _merge_beams(self, one: Any) -> Any:
        """[batch, beams, ...] as [batch * beams, ...]."""
        if isinstance(one, TensorArray) or one.dims == ():
            return one
        return reshape(one, [-1, *lengths_of(one)[2:]])

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Which sequences are over before the first step, the first inputs, and the first state."""
        batch, dtype = self.batch_size, self.output_dtype.scores
        finished = zeros([batch, self._width], bool_)
        likely = one_hot(zeros([batch], int32), self._width, zeros([], dtype), cast(float("-inf"), dtype))
        return finished, self._first_inputs, BeamSearchDecoderState(self._first, likely, finished, zeros([batch, self._width], int64))

    def step(self, time: TensorLike, inputs: Any, state: Any, name: str | None = None) -> tuple[Any, Any, Any, Any]:
        """One step: (outputs, next state, next inputs, which sequences are over)."""
        merged = nest.map_structure(self._merge_beams, state.cell_state)
        output, new = self._cell(nest.map_structure(self._merge_beams, inputs), merged)
        logits = self._part_beams(output if self._layer is None else self._layer(output))
        following = nest.map_structure(self._part_beams, new)
        outputs, state = self._search_beams(logits, following, state)
        return outputs, state, self._rows(outputs.predicted_ids), state.finished

    def _search_beams(self, logits: Any, following: Any, state: Any) -> tuple[Any, Any]:
        """The likeliest beams of all that go on with any symbol."""
        symbols, done = lengths_of(logits)[-1], state.finished
        only_end = one_hot(self._end, symbols, zeros([], logits.dtype), cast(logits.dtype.min, logits.dtype))
        total = state.log_probs[:, :, None] + where(done[:, :, None], only_end, log_softmax(logits))
        scores = total
        if self._penalty:
            grown = one_hot(self._end, symbols, convert_to_tensor(0, int64), convert_to_tensor(1, int64))
            lengths = state.lengths[:, :, None] + where(done[:, :, None], zeros_of(grown), grown)
            scores = total / ((5.0 + cast(lengths, total.dtype)) / 6.0) ** self._penalty
        flat = [self.batch_size, self._width * symbols]
        best, places = top_k(reshape(scores, flat), self._width)
        parents, words = floordiv(places, symbols), floormod(places, symbols)

        def gather_parents(one: Any) -> Any:
            return gather(one, parents, batch_dims=1)

        ended = gather_parents(done)
        kept = nest.map_structure(lambda one: one if isinstance(one, TensorArray) or one.dims == () else gather_parents(one), following)
        return BeamSearchDecoderOutput(best, words, parents), BeamSearchDecoderState(
            kept,
            gather(reshape(total, flat), places, batch_dims=1),
            logical_or(ended, equal(words, self._end)),
            gather_parents(state.lengths) + cast(logical_not(ended), int64),
        )

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: TensorLike) -> tuple[Any, Any]:
        """The predicted words [time, batch, beams] of the best beams, followed back from the last step, and the last state."""
        longest = cast(reduce_max(final_state.lengths, 1), int32)
        beams = gather_tree(outputs.predicted_ids, outputs.parent_ids, longest, self._end)
        return FinalBeamSearchDecoderOutput(beams, outputs), final_state
