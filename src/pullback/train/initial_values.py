"""TensorFlow 1's `init_from_checkpoint`: variables of a graph that begin with what a checkpoint holds."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ..api.variable import Variable
from ..api.variable_scope import collect_variables
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ops.state.variables import ASSIGN
from . import files


@export(v1="train.init_from_checkpoint")
def init_from_checkpoint(ckpt_dir_or_file: Any, assignment_map: Any) -> None:
    """Let variables of the default graph begin with arrays of a checkpoint, instead of what their initialisers say.

    The file is read now. Eager variables are assigned at once.

    Args:
        ckpt_dir_or_file: a checkpoint, or a folder whose latest one is read.
        assignment_map: a dict or pairs: a name in the checkpoint and a variable, or the name of one that `get_variable` made; or the names
            of scopes, both ending in a slash, "/" for all.

    Raises:
        ValueError: a name that the checkpoint has not, a shape that does not fit, a scope's name for a variable's.
        NotFoundError: there is no such checkpoint.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.get_variable("v", initializer=[1.0, 2.0])
    ...     session.run(v.initializer)
    ...     path = tf1.train.Saver().save(session, folder + "/model")
    ...     w = tf1.get_variable("w", [2])
    ...     tf1.train.init_from_checkpoint(path, {"v": w})
    ...     session.run(w.initializer)
    ...     print(session.run(w))
    [1. 2.]
    """
    reader = files.load_checkpoint(ckpt_dir_or_file)
    pairs = assignment_map.items() if isinstance(assignment_map, Mapping) else assignment_map
    for name, target in sorted(pairs, key=lambda pair: str(pair[0])):
        for variable, array_name, shown in _match_names(name, target):
            _begin(variable, array_name, shown, reader, os.fspath(ckpt_dir_or_file))


def _match_names(name: str, target: Any) -> Iterable[tuple[Any, str, str]]:
    """Variables with the names of their arrays, and these names as an error shows them."""
    made = collect_variables()
    variable = target if isinstance(target, Variable) else made.get(target)
    if variable is not None:
        return [(variable, name, name)]
    scope = target.rpartition("/")[0]
    if not name.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {scope} should map to scope only {name}. Should be 'scope/': 'other_scope/'."
        )
    inside = {own: own.removeprefix(scope).removeprefix("/") for own in sorted(made) if not scope or own.startswith(scope + "/")}
    return [(made[own], rest if name == "/" else name + rest, f"{name + rest} ({rest} in {name})") for own, rest in inside.items()]


def _begin(variable: Any, name: str, shown: str, reader: files.CheckpointReader, where: str) -> None:
    if not reader.has_tensor(name):
        raise ValueError(f"Tensor {shown} is not found in {where} checkpoint {reader.get_variable_to_shape_map()}")
    array = reader.get_tensor(name)
    if not variable.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of tensor {name} ({list(array.shape)}) from "
            "checkpoint reader."
        )
    if variable._graph is None:
        variable.assign(array)
        return
    with variable._graph.as_default():
        variable._initial = convert_to_tensor(array, dtype=variable.dtype.base_dtype, name=f"{variable.op.name}/checkpoint_initializer")
        variable._initializer = variable._write(ASSIGN, variable._initial, None)
