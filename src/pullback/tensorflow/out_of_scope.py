"""What of TensorFlow is out of scope, and why: one table for the errors that programs see and for docs/names.md."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Reason(NamedTuple):
    """Why names are not here.

    why: what they are about, in words.  instead: what a program can do, if anything.
    names: whole names, with their namespace where others have them too.  parts: pieces of which one is in the name.
    """

    why: str
    instead: str
    names: str = ""
    parts: str = ""


#: Operations of TensorFlow's registry of gradients.
OPERATIONS = (
    Reason(
        "control flow of TensorFlow 1 by tensors that may be dead",
        "tf.cond, tf.while_loop and tf.function make one node of a branch or a loop, which has gradients to any order",
        names="RefSwitch RefMerge RefEnter RefExit RefNextIteration",
    ),
    Reason(
        "stacks that the gradients of TensorFlow 1's loops keep values in",
        "a tf.TensorArray, or tf.raw_ops.EmptyTensorList, TensorListPushBack and TensorListPopBack, which have gradients",
        names="Stack StackPush StackPop StackClose",
    ),
    Reason(
        "not in TensorFlow 2.21 either, whose registry alone has them",
        "",
        names="ScatterNdMul ScatterNdDiv StatelessRandomShuffle",
    ),
    Reason("the inside of TensorFlow's eager execution", "tf.constant", names="_EagerConst"),
    Reason(
        "several lists in one tensor: a list of tensors is a scalar here",
        "tf.raw_ops.TensorListPushBack in tf.vectorized_map",
        names="TensorListPushBackBatch",
    ),
    Reason(
        "devices and what they exchange", "",
        parts="AllToAll Collective CrossReplicaSum Nccl TPU XlaC XlaS XlaV CopyToMesh Relayout CudnnRNN",
    ),
    Reason(
        "readers, tables and files", "",
        names="IdentityReader TFRecordReader TextLineReader WholeFileReader FixedLengthRecordReader ReaderRead ReaderReadUpTo "
        "ReaderNumRecordsProduced ReaderNumWorkUnitsCompleted ReaderReset MatchingFilesDataset "
        "HashTable InitializeTable InitializeTableV2 InitializeTableFromTextFile",
        parts="ReaderSerializeState ReaderRestoreState MutableHashTable MutableDenseHashTable AnonymousHashTable AnonymousMutable "
        "InitializeTableFromDataset LoadAndRemap GenerateVocab LMDB",
    ),
    Reason("input pipelines", "any Python iterator of arrays", names="ReduceDataset"),
    Reason("protocol buffers, and what is heard", "", names="TensorSummary AudioSummary", parts="Proto"),
    Reason("solvers of linear models in C++", "", parts="Sdca"),
    Reason("tensors kept by a session", "a tf.Variable", parts="SessionHandle SessionTensor"),
)  # fmt: skip


#: Public names, of any namespace.
NAMES = (
    Reason(
        "input pipelines and readers", "tf.data", names="LMDBReader nondifferentiable_batch_function",
    ),
    Reason(
        "devices, distribution and compilers for other machines", "",
        names="dtensor tpu mlir lite check_pinned "
        "CrossDeviceOps InputOptions InputReplicationMode "
        "cluster_resolver coordinator experimental_set_strategy "
        "ClusterDef ClusterSpec JobDef ServerDef Server "
        "SyncReplicasOptimizer replica_device_setter mixed_precision "
        "CriticalSection "
        "ClusterDeviceFilters experimental_connect_to_cluster experimental_connect_to_host "
        "get_device_details get_device_policy set_device_policy get_memory_growth get_memory_info "
        "get_memory_usage reset_memory_stats enable_mlir_bridge disable_mlir_bridge "
        "async_scope async_clear_error function_executor_type enable_strict_mode tensorrt DynamicLossScale FixedLossScale LossScale "
        "MixedPrecisionLossScaleOptimizer enable_mixed_precision_graph_rewrite disable_mixed_precision_graph_rewrite",
    ),
    Reason(
        "TensorFlow's profiler", "function.profile(*arguments).write_chrome_trace(path)",
        names="AdviceProto GraphNodeProto MultiGraphNodeProto OpLogProto ProfileOptionBuilder Profiler advise profile write_op_log "
        "ProfilerHook Profile ProfilerOptions client server start stop",
    ),
    Reason(
        "checkpoints in several files", "one file, as tf.train.Checkpoint and tf.train.Saver write it",
        names="MaxShardSizePolicy ShardByTaskPolicy ShardableTensor ShardingCallback",
    ),
    Reason(
        "what TensorFlow tests itself with", "pytest, numpy.testing.assert_allclose and tf.test.compute_gradient",
        names="Benchmark StubOutForTesting assert_equal_graph_def benchmark_config create_local_cluster disable_with_predicate "
        "is_built_with_gpu_support is_built_with_rocm is_built_with_xla is_cpu_target_available mock test_src_dir_path get_temp_dir "
        "with_eager_op_as_function sync_devices",
    ),
    Reason(
        "protocol buffers, and files made of them", "tf.train.Checkpoint, tf.train.Saver and tf.summary, which are here",
        names="AttrValue GraphDef LogMessage NameAttrList NodeDef SessionLog TensorInfo SaverDef "
        "decode_json_example serialize_sparse serialize_many_sparse "
        "deserialize_many_sparse decode_compressed import_graph_def "
        "tf.graph_util generate_checkpoint_state_proto GRAPH_DEF_VERSION "
        "GRAPH_DEF_VERSION_MIN_CONSUMER GRAPH_DEF_VERSION_MIN_PRODUCER "
        "decode_proto encode_proto TaggedRunMetadata SummaryDescription "
        "get_summary_description tensor_summary write_raw_pb all_v2_summary_ops initialize "
        "enable_dump_debug_info "
        "disable_dump_debug_info",
    ),
    Reason(
        "the SavedModels of TensorFlow 1, of a graph and its session",
        "tf.saved_model.save of a tf.Module, or tf.compat.v1.train.Saver",
        names="tf1.saved_model.load tf1.saved_model.loader.load Builder SavedModelBuilder builder simple_save build_signature_def "
        "build_tensor_info classification_signature_def "
        "get_tensor_from_tensor_info is_valid_signature main_op main_op_with_restore predict_signature_def regression_signature_def "
        "signature_def_utils MethodNameUpdater CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES "
        "CLASSIFY_OUTPUT_SCORES REGRESS_INPUTS REGRESS_METHOD_NAME REGRESS_OUTPUTS DEBUG_DIRECTORY DEBUG_INFO_FILENAME_PB "
        "LEGACY_INIT_OP_KEY MAIN_OP_KEY SAVED_MODEL_FILENAME_PB SAVED_MODEL_FILENAME_PBTXT SAVED_MODEL_SCHEMA_VERSION",
    ),
    Reason(
        "serving, tables and columns of features", "",
        names="feature_column VocabInfo sdca_fprint sdca_optimizer sdca_shrink_l1 warm_start quantize_saved_model "
        "QuantizationComponentSpec QuantizationMethod QuantizationOptions UnitWiseQuantizationSpec TfRecordRepresentativeDatasetSaver",
    ),
    Reason(
        "Keras's own training loop, and its older version", "the optimizers themselves",
        names="LossScaleOptimizer MultiOptimizer OptimizerMap legacy",
    ),
    Reason("tensors kept by a session", "a tf.Variable", names="delete_session_tensor get_session_handle get_session_tensor"),
    Reason(
        "TensorFlow's library of C++ and how it was built", "tf.py_function and tf.custom_gradient for operations of one's own",
        names="load_library load_op_library load_file_system_library get_compile_flags get_include get_lib get_link_flags "
        "COMPILER_VERSION CXX11_ABI_FLAG CXX_VERSION "
        "MONOLITHIC_BUILD resource_loader user_ops tools security register_filesystem_plugin raise_exception_on_not_ok_status "
        "do_quantize_training_on_graphdef",
    ),
)  # fmt: skip


def name_reason(name: str) -> Reason | None:
    """Why a public name is out of scope; None where it is not.

    >>> name_reason("LMDBReader").instead
    'tf.data'
    """
    return next((r for r in NAMES if name in r.names.split()), None)


@cache
def reason(name: str) -> Reason | None:
    """Why an operation is out of scope; None where it is not.

    >>> reason("RefSwitch").why
    'control flow of TensorFlow 1 by tensors that may be dead'
    """
    whole = next((r for r in OPERATIONS if name in r.names.split()), None)
    return whole or next((r for r in OPERATIONS if any(part in name for part in r.parts.split())), None)


def explain_absence(name: str) -> str | None:
    """`reason` as a sentence, with what to do instead."""
    return None if (found := reason(name)) is None else say_reason(found)


def say_reason(found: Reason) -> str:
    """A reason as a sentence, with what to do instead."""
    return f"{found.why}. Instead: {found.instead}" if found.instead else found.why
