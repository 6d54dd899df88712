"""What is inside TensorFlow and libraries use all the same: `tf.__internal__`, and modules outside `tensorflow.python`.

Each name stands in one table with the place of what it is here, and is imported when it is asked for.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import Any

#: Names below `tensorflow`, and where they are in this package.
_PLACES = {
    "__internal__.CompositeTensor": "ir.composite:CompositeTensor",
    "__internal__.EagerTensor": "ir.tensor:EagerTensor",
    "__internal__.FuncGraph": "interop.func_graph:FuncGraph",
    "__internal__.SymbolicTensor": "ir.tensor:SymbolicTensor",
    "__internal__.decorator.make_decorator": "interop.decorators:make_decorator",
    "__internal__.decorator.unwrap": "interop.decorators:unwrap",
    "__internal__.distribute.interim.maybe_merge_call": "train.distribute:maybe_merge_call",
    "__internal__.distribute.strategy_supports_no_merge_call": "train.distribute:strategy_supports_no_merge_call",
    "__internal__.eager_context.eager_mode": "interop.eager_context:eager_mode",
    "__internal__.ops.is_resource_variable": "interop.eager_context:is_resource_variable",
    "__internal__.smart_cond.smart_cond": "control.smart_cond:smart_cond",
    "__internal__.tf2.enabled": "interop.eager_context:is_version_2",
    "__internal__.tracking.AutoTrackable": "train.wrappers:AutoTrackable",
    "__internal__.tracking.Trackable": "train.wrappers:Trackable",
    "__internal__.tracking.no_automatic_dependency_tracking": "train.wrappers:no_automatic_dependency_tracking",
    "__internal__.tracking.wrap": "train.wrappers:wrapped",
    "__internal__.types.Tensor": "ir.operators:TensorCounterpart",
    "compiler.tf2xla.python.xla.dynamic_update_slice": "ops.indexing.update:dynamic_update_slice",
    "python.eager.context.async_wait": "interop.eager_context:async_wait",
    "python.eager.context.context": "interop.eager_context:context",
    "python.eager.context.eager_mode": "interop.eager_context:eager_mode",
    "python.framework.config.disable_op_determinism": "interop.settings:disable_op_determinism",
    "python.framework.config.enable_op_determinism": "interop.settings:enable_op_determinism",
    "python.framework.config.is_op_determinism_enabled": "interop.settings:is_op_determinism_enabled",
    "python.framework.function.Defun": "interop.defun:Defun",
    "python.framework.type_spec_registry.get_name": "tensorflow.saved_model.spec_names:name_of_spec",
    "python.framework.type_spec_registry.lookup": "tensorflow.saved_model.spec_names:class_of_spec",
    "python.framework.type_spec_registry.register": "tensorflow.saved_model.spec_names:register",
    "python.framework.ops.EagerTensor": "ir.tensor:EagerTensor",
    "python.framework.ops.SymbolicTensor": "ir.tensor:SymbolicTensor",
    "python.ops.ref_variable.RefVariable": "api.variable:RefVariable",
    "python.ops.resource_variable_ops.ResourceVariable": "api.variable:ResourceVariable",
    "python.ops.variables.Variable": "api.variable:Variable",
    "python.data.ops.dataset_ops.DatasetV2": "tensorflow.datasets.methods:Dataset",
    "python.trackable.autotrackable.AutoTrackable": "train.wrappers:AutoTrackable",
    "python.trackable.base.Trackable": "train.wrappers:Trackable",
    "python.trackable.base.no_automatic_dependency_tracking": "train.wrappers:no_automatic_dependency_tracking",
    "python.trackable.data_structures.ListWrapper": "train.wrappers:ListWrapper",
    "python.trackable.data_structures._DictWrapper": "train.wrappers:_DictWrapper",
    "python.trackable.data_structures.wrap_or_unwrap": "train.wrappers:wrapped",
    "python.training.tracking.base.Trackable": "train.wrappers:Trackable",
    "python.training.tracking.base.no_automatic_dependency_tracking": "train.wrappers:no_automatic_dependency_tracking",
    "python.training.tracking.data_structures.ListWrapper": "train.wrappers:ListWrapper",
    "python.training.tracking.data_structures._DictWrapper": "train.wrappers:_DictWrapper",
    "python.training.tracking.tracking.AutoTrackable": "train.wrappers:AutoTrackable",
    "python.util.deprecation.deprecated": "interop.python_util:deprecated",
    "python.util.deprecation.deprecated_alias": "interop.python_util:deprecated_alias",
    "python.util.deprecation.deprecated_arg_values": "interop.python_util:deprecated_arg_values",
    "python.util.deprecation.deprecated_args": "interop.python_util:deprecated_args",
    "python.util.deprecation.deprecated_argument_lookup": "interop.python_util:deprecated_argument_lookup",
    "python.util.deprecation.deprecated_endpoints": "interop.python_util:deprecated_endpoints",
    "python.util.tf_decorator.make_decorator": "interop.decorators:make_decorator",
    "python.util.tf_decorator.unwrap": "interop.decorators:unwrap",
    "python.util.tf_export.keras_export": "interop.python_util:tf_export",
    "python.util.tf_export.tf_export": "interop.python_util:tf_export",
    "python.util.tf_inspect.getargspec": "interop.python_util:getfullargspec",
    "python.util.tf_should_use.should_use_result": "interop.python_util:should_use_result",
}

_PACKAGE = __name__.partition(".")[0]
#: Namespaces that a program may import, of which nothing is here.
_EMPTY = frozenset({"experimental.dtensor"})


@cache
def _inner_modules() -> frozenset[str]:
    return frozenset(name[:i] for name in _PLACES for i, sign in enumerate(name) if sign == ".") | _EMPTY


def is_internal(path: str) -> bool:
    """Whether `tensorflow.<path>` is a module of this table's.

    >>> is_internal("__internal__.tracking"), is_internal("math")
    (True, False)
    """
    return path in _inner_modules()


def internal_names() -> frozenset[str]:
    """The names of the table, below `tensorflow`."""
    return frozenset(_PLACES)


def find_internal(path: str) -> Any:
    """What `tensorflow.<path>` is here; a LookupError where the table has no such name."""
    module, _, name = _PLACES[path].partition(":")
    return getattr(importlib.import_module(f"{_PACKAGE}.{module}"), name)


class InternalModule(ModuleType):
    """A module of TensorFlow's that holds names of the table."""

    def __init__(self, path: str) -> None:
        super().__init__(f"tensorflow.{path}", f"What libraries use of `tensorflow.{path}`.")
        self.__dict__["_path"] = path

    def __getattr__(self, name: str) -> Any:
        inner = f"{self.__dict__['_path']}.{name}"
        if inner in _PLACES:
            value = find_internal(inner)
        elif is_internal(inner):
            value = internal_module(inner)
        else:
            raise AttributeError(f"Pullback has no tensorflow.{inner}, which is inside TensorFlow: say what you need it for", name=name)
        setattr(self, name, value)
        return value


@cache
def internal_module(path: str) -> ModuleType:
    """The module `tensorflow.<path>`.

    >>> internal_module("__internal__").tf2.enabled()
    True
    """
    return InternalModule(path)


__all__ = ["InternalModule", "find_internal", "internal_module", "internal_names", "is_internal"]
