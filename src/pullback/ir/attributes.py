"""What kind of value an attribute of an op takes: a name means the same in every op, and what does not fit is a TypeError.

A value of the wrong kind is refused before anything runs, in TensorFlow's words; one that converts (`1.0` for an int) is converted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.dtypes import INDEX, DType, as_dtype, int16
from ..base.errors import InvalidArgumentError
from .context import executing_eagerly
from .convert import is_single

_FLAGS = """a_is_sparse adj_x adj_y adjoint adjoint_a adjoint_b aggregate_to_topk align_corners antialias b_is_sparse batched_input
binary_output centered chroma_downsampling clip_boxes compute_uv compute_v conjugate conjugate_output ctc_merge_repeated deterministic
exclusive expand_animations fancy_upscaling fast full_matrices grad_a grad_b half_pixel_centers ignore_longer_outputs_than_inputs
include_batch_in_index is_max_k is_training keep_dims little_endian lower merge_repeated multiply_linear_by_lr narrow_range normalize
normalized optimize_size overlapping pad pad_per_class pad_to_max_output_size partial_pivoting perturb_singular
preprocess_collapse_repeated preserve_short_sequences progressive pseudo_random range_given replace_control_characters replace_global
resize_if_index_out_of_bounds reverse scale_after_normalization scientific shortest signed_input skip_empty sorted sparse_gradient
transpose_a transpose_b transpose_output try_recover_truncated uniform_noise unique use_image_if_no_bounding_boxes use_locking
use_nesterov use_peephole use_quote_delim validate_indices validate_shape"""
_WHOLE = """OUTPUT_RAGGED_RANK axis batch_dim batch_dims beam_width begin_mask blank_index block_size channels circular_buffer_size
compression concat_dim depth_radius ellipsis_mask end_mask first_n groups input_ragged_rank k limit max_attempts max_images maxlength
maxsplit minlength new_axis_mask num_bits num_buckets num_partitions num_reserved_ids num_sampled num_shards num_split num_true
output_ragged_rank output_slot pad_width post_nms_topn precision quality range_max ratio reduction_dimension
reduction_input_size_override replacement_char rounds seed seed2 seq_dim shard shrink_axis_mask summarize tensor_debug_mode top_paths
width x_density y_density"""
#: The least that some of them take.
_LEAST = {
    "beam_width": 1, "block_size": 2, "max_images": 1, "maxlength": -1, "minlength": -1, "num_buckets": 1, "num_partitions": 1,
    "num_sampled": 1, "num_shards": 1, "num_split": 1, "num_true": 1, "range_max": 1, "shard": 0, "top_paths": 1,
}  # fmt: skip
#: Those of them, and of lists, that are read as numbers of 32 bits: by kernels, when a graph runs, and by type rules.
_NARROW_IN_KERNELS = frozenset(["beam_width", "maxsplit", "ngram_widths", "num_sampled", "precision", "width"])
_NARROW = _NARROW_IN_KERNELS | {"block_size", "dilations", "explicit_paddings", "k", "ksize", "ksizes", "rates", "strides", "top_paths"}
_BOUND = _NARROW | _LEAST.keys()
_REAL = """acceptable_fraction alpha beta bias cell_clip distortion ensure_minimum_range epsilon exponential_avg_factor
extrapolation_value forget_bias input_max input_min iou_threshold max min min_object_covered recall_target tolerance variance_epsilon"""
_WORDS = """align bad_indices_policy data_format dct_method density_unit dst_format encoding end equation field_delim
fill fill_mode format input_encoding interpolation kernel_type left_pad message metadata method mode na_value noise
output_stream padding pattern placeholder rewrite right_pad round_mode separator set_operation src_format
template vocab_file xmp_metadata"""
#: Words of which there are a few.
_CHOICES = {
    "errors": ("strict", "replace", "ignore"),
    "output_encoding": ("UTF-8", "UTF-16-BE", "UTF-32-BE"),
    "unit": ("BYTE", "UTF8_CHAR"),
}
_DTYPES = """DstT T Tsplits Targmax Tcomplex Tout Treal dtype element_dtype index_type out_idx out_type output_dtype output_idx_type
output_type type"""
#: Those that are for indices where they are int32 or int64 by default, and what they take then.
_INDEX_DTYPES: dict[str, frozenset[DType]] = {
    "Targmax": INDEX, "Tsplits": INDEX, "out_idx": INDEX, "out_type": INDEX, "output_idx_type": INDEX, "index_type": INDEX | {int16},
}  # fmt: skip
_LISTS = "key dilations explicit_paddings ksize ksizes ngram_widths rates strides"
Args = tuple[Any, ...]
_INTS_ALONE = frozenset([int])


def _unfit_error(kind: str, name: str, value: Any) -> TypeError:
    return TypeError(f"Expected {kind} for argument '{name}' not {value!r}.")


def _beside_single(args: Args) -> bool:
    """Whether an attribute is given eagerly, beside arguments none of which is a list or a word: some errors differ there."""
    return all(map(is_single, args)) and executing_eagerly()


def _are_ints(values: Any) -> bool:
    """Whether these are Python's integers of 32 bits alone."""
    return {*map(type, values)} == _INTS_ALONE and min(values) >= -(2**31) and max(values) < 2**31


