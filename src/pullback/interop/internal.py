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
    "__internal__.autograph.control_status_ctx": "interop.eager_context:control_status_ctx",
    "__internal__.autograph.tf_convert": "interop.eager_context:tf_convert",
    "__internal__.decorator.make_decorator": "interop.decorators:make_decorator",
    "__internal__.decorator.unwrap": "interop.decorators:unwrap",
    "__internal__.dispatch.GlobalOpDispatcher": "interop.dispatchers:GlobalOpDispatcher",
    "__internal__.dispatch.OpDispatcher": "interop.dispatchers:OpDispatcher",
    "__internal__.dispatch.add_dispatch_support": "interop.dispatchers:add_dispatch_support",
    "__internal__.distribute.interim.maybe_merge_call": "train.distribute:maybe_merge_call",
    "__internal__.distribute.strategy_supports_no_merge_call": "train.distribute:strategy_supports_no_merge_call",
    "__internal__.distribute.variable_sync_on_read_context": "train.distribute:variable_sync_on_read_context",
    "__internal__.eager_context.eager_mode": "interop.eager_context:eager_mode",
    "__internal__.get_name_scope": "api.names:get_current_name_scope",
    "__internal__.function.Function": "trace.function:Function",
    "__internal__.load_context": "interop.python_util:load_context",
    "__internal__.ops.broadcast_weights": "tensorflow.losses.weights:broadcast_weights",
    "__internal__.ops.is_resource_variable": "interop.eager_context:is_resource_variable",
    "__internal__.register_call_context_function": "interop.python_util:leave_unregistered",
    "__internal__.register_clear_session_function": "interop.python_util:leave_unregistered",
    "__internal__.register_get_session_function": "interop.python_util:leave_unregistered",
    "__internal__.register_load_model_function": "interop.python_util:leave_unregistered",
    "__internal__.mixed_precision.register_loss_scale_wrapper": "interop.python_util:leave_unregistered",
    "__internal__.saved_model.load.VersionedTypeRegistration": "interop.python_util:leave_unregistered",
    "__internal__.saved_model.load.register_revived_type": "interop.python_util:leave_unregistered",
    "__internal__.smart_cond.smart_cond": "control.smart_cond:smart_cond",
    "__internal__.tf2.enabled": "interop.eager_context:is_version_2",
    "__internal__.tracking.AutoTrackable": "train.wrappers:AutoTrackable",
    "__internal__.tracking.Trackable": "train.wrappers:Trackable",
    "__internal__.tracking.no_automatic_dependency_tracking": "train.wrappers:no_automatic_dependency_tracking",
    "__internal__.tracking.register_session_provider": "interop.python_util:leave_unregistered",
    "__internal__.tracking.TrackableDataStructure": "train.wrappers:Wrapper",
    "__internal__.tracking.sticky_attribute_assignment": "train.wrappers:sticky_attribute_assignment",
    "__internal__.tracking.wrap": "train.wrappers:wrap_value",
    "__internal__.train.is_mixed_precision_graph_rewrite_enabled": "interop.eager_context:is_graph_rewritten",
    "__internal__.train.set_using_mixed_precision_policy": "interop.python_util:leave_unregistered",
    "__internal__.train.update_checkpoint_state": "train.checkpoint_state:update_checkpoint_state",
    "__internal__.types.Tensor": "ir.operators:TensorCounterpart",
    "__operators__.getitem": "ops.indexing.index:getitem",
    "__operators__.ragged_getitem": "tensorflow.ragged.index:getitem",
    "core.framework.summary_pb2.HistogramProto": "tensorflow.summary.message:HistogramProto",
    "core.framework.summary_pb2.Summary": "tensorflow.summary.message:Summary",
    "core.framework.summary_pb2.SummaryMetadata": "tensorflow.summary.message:SummaryMetadata",
    "core.util.event_pb2.Event": "tensorflow.summary.message:Event",
    "compiler.tf2xla.python.xla.dynamic_update_slice": "ops.indexing.update:dynamic_update_slice",
    "python.eager.context._reset_context": "interop.options:reset_logical_devices",
    "python.eager.context.async_wait": "interop.eager_context:async_wait",
    "python.eager.context.context": "interop.eager_context:context",
    "python.eager.context.eager_mode": "interop.eager_context:eager_mode",
    "python.eager.context.graph_mode": "interop.eager_context:graph_mode",
    "python.eager.record.should_record_backprop": "interop.eager_context:should_record_backprop",
    "python.eager.context.get_device_name": "interop.eager_context:get_device_name",
    "python.framework.config.disable_op_determinism": "interop.settings:disable_op_determinism",
    "python.framework.config.enable_op_determinism": "interop.settings:enable_op_determinism",
    "python.framework.config.is_op_determinism_enabled": "interop.settings:is_op_determinism_enabled",
    "python.framework.function.Defun": "interop.defun:Defun",
    "python.framework.type_spec_registry.get_name": "tensorflow.saved_model.spec_names:name_of_spec",
    "python.framework.type_spec_registry.lookup": "tensorflow.saved_model.spec_names:class_of_spec",
    "python.framework.type_spec_registry.register": "tensorflow.saved_model.spec_names:register",
    "python.framework.ops.EagerTensor": "ir.tensor:EagerTensor",
    "python.framework.ops.SymbolicTensor": "ir.tensor:SymbolicTensor",
    "python.framework.composite_tensor.CompositeTensor": "ir.composite:CompositeTensor",
    "python.framework.tensor_shape.as_shape": "base.shapes:as_shape",
    "python.framework.tensor_shape.unknown_shape": "base.shapes:unknown_shape",
    "python.framework.tensor_spec.DenseSpec": "ir.type_spec:DenseSpec",
    "python.framework.test_util.TensorFlowTestCase": "testing.case:TestCase",
    "python.framework.ops.convert_to_tensor_or_composite": "ops.array.conversion:convert_to_tensor_or_composite",
    "python.framework.tensor_util.constant_value_as_shape": "ops.array.conversion:constant_value_as_shape",
    "python.framework.tensor_util.try_evaluate_constant": "ops.array.conversion:get_static_value",
    "python.framework.type_spec.BatchableTypeSpec": "ir.type_spec:BatchableTypeSpec",
    "python.framework.type_spec_registry._NAME_TO_TYPE_SPEC": "tensorflow.saved_model.spec_names:_CLASSES",
    "python.framework.type_spec_registry._TYPE_SPEC_TO_NAME": "tensorflow.saved_model.spec_names:_NAMES",
    "python.ops.array_ops.prevent_gradient": "ops.array.identity:PREVENT_GRADIENT",
    "python.ops.control_flow_case._case_helper": "control.smart_cond:case_of",
    "python.ops.control_flow_ops.get_enclosing_xla_context": "interop.eager_context:get_enclosing_xla_context",
    "python.ops.control_flow_util.GraphOrParentsInXlaContext": "interop.eager_context:is_compiled_by_xla",
    "python.ops.control_flow_util.IsInXLAContext": "interop.eager_context:is_compiled_by_xla",
    "python.ops.linalg.linear_operator_addition.add_operators": "tensorflow.linear_operators.addition:add_operators",
    "python.ops.nn_ops.Convolution": "tensorflow.legacy.nn_convolutions:Convolution",
    "python.ops.weights_broadcast_ops.assert_broadcastable": "tensorflow.losses.weights:assert_broadcastable",
    "python.ops.weights_broadcast_ops.broadcast_weights": "tensorflow.losses.weights:broadcast_weights",
    "python.ops.linalg.linear_operator.make_composite_tensor": "interop.python_util:leave_unmarked",
    "python.ops.numpy_ops.np_config.enable_numpy_behavior": "numpy_api.behavior:experimental_enable_numpy_behavior",
    "python.ops.random_ops.parameterized_truncated_normal": "ops.random.truncated:parameterized_truncated_normal",
    "python.ops.ref_variable.RefVariable": "api.variable:RefVariable",
    "python.ops.resource_variable_ops.ResourceVariable": "api.variable:ResourceVariable",
    "python.ops.resource_variable_ops.VariableSpec": "interop.specs:VariableSpec",
    "python.ops.variables.Variable": "api.variable:Variable",
    "python.data.util.structure.NoneTensorSpec": "ops.type_specs:NoneTensorSpec",
    "python.data.ops.dataset_ops.DatasetV2": "tensorflow.datasets.methods:Dataset",
    "python.data.ops.iterator_ops.OwnedIterator": "tensorflow.datasets.iterators:OwnedIterator",
    "python.pywrap_tfe.TF_ListPluggablePhysicalDevices": "interop.eager_context:list_pluggable_devices",
    "python.saved_model.model_utils.mode_keys.KerasModeKeys": "interop.python_util:KerasModeKeys",
    "python.tf2.enabled": "interop.eager_context:is_version_2",
    "python.trackable.autotrackable.AutoTrackable": "train.wrappers:AutoTrackable",
    "python.trackable.base.Trackable": "train.wrappers:Trackable",
    "python.trackable.base.no_automatic_dependency_tracking": "train.wrappers:no_automatic_dependency_tracking",
    "python.trackable.data_structures.TrackableDataStructure": "train.wrappers:Wrapper",
    "python.trackable.data_structures.NoDependency": "train.wrappers:NoDependency",
    "python.trackable.data_structures.ListWrapper": "train.wrappers:ListWrapper",
    "python.trackable.data_structures._DictWrapper": "train.wrappers:_DictWrapper",
    "python.trackable.data_structures.sticky_attribute_assignment": "train.wrappers:sticky_attribute_assignment",
    "python.trackable.data_structures.wrap_or_unwrap": "train.wrappers:wrap_value",
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
    "python.util.deprecation.silence": "interop.python_util:silence",
    "python.util.object_identity.Reference": "ir.operators:Reference",
    "python.util.tf_decorator.TFDecorator": "interop.decorators:TFDecorator",
    "python.util.tf_decorator.make_decorator": "interop.decorators:make_decorator",
    "python.util.tf_decorator.unwrap": "interop.decorators:unwrap",
    "python.util.dispatch.GlobalOpDispatcher": "interop.dispatchers:GlobalOpDispatcher",
    "python.util.dispatch.OpDispatcher": "interop.dispatchers:OpDispatcher",
    "python.util.dispatch.add_dispatch_support": "interop.dispatchers:add_dispatch_support",
    "python.util.dispatch.add_fallback_dispatch_support": "interop.dispatchers:add_dispatch_support",
    "python.util.dispatch.dispatch_for_types": "interop.dispatchers:dispatch_for_types",
    "python.util.tf_export.get_canonical_name_for_symbol": "interop.tf_export:get_canonical_name_for_symbol",
    "python.util.tf_export.get_symbol_from_name": "interop.tf_export:get_symbol_from_name",
    "python.util.tf_export.keras_export": "interop.tf_export:keras_export",
    "python.util.tf_export.tf_export": "interop.tf_export:tf_export",
    "python.util.tf_inspect.getargspec": "interop.python_util:getfullargspec",
    "python.util.tf_inspect.getfullargspec": "interop.python_util:getfullargspec",
    "python.util.tf_should_use.should_use_result": "interop.python_util:should_use_result",
    "python.util.variable_utils.convert_variables_to_tensors": "interop.specs:convert_variables_to_tensors",
    "python.util.variable_utils.replace_variables_with_atoms": "interop.specs:replace_variables_with_atoms",
    "tools.docs.doc_controls.do_not_doc_inheritable": "interop.python_util:leave_unmarked",
    "tools.docs.doc_controls.do_not_generate_docs": "interop.python_util:leave_unmarked",
    "tools.docs.doc_controls.doc_in_current_and_subclasses": "interop.python_util:leave_unmarked",
    "tools.docs.doc_controls.for_subclass_implementers": "interop.python_util:leave_unmarked",
}

