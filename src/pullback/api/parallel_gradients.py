"""`jacobian` and `batch_jacobian` of `tensorflow.python.ops.parallel_for.gradients`: for tensors of graphs and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base import nest
from ..ir.tracebacks import trims_errors
from .jacobian_blocks import pull_batch_rows, pull_blocks
from .linearization import linearization

if TYPE_CHECKING:
    from ..ir.tensor import TensorLike


@trims_errors
def jacobian(output: TensorLike, inputs: TensorLike, use_pfor: bool = True, parallel_iterations: int | None = None) -> Any:
    """The Jacobian of a tensor of a graph with respect to `inputs`, of shape `output.shape + input.shape`, None where nothing connects.

    inputs: a tensor or variable or a structure of them; the result has their structure.  use_pfor: False computes row by row.
    parallel_iterations: how many rows at a time, all when None.
    """
    way = linearization(output, inputs)
    with way.place():
        rows = pull_blocks(way, parallel_iterations if use_pfor else 1)
    return nest.pack_sequence_as(inputs, rows)


@trims_errors
def batch_jacobian(output: Any, inp: Any, use_pfor: bool = True, parallel_iterations: int | None = None) -> Any:
    """The Jacobian of each row of `output` with respect to the same row of `inp`, of shape `[b, output..., inp...]`.

    Arguments as for `jacobian`.  None where nothing connects.  Raises ValueError where leading sizes differ.  Where rows depend on
    one another, what is given is the sum over the rows of the output, as in TensorFlow, and a warning.
    """
    if not output.shape[:1].is_compatible_with(inp.shape[:1]):
        raise ValueError(f"Need first dimension of `output` shape ({output.shape}) and `inp` shape ({inp.shape}) to match.")
    way = linearization(output, inp)
    with way.place():
        return pull_batch_rows(way, parallel_iterations if use_pfor else 1)
