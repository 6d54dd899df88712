"""The modules of `tensorflow.python` that programs about gradients import, and where their names are in the public faces.

Those modules hold TensorFlow 1's signatures, with `_v2` on the names of the newer ones; so a name is looked for in TensorFlow 1's
face first, in the namespaces that its module's line names ("" is `tf` itself), then in TensorFlow 2's.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from ..api import parallel_gradients
from ..api.parallel_for import PForConfig, for_loop, pfor
from ..tensorflow.raw_ops.operations import make_positional_function
from ..transforms.registry import get_gradient_function
from .internal import find_internal, internal_names

_MODULES = {
    "autograph.converters.break_statements": (),
    "autograph.converters.continue_statements": (),
    "autograph.converters.return_statements": (),
    "autograph.core.converter": (),
    "autograph.pyct.anno": (),
    "autograph.pyct.common_transformers.anf": (),
    "autograph.pyct.inspect_utils": (),
    "autograph.pyct.loader": (),
    "autograph.pyct.naming": (),
    "autograph.pyct.parser": (),
    "autograph.pyct.qual_names": (),
    "autograph.pyct.static_analysis.activity": (),
    "autograph.pyct.templates": (),
    "autograph.pyct.transformer": (),
    "client.client_lib": ("",),
    "client.session": ("",),
    "data.ops.dataset_ops": ("data",),
    "data.util.structure": (),
    "distribute.distribute_lib": ("distribute",),
    "distribute.distribute_utils": (),
    "distribute.distribution_strategy_context": ("distribute",),
    "distribute.input_ops": (),
    "eager.backprop": ("", "autodiff"),
    "eager.context": ("",),
    "eager.def_function": ("",),
    "eager.forwardprop": ("autodiff",),
    "eager.function": ("",),
    "eager.record": ("",),
    "eager.tape": ("",),
    "framework.common_shapes": ("",),
    "framework.composite_tensor": ("",),
    "framework.config": ("config", "config.experimental"),
    "framework.constant_op": ("",),
    "framework.dtypes": ("", "dtypes"),
    "framework.errors": ("errors",),
    "framework.errors_impl": ("errors",),
    "framework.function": ("",),
    "framework.graph_util": ("graph_util",),
    "framework.indexed_slices": ("",),
    "framework.ops": ("",),
    "framework.random_seed": ("random", ""),
    "framework.sparse_tensor": ("",),
    "framework.tensor": ("",),
    "framework.tensor_conversion": ("",),
    "framework.tensor_conversion_registry": ("",),
    "framework.tensor_shape": ("",),
    "framework.tensor_spec": ("",),
    "framework.tensor_util": ("",),
    "framework.test_util": ("test",),
    "framework.type_spec": ("",),
    "framework.versions": ("version", ""),
    "layers.base": ("layers",),
    "layers.convolutional": ("layers",),
    "layers.core": ("layers",),
    "layers.layers": ("layers",),
    "layers.normalization": ("layers",),
    "layers.pooling": ("layers",),
    "lib.io.file_io": ("gfile",),
    "lib.io.python_io": ("python_io", "io"),
    "lib.io.tf_record": ("io", "python_io"),
    "module.module": ("",),
    "ops.array_ops": ("", "linalg"),
    "ops.array_ops_stack": ("",),
    "ops.bitwise_ops": ("bitwise",),
    "ops.candidate_sampling_ops": ("nn",),
    "ops.check_ops": ("", "debugging"),
    "ops.clip_ops": ("", "linalg"),
    "ops.cond": ("",),
    "ops.confusion_matrix": ("math", ""),
    "ops.control_flow_case": ("",),
    "ops.control_flow_ops": ("",),
    "ops.control_flow_switch_case": ("",),
    "ops.ctc_ops": ("nn",),
    "ops.custom_gradient": ("",),
    "ops.data_flow_ops": ("", "queue"),
    "ops.distributions.categorical": ("distributions",),
    "ops.distributions.distributions": ("distributions",),
    "ops.distributions.normal": ("distributions",),
    "ops.embedding_ops": ("nn",),
    "ops.functional_ops": ("",),
    "ops.gradients": ("",),
    "ops.gradients_impl": ("",),
    "ops.gradients_util": ("",),
    "ops.histogram_ops": ("",),
    "ops.image_ops": ("image",),
    "ops.image_ops_impl": ("image",),
    "ops.init_ops": ("", "initializers"),
    "ops.init_ops_v2": ("", "initializers"),
    "ops.io_ops": ("", "io"),
    "ops.linalg.linalg": ("linalg",),
    "ops.linalg.linalg_impl": ("linalg",),
    "ops.linalg.linear_operator": ("linalg",),
    "ops.linalg_ops": ("linalg", ""),
    "ops.logging_ops": ("",),
    "ops.lookup_ops": ("lookup", "contrib.lookup", "lookup.experimental"),
    "ops.losses.losses": ("losses",),
    "ops.losses.losses_impl": ("losses",),
    "ops.manip_ops": ("manip", ""),
    "ops.map_fn": ("",),
    "ops.math_ops": ("", "math"),
    "ops.metrics": ("metrics",),
    "ops.metrics_impl": ("metrics",),
    "ops.nn": ("nn",),
    "ops.nn_impl": ("nn",),
    "ops.nn_ops": ("nn",),
    "ops.numerics": ("",),
    "ops.parallel_for": ("",),
    "ops.parallel_for.control_flow_ops": ("",),
    "ops.parallel_for.gradients": (),
    "ops.parallel_for.pfor": (),
    "ops.parsing_ops": ("io", ""),
    "ops.partitioned_variables": ("",),
    "ops.ragged.ragged_factory_ops": ("ragged",),
    "ops.ragged.ragged_map_ops": (),
    "ops.ragged.ragged_tensor": ("",),
    "ops.ragged.ragged_util": (),
    "ops.random_ops": ("", "random"),
    "ops.resource_variable_ops": ("",),
    "ops.rnn": ("nn",),
    "ops.rnn_cell": ("nn.rnn_cell",),
    "ops.rnn_cell_impl": ("nn.rnn_cell",),
    "ops.script_ops": ("",),
    "ops.seq2seq": ("contrib.legacy_seq2seq",),
    "ops.sets": ("sets",),
    "ops.signal.fft_ops": ("signal",),
    "ops.sort_ops": ("",),
    "ops.sparse_ops": ("sparse", ""),
    "ops.special_math_ops": ("math", ""),
    "ops.spectral_ops": ("signal", "spectral"),
    "ops.standard_ops": ("",),
    "ops.state_ops": ("",),
    "ops.stateless_random_ops": ("random",),
    "ops.string_ops": ("strings", ""),
    "ops.template": ("",),
    "ops.tensor_array_ops": ("",),
    "ops.unconnected_gradients": ("",),
    "ops.variable_scope": ("",),
    "ops.variables": ("",),
    "ops.weights_broadcast_ops": ("",),
    "ops.while_loop": ("",),
    "platform.app": ("app",),
    "platform.flags": ("flags",),
    "platform.gfile": ("gfile",),
    "platform.googletest": ("test",),
    "platform.test": ("test",),
    "platform.tf_logging": ("logging",),
    "pywrap_tfe": (),
    "saved_model.save": (),
    "summary.summary": ("summary",),
    "trackable.base": (),
    "training.adadelta": ("train",),
    "training.adagrad": ("train",),
    "training.adagrad_da": ("train",),
    "training.adam": ("train",),
    "training.checkpoint_management": ("train",),
    "training.checkpoint_utils": ("train",),
    "training.coordinator": ("train",),
    "training.ftrl": ("train",),
    "training.gradient_descent": ("train",),
    "training.learning_rate_decay": ("train",),
    "training.momentum": ("train",),
    "training.moving_averages": ("train",),
    "training.optimizer": ("train",),
    "training.proximal_adagrad": ("train",),
    "training.proximal_gradient_descent": ("train",),
    "training.queue_runner": ("train",),
    "training.queue_runner_impl": ("train",),
    "training.rmsprop": ("train",),
    "training.saver": ("train",),
    "training.summary_io": ("summary",),
    "training.tracking.base": (),
    "training.tracking.data_structures": (),
    "training.tracking.tracking": (),
    "training.training": ("train",),
    "training.training_util": ("train",),
    "util.compat": ("compat",),
    "util.deprecation": (),
    "util.dispatch": ("",),
    "util.nest": ("nest",),
    "util.tf_contextlib": (),
    "util.tf_decorator": (),
    "util.tf_export": (),
    "util.tf_inspect": (),
    "util.tf_should_use": (),
}

# Names that those modules give to something public under another name.
_RENAMED = {
    "ResourceVariable": "Variable",
    "RefVariable": "Variable",
    "BaseResourceVariable": "Variable",
    "EagerTensor": "Tensor",
    "eager_py_func": "py_function",
    "defun": "function",
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

#: Modules that are Python's own, with TensorFlow's wrappers looked through.
_OF_PYTHON = {"util.tf_contextlib": "contextlib", "util.tf_inspect": "inspect"}

# Modules of functions made from TensorFlow's list of operations, one for each.
_FAMILIES = (
    "array", "bitwise", "candidate_sampling", "control_flow", "ctc", "data_flow", "image", "linalg", "logging", "math", "nn", "parsing",
    "random", "resource_variable", "sdca", "set", "sparse", "spectral", "state", "stateless_random", "string",
)  # fmt: skip
_GENERATED = tuple(f"ops.gen_{family}_ops" for family in _FAMILIES)
_GENERATED += "ops.linalg.sparse.gen_sparse_csr_matrix_ops", "ops.linalg.sparse.sparse_csr_matrix_ops"


def _list_packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:i]) for i in range(len(parts) + 1)]


_INTERNAL = [name.removeprefix("python.").rpartition(".")[0] for name in internal_names() if name.startswith("python.")]

PYTHON_PACKAGES = frozenset(part for name in (*_MODULES, *_GENERATED, *_INTERNAL) for part in _list_packages(name))


def _namespace(face: ModuleType, space: str) -> ModuleType | None:
    """A namespace of a face by its path; None where the face has not got it."""
    found: ModuleType | None = face
    for part in filter(None, space.split(".")):
        found = getattr(found, part) if found is not None and part in found.__all__ else None
    return found


def find_python_name(module: str, name: str, one: ModuleType, two: ModuleType) -> Any:
    """What `tensorflow.python.<module>.<name>` is in the faces of TensorFlow 1 (`one`) and 2 (`two`).

    Raises:
        AttributeError: neither has it.
    """
    if f"python.{module}.{name}" in internal_names():
        return find_internal(f"python.{module}.{name}")
    if f"{module}.{name}" in _INSIDE:
        return _INSIDE[f"{module}.{name}"]
    if module in _OF_PYTHON:
        return getattr(importlib.import_module(_OF_PYTHON[module]), name)
    if module in _GENERATED and (generated := make_positional_function(name)) is not None:
        return generated
    public = _RENAMED.get(name, name)
    faces = [one, two]
    if public.endswith("_v2"):
        public, faces = public.removesuffix("_v2"), [two]
    elif public.endswith("_v1"):
        public, faces = public.removesuffix("_v1"), [one]
    for face in faces:
        for space in _MODULES.get(module, ()):
            namespace = _namespace(face, space)
            if namespace is not None and public in namespace.__all__:
                return getattr(namespace, public)
    why = "of those modules it has what is public elsewhere"
    raise AttributeError(f"Pullback has no tensorflow.python.{module}.{name}: {why}", name=name)
