"""The modules of `tensorflow.python` that programs about gradients import, and where their names are in the public faces.

Those modules hold TensorFlow 1's signatures, with `_v2` on the names of the newer ones; so a name is looked for in TensorFlow 1's
face first, in the namespaces that its module's line names ("" is `tf` itself), then in TensorFlow 2's.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..api import parallel_gradients
from ..api.parallel_for import PForConfig, for_loop, pfor
from ..tensorflow.raw_ops.operations import by_position
from ..transforms.registry import get_gradient_function
from .internal import find_internal, internal_names

_MODULES = {
    "client.session": ("",),
    "eager.backprop": ("", "autodiff"),
    "eager.context": ("",),
    "eager.forwardprop": ("autodiff",),
    "framework.constant_op": ("",),
    "framework.dtypes": ("", "dtypes"),
    "framework.errors": ("errors",),
    "framework.errors_impl": ("errors",),
    "framework.graph_util": ("graph_util",),
    "framework.indexed_slices": ("",),
    "framework.ops": ("",),
    "framework.random_seed": ("random", ""),
    "framework.tensor_shape": ("",),
    "framework.tensor_spec": ("",),
    "framework.tensor_util": ("",),
    "ops.array_ops": ("", "linalg"),
    "ops.array_ops_stack": ("",),
    "ops.bitwise_ops": ("bitwise",),
    "ops.check_ops": ("", "debugging"),
    "ops.clip_ops": ("", "linalg"),
    "ops.cond": ("",),
    "ops.control_flow_case": ("",),
    "ops.control_flow_ops": ("",),
    "ops.control_flow_switch_case": ("",),
    "ops.custom_gradient": ("",),
    "ops.embedding_ops": ("nn",),
    "ops.functional_ops": ("",),
    "ops.gradients": ("",),
    "ops.gradients_impl": ("",),
    "ops.gradients_util": ("",),
    "ops.init_ops": ("", "initializers"),
    "ops.init_ops_v2": ("", "initializers"),
    "ops.linalg_ops": ("linalg", ""),
    "ops.logging_ops": ("",),
    "ops.losses.losses": ("losses",),
    "ops.losses.losses_impl": ("losses",),
    "ops.map_fn": ("",),
    "ops.math_ops": ("", "math"),
    "ops.nn": ("nn",),
    "ops.nn_impl": ("nn",),
    "ops.nn_ops": ("nn",),
    "ops.parallel_for.gradients": (),
    "ops.parallel_for": ("",),
    "ops.parallel_for.control_flow_ops": ("",),
    "ops.parallel_for.pfor": (),
    "ops.random_ops": ("", "random"),
    "ops.resource_variable_ops": ("",),
    "ops.script_ops": ("",),
    "ops.special_math_ops": ("math", ""),
    "ops.standard_ops": ("",),
    "ops.state_ops": ("",),
    "ops.tensor_array_ops": ("",),
    "ops.unconnected_gradients": ("",),
    "ops.variable_scope": ("",),
    "ops.variables": ("",),
    "ops.while_loop": ("",),
    "platform.app": ("app",),
    "platform.flags": ("flags",),
    "platform.gfile": ("gfile",),
    "platform.test": ("test",),
    "platform.tf_logging": ("logging",),
    "summary.summary": ("summary",),
    "training.adadelta": ("train",),
    "training.adagrad": ("train",),
    "training.adam": ("train",),
    "training.ftrl": ("train",),
    "training.gradient_descent": ("train",),
    "training.learning_rate_decay": ("train",),
    "training.momentum": ("train",),
    "training.moving_averages": ("train",),
    "training.optimizer": ("train",),
    "training.rmsprop": ("train",),
    "training.saver": ("train",),
    "training.training": ("train",),
    "training.training_util": ("train",),
    "util.nest": ("nest",),
}

# Names that those modules give to something public under another name.
_RENAMED = {
    "ResourceVariable": "Variable",
    "RefVariable": "Variable",
    "BaseResourceVariable": "Variable",
    "EagerTensor": "Tensor",
    "eager_py_func": "py_function",
}

# What those modules have that is public nowhere.
_INSIDE = {
    "ops.parallel_for.for_loop": for_loop,
    "ops.parallel_for.pfor": pfor,
    "ops.parallel_for.control_flow_ops.for_loop": for_loop,
    "ops.parallel_for.control_flow_ops.pfor": pfor,
    "ops.parallel_for.pfor.PForConfig": PForConfig,
    "framework.ops.get_gradient_function": get_gradient_function,
    "ops.parallel_for.gradients.batch_jacobian": parallel_gradients.batch_jacobian,
    "ops.parallel_for.gradients.jacobian": parallel_gradients.jacobian,
}

# Modules of functions made from TensorFlow's list of operations, one for each.
_GENERATED = tuple(f"ops.gen_{family}_ops" for family in ("array", "control_flow", "linalg", "logging", "math", "nn", "random", "state"))
_GENERATED += "ops.linalg.sparse.gen_sparse_csr_matrix_ops", "ops.linalg.sparse.sparse_csr_matrix_ops"

def _with_packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:i]) for i in range(len(parts) + 1)]


_INTERNAL = [name.removeprefix("python.").rpartition(".")[0] for name in internal_names() if name.startswith("python.")]

PYTHON_PACKAGES = frozenset(
    part for name in (*_MODULES, *_GENERATED, *_INTERNAL) for part in _with_packages(name)
)


def find_python_name(module: str, name: str, one: ModuleType, two: ModuleType) -> Any:
    """What `tensorflow.python.<module>.<name>` is in the faces of TensorFlow 1 (`one`) and 2 (`two`).

    Raises:
        AttributeError: neither has it.
    """
    if f"python.{module}.{name}" in internal_names():
        return find_internal(f"python.{module}.{name}")
    if f"{module}.{name}" in _INSIDE:
        return _INSIDE[f"{module}.{name}"]
    if module in _GENERATED and (generated := by_position(name)) is not None:
        return generated
    public = _RENAMED.get(name, name)
    faces = [one, two]
    if public.endswith("_v2"):
        public, faces = public.removesuffix("_v2"), [two]
    elif public.endswith("_v1"):
        public, faces = public.removesuffix("_v1"), [one]
    for face in faces:
        for space in _MODULES.get(module, ()):
            namespace = getattr(face, space, None) if space else face
            if namespace is not None and public in namespace.__all__:
                return getattr(namespace, public)
    why = "of those modules it has what is public elsewhere"
    raise AttributeError(f"Pullback has no tensorflow.python.{module}.{name}: {why}", name=name)