def as_flag(name: str, value: object, op: str = "", args: Args = ()) -> bool:
    """A flag, as it is; a TypeError that names the argument where it is none."""
    if not isinstance(value, bool):
        raise _unfit_error("bool", name, value)
    return value


def as_whole(name: str, value: Any, op: str = "", args: Args = ()) -> int:
    """A whole number; a TypeError that names the argument for what is no number."""
    if isinstance(value, str):
        raise _unfit_error("int", name, value)
    try:
        whole = int(value)
    except (ValueError, TypeError, OverflowError):
        raise _unfit_error("int", name, value) from None
    return check_range(name, whole, op)


def as_whole_numbers(name: str, values: Sequence[Any]) -> list[int]:
    """Several whole numbers, each as `as_whole` takes one."""
    return [*values] if _are_ints(values) else [as_whole(name, v) for v in values]


def check_range(name: str, value: int, op: str) -> int:
    """A whole number that is not below the least that an attribute takes, and fits one that TensorFlow reads as a number of 32 bits."""
    if name in _NARROW and not -(2**31) <= value < 2**31:
        text = f"Attr {name} has value {value} out of range for an int32"
        if name in _NARROW_IN_KERNELS or "Backprop" in op:
            raise InvalidArgumentError(None, None, text)
        raise refused_value(text, f"{text} [Op:{op}]")
    if value < (least := _LEAST.get(name, value)):
        eagerly = f"Value for attr '{name}' of {value} must be at least minimum {least} [Op:{op}] name: "
        raise refused_value(f"Attr '{name}' of '{op}' Op passed {value} less than minimum {least}.", eagerly)
    return value


def refused_value(in_graph: str, eagerly: str = "") -> Exception:
    """The error of a value that is of the right kind, but none that is taken, where a graph refuses it while it is built."""
    return InvalidArgumentError(None, None, eagerly or in_graph) if executing_eagerly() else ValueError(in_graph)


def _check_real(name: str, value: Any, op: str, args: Args) -> float:
    if not isinstance(value, (float, int, np.floating, np.integer)):
        raise _unfit_error("float", name, value)
    return float(value)


def as_word(name: str, value: object, op: str = "", args: Args = ()) -> Any:
    """A word, as it is; a TypeError that names the argument where it is none."""
    if not isinstance(value, (str, bytes)):
        raise _unfit_error("string", name, value)
    return value


def choose(name: str, value: object, op: str, args: Args = ()) -> str:
    """One of the few words that an attribute takes; a TypeError for no word, `refused_value` for another."""
    text = read_text(as_word(name, value))
    if text in _CHOICES[name]:
        return text
    words = ", ".join(f'"{word}"' for word in _CHOICES[name])
    eagerly = f"Value for attr '{name}' of \"{text}\" is not in the list of allowed values: {words} [Op:{op}] name: "
    raise refused_value(f"Attr '{name}' of '{op}' Op passed string '{text}' not in: {words}.", eagerly)


def read_text(text: object) -> str:
    """An attribute that is text, given as text or bytes."""
    return text.decode() if isinstance(text, bytes) else str(text)


def as_dtype_attribute(name: str, value: object, op: str = "", args: Args = ()) -> DType:
    """The dtype that an attribute names; a TypeError that names the attribute, an InvalidArgumentError for a number that is no dtype's."""
    try:
        return as_dtype(value)
    except TypeError:
        if type(value) is int and _beside_single(args):
            raise InvalidArgumentError(None, None, f"AttrValue has invalid DataType enum: {value} for attr '{name}'") from None
        raise _unfit_error("DataType", name, value) from None