_PACKAGE = __name__.partition(".")[0]
#: What libraries import, ask of values (`isinstance`) and derive from, of which nothing is here.
_ABSENT = (
    "__internal__.distribute.ShardedVariable",
    "__internal__.feature_column.DenseColumn", "__internal__.feature_column.FeatureColumn",
    "__internal__.feature_column.FeatureTransformationCache", "__internal__.feature_column.SequenceDenseColumn",
    "__internal__.feature_column.StateManager", "__internal__.tracking.CheckpointInitialValueCallable",
    "__internal__.tracking.DelegatingTrackableMixin",
    "distribute.experimental.coordinator.ClusterCoordinator", "distribute.experimental.coordinator.RemoteValue",
    "experimental.dtensor.DTensorDataset", "experimental.dtensor.DVariable", "python.autograph.pyct.transformer.Base",
    "python.data.ops.from_generator_op._GeneratorDataset", "python.data.ops.from_sparse_tensor_slices_op._SparseTensorSliceDataset",
    "python.data.ops.from_tensor_slices_op._TensorSliceDataset", "python.data.ops.from_tensors_op._TensorDataset",
    "python.data.ops.range_op._RangeDataset", "python.distribute.input_lib.DistributedDataset", "python.eager.context.get_config",
)  # fmt: skip
_PLACES |= dict.fromkeys(_ABSENT, "")
_PLACES |= {
    f"python.ops.init_ops.{name}": f"api.initializers:{name}"
    for name in (  # as TensorFlow 1 has them
        "Constant",
        "GlorotNormal",
        "GlorotUniform",
        "Identity",
        "Ones",
        "Orthogonal",
        "RandomNormal",
        "RandomUniform",
        "TruncatedNormal",
        "VarianceScaling",
        "Zeros",
    )
}
_MARKS = (
    "deprecated_graph_mode_only run_all_in_graph_and_eager_modes run_gpu_only run_in_graph_and_eager_modes run_v1_only run_v2_only skip_if"
)
_PLACES |= {f"python.framework.test_util.{name}": f"testing.modes:{name}" for name in _MARKS.split()}
_PLACES |= {
    "python.framework.test_util.run_cuda_only": "testing.modes:run_gpu_only",
    "python.framework.test_util.run_deprecated_v1": "testing.modes:deprecated_graph_mode_only",
}
#: Marks of tests by what there is one way of here.
_ONE_WAY = "disable_cudnn_autotune enable_control_flow_v2 with_control_flow_v2 run_all_without_tensor_float_32"
_PLACES |= {f"python.framework.test_util.{name}": "interop.python_util:leave_unmarked" for name in _ONE_WAY.split()}
_REASONED = "disable_control_flow_v2 disable_tfrt disable_xla run_without_tensor_float_32"
_PLACES |= {f"python.framework.test_util.{name}": "testing.modes:leave_described" for name in _REASONED.split()}
#: What `__internal__.nest` and `python.util.nest` have beside `tf.nest`, in nest_paths; by another name here where it is written.
_NEST = (
    "assert_shallow_structure flatten_up_to flatten_with_joined_string_paths flatten_with_tuple_paths get_traverse_shallow_structure "
    "is_attrs is_mapping list_to_tuple map_structure_up_to map_structure_with_path_up_to map_structure_with_paths "
    "map_structure_with_tuple_paths map_structure_with_tuple_paths_up_to sequence_like yield_flat_paths "
    "_is_namedtuple _sequence_like _yield_sorted_items _yield_value"
)
_PLACES |= {
    f"{space}.nest.{name}": f"interop.nest_paths:{name.lstrip('_')}" for space in ("__internal__", "python.util") for name in _NEST.split()
}
#: Namespaces that a program may import, of which nothing is here.
_EMPTY = frozenset(
    {"core.framework.attr_value_pb2", "core.protobuf.cluster_pb2", "core.protobuf.config_pb2", "experimental.dtensor", "tools.docs"}
)
#: Namespaces around these that have public names.
_PUBLIC = frozenset({"distribute", "distribute.experimental", "experimental"})