def _check_dtype(op: str, name: str, dtype: Any, allowed: Collection[DType]) -> None:
    """Refuse a dtype that an attribute does not take."""
    if dtype in allowed:
        return
    names = ", ".join(sorted(d.name for d in allowed))
    if executing_eagerly():
        raise InvalidArgumentError(
            None, None, f"Value for attr '{name}' of {dtype.name} is not in the list of allowed values: {names} [Op:{op}]"
        )
    raise TypeError(f"Value passed to parameter '{name}' of '{op}' has DataType {dtype.name} not in list of allowed values: {names}")


def _list(name: str, value: Any, op: str, args: Args) -> Any:
    if value is None and _beside_single(args):
        raise InvalidArgumentError(None, None, f"Length for attr '{name}' of 0 must be at least minimum 4 [Op:{op}]")
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for '{name}' argument to '{op}' Op, not {value!r}.")
    return value if _are_ints(value) else type(value)(as_whole(name, v, op) for v in value)


def _numbers(name: str, value: Any, op: str, args: Args) -> Any:
    if value is None and _beside_single(args):
        value = ()  # which the operation may refuse
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for '{name}' argument to '{op}' Op, not {value!r}.")
    return tuple(_check_real(name, v, op, args) for v in value)


def _words(name: str, value: Any, op: str, args: Args) -> Any:
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for '{name}' argument to '{op}' Op, not {value!r}.")
    return tuple(as_word(name, v) for v in value)


_NO_DTYPES: Mapping[str, Collection[DType]] = {}
Convert = Callable[[str, Any, str, Args], Any]
Kind = tuple[Collection[type], Convert]
_KINDS: tuple[tuple[str, Collection[type], Convert], ...] = (
    (_FLAGS, frozenset([bool]), as_flag),
    (_WHOLE, frozenset([int]), as_whole),
    (_REAL, frozenset([float]), _check_real),
    (_WORDS, frozenset([str, bytes]), as_word),
    (_DTYPES, frozenset([DType]), as_dtype_attribute),
    (_LISTS, frozenset(), _list),
    ("area_range aspect_ratio_range boundaries pooling_ratio", frozenset(), _numbers),
    (" ".join(_CHOICES), frozenset(), choose),
    ("row_partition_types", frozenset(), _words),
)
#: By an attribute's name: the types that need no closer look, and what takes the closer look.
KINDS: dict[str, Kind] = {name: (plain, convert) for names, plain, convert in _KINDS for name in names.split()}


def taken_types(name: str, fallbacks: Mapping[str, Any], dtypes: Container[str]) -> Collection[type] | None:
    """The types of which `fit` takes all values of an attribute as they are, None for all types; its arguments are as there."""
    if name in dtypes or name in _BOUND or (name in _INDEX_DTYPES and fallbacks.get(name) in INDEX):
        return ()
    return KINDS[name][0] if name in KINDS else None


def fit(
    op: str,
    fallbacks: dict[str, Any],
    given: dict[str, Any],
    args: tuple[Any, ...] = (),
    dtypes: Mapping[str, Collection[DType]] = _NO_DTYPES,
) -> dict[str, Any]:
    """The attributes of a call, each of its kind.

    op: the op's name.  fallbacks: the attributes' defaults, which None stands for.  args: the arguments beside them; the class of some
    errors differs where these are lists or words.  dtypes: what attributes that are dtypes take.

    Raises:
        TypeError: a value is of another kind than its attribute.  InvalidArgumentError: a dtype that the attribute does not take.
    """
    for name, value in given.items():
        kind = KINDS.get(name)
        if kind is not None and (type(value) not in kind[0] or (name in _BOUND and not 1 < value < 2**31)):
            found = fallbacks[name] if value is None and name in fallbacks else kind[1](name, value, op, args)
            if found is not value:
                given = {**given, name: found}
        if name in dtypes:
            _check_dtype(op, name, given[name], dtypes[name])
        elif name in _INDEX_DTYPES and fallbacks.get(name) in INDEX:
            _check_dtype(op, name, given[name], _INDEX_DTYPES[name])
    return given