class Absent:
    """A class that is not here: nothing is an instance of it, and whoever wants to make one hears of it."""

    _path = ""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Raises NotImplementedError, always."""
        raise NotImplementedError(f"{cls.__name__} needs {cls._path}, which is not in Pullback")


@cache
def _inner_modules() -> frozenset[str]:
    around = {name[:i] for name in (*_PLACES, *_EMPTY) for i, sign in enumerate(name) if sign == "."}
    return frozenset(around - _PUBLIC) | _EMPTY


def is_internal(path: str) -> bool:
    """Whether `tensorflow.<path>` is a module of this table's.

    >>> is_internal("__internal__.tracking"), is_internal("experimental.dtensor"), is_internal("experimental")
    (True, True, False)
    """
    return path in _inner_modules()


def internal_names() -> frozenset[str]:
    """The names of the table, below `tensorflow`."""
    return frozenset(_PLACES)


@cache
def find_internal(path: str) -> Any:
    """What `tensorflow.<path>` is here; a LookupError where the table has no such name."""
    module, _, name = _PLACES[path].partition(":")
    if not module:
        return type(path.rpartition(".")[2], (Absent,), {"_path": f"tensorflow.{path}"})
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
            is_inside = not inner.startswith("distribute.")
            why = ", which is inside TensorFlow: say what you need it for" if is_inside else ": one process has one replica"
            raise AttributeError(f"Pullback has no tensorflow.{inner}{why}", name=name)
        setattr(self, name, value)
        return value


@cache
def internal_module(path: str) -> ModuleType:
    """The module `tensorflow.<path>`.

    >>> internal_module("__internal__").tf2.enabled()
    True
    """
    return InternalModule(path)
