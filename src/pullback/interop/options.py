"""What programs say about the machine to `Session` and to `tf.config`: taken, and answered for one CPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from ..base.export import export
from ..ir.tensor import DEVICE, LOGICAL_DEVICES


@export("config.PhysicalDevice")
class PhysicalDevice(NamedTuple):
    """A device of the machine, as `tf.config.list_physical_devices` gives it.

    >>> tf.config.list_physical_devices()[0]
    PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')
    """

    name: str
    device_type: str


@export("config.LogicalDevice")
class LogicalDevice(NamedTuple):
    """A device that operations run on, as `tf.config.list_logical_devices` gives it.

    >>> tf.config.list_logical_devices()[0].device_type
    'CPU'
    """

    name: str
    device_type: str


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")


class _Message:
    """A bag of options, as TensorFlow's protocol buffers have them: each has a default, and a wrong name is refused."""

    _fields: ClassVar[dict[str, Any]] = {}

    def __init__(self, **options: Any) -> None:
        for name, default in self._fields.items():
            object.__setattr__(self, name, default() if isinstance(default, type) else default)
        for name, value in options.items():
            if name not in self._fields:
                raise ValueError(f'Protocol message {type(self).__name__} has no "{name}" field.')
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            raise AttributeError(f'Protocol message {type(self).__name__} has no "{name}" field.')
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._fields)})"


@export(v1="GPUOptions")
class GPUOptions(_Message):
    """Options of GPUs, of which there are none here.

    >>> tf1.GPUOptions(allow_growth=True).allow_growth
    True
    """

    _fields: ClassVar[dict[str, Any]] = {
        "allow_growth": False,
        "per_process_gpu_memory_fraction": 0.0,
        "visible_device_list": "",
        "allocator_type": "",
        "force_gpu_compatible": False,
    }


@export(v1="OptimizerOptions")
class OptimizerOptions(_Message):
    """Options of TensorFlow's graph optimizer.

    >>> tf1.OptimizerOptions(opt_level=tf1.OptimizerOptions.L0).opt_level
    -1
    """

    L0, L1, OFF, ON_1, ON_2 = -1, 0, -1, 1, 2
    _fields: ClassVar[dict[str, Any]] = {
        "opt_level": 0,
        "global_jit_level": 0,
        "do_common_subexpression_elimination": False,
        "do_constant_folding": False,
        "do_function_inlining": False,
    }


@export(v1="GraphOptions")
class GraphOptions(_Message):
    """Options of a session's graph.

    >>> tf1.GraphOptions(infer_shapes=True).optimizer_options.opt_level
    0
    """

    _fields: ClassVar[dict[str, Any]] = {"optimizer_options": OptimizerOptions, "build_cost_model": 0, "infer_shapes": False}


@export(v1="ConfigProto")
class ConfigProto(_Message):
    """Options of a session: `tf.Session(config=tf.ConfigProto(allow_soft_placement=True))`.

    >>> config = tf1.ConfigProto(allow_soft_placement=True)
    >>> config.gpu_options.allow_growth = True
    >>> with tf1.Graph().as_default(), tf1.Session(config=config) as sess:
    ...     print(sess.run(tf1.constant(2.0)))
    2.0
    >>> tf1.ConfigProto(allow_soft_placment=True)
    Traceback (most recent call last):
    ValueError: Protocol message ConfigProto has no "allow_soft_placment" field.
    """

    _fields: ClassVar[dict[str, Any]] = {
        "device_count": dict,
        "intra_op_parallelism_threads": 0,
        "inter_op_parallelism_threads": 0,
        "use_per_session_threads": False,
        "allow_soft_placement": False,
        "log_device_placement": False,
        "operation_timeout_in_ms": 0,
        "gpu_options": GPUOptions,
        "graph_options": GraphOptions,
        "isolate_session_state": False,
    }


@export(v1="RunOptions")
class RunOptions(_Message):
    """Options of one run of a session.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     print(sess.run(tf1.constant(2.0), options=tf1.RunOptions(trace_level=tf1.RunOptions.FULL_TRACE)))
    2.0
    """

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = 0, 1, 2, 3
    _fields: ClassVar[dict[str, Any]] = {
        "trace_level": 0,
        "timeout_in_ms": 0,
        "inter_op_thread_pool": 0,
        "output_partition_graphs": False,
        "report_tensor_allocations_upon_oom": False,
    }


@export(v1="RunMetadata")
class RunMetadata(_Message):
    """What a run of a session tells of itself; here it stays empty.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     print(sess.run(tf1.constant(2.0), run_metadata=tf1.RunMetadata()))
    2.0
    """


@export("config.list_physical_devices", "config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[Any]:
    """The machine's devices: one CPU.

    >>> list_physical_devices("GPU")
    []
    """
    return [_CPU] if device_type in (None, "CPU") else []


@export("config.list_logical_devices", "config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[Any]:
    """The devices that ops may ask for: one CPU, or as many as `set_logical_device_configuration` says.

    >>> tf.config.list_logical_devices()
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    count = len(_divided) if device_type in (None, "CPU") else 0
    return [LogicalDevice(f"/device:CPU:{i}", "CPU") for i in range(count)]


@export("config.LogicalDeviceConfiguration", "config.experimental.VirtualDeviceConfiguration")
class LogicalDeviceConfiguration(NamedTuple):
    """What a logical device gets of a physical one; memory and priority are a GPU's.

    >>> tf.config.LogicalDeviceConfiguration().memory_limit is None
    True
    """

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


#: The logical devices that the CPU counts as.
_divided: list[LogicalDeviceConfiguration] = [LogicalDeviceConfiguration()]
_told: dict[PhysicalDevice, list[LogicalDeviceConfiguration]] = {}


@export("config.get_logical_device_configuration", "config.experimental.get_virtual_device_configuration")
def get_logical_device_configuration(device: Any) -> list[LogicalDeviceConfiguration] | None:
    """What `set_logical_device_configuration` said of a device; None where nothing was.

    Raises:
        ValueError: a device that is not there.

    >>> tf.config.get_logical_device_configuration(tf.config.list_physical_devices("CPU")[0])
    """
    _check_devices([device])
    return _told.get(device)


@export("config.set_logical_device_configuration", "config.experimental.set_virtual_device_configuration")
def set_logical_device_configuration(device: Any, logical_devices: Any) -> None:
    """Count a CPU as several devices: their names may be asked for, and everything still runs on the one CPU.

    A `tf.distribute.MirroredStrategy` made later has a replica on each.

    Raises:
        ValueError: a device that is not there, or a limit of memory or a priority, which are a GPU's.

    >>> cpu = tf.config.list_physical_devices("CPU")[0]
    >>> tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()])
    >>> len(tf.config.list_logical_devices())
    1
    """
    _check_devices([device])
    for part in logical_devices:
        if part.memory_limit is not None:
            raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
        if part.experimental_priority is not None:
            raise ValueError("Setting experimental_priority on CPU virtual  devices is currently not supported")
    _divided[:] = _told[device] = list(logical_devices)
    LOGICAL_DEVICES[:] = [f"{DEVICE[:-1]}{i}" for i in range(len(_divided))]


def reset_logical_devices() -> None:
    """Count the CPU as one device again, as before `set_logical_device_configuration`; strategies keep the replicas they have.

    >>> reset_logical_devices()
    >>> len(tf.config.list_logical_devices())
    1
    """
    _divided[:] = [LogicalDeviceConfiguration()]
    _told.clear()
    LOGICAL_DEVICES[:] = [DEVICE]


_REWRITES = frozenset((
    "layout_optimizer", "constant_folding", "shape_optimization", "remapping", "arithmetic_optimization", "dependency_optimization",
    "loop_optimization", "function_optimization", "debug_stripper", "scoped_allocator_optimization", "pin_to_host_optimization",
    "implementation_selector", "auto_mixed_precision", "auto_mixed_precision_onednn_bfloat16", "auto_mixed_precision_mkl",
    "disable_model_pruning", "disable_meta_optimizer",
))  # fmt: skip
_rewrites: dict[str, bool] = {"disable_model_pruning": False, "disable_meta_optimizer": False}


@export("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict[str, bool]:
    """What `set_experimental_options` said of the rewriting of graphs.

    >>> tf.config.optimizer.get_experimental_options()["disable_meta_optimizer"]
    False
    """
    return dict(_rewrites)


@export("config.optimizer.set_experimental_options")
def set_experimental_options(options: Mapping[str, bool]) -> None:
    """Say how TensorFlow would rewrite graphs. It is kept for `get_experimental_options`; the engine here simplifies in its own way.

    options: switches by their names in TensorFlow; other names are passed over, as there.

    >>> tf.config.optimizer.set_experimental_options({"constant_folding": True})
    >>> tf.config.optimizer.get_experimental_options()["constant_folding"]
    True
    """
    given = dict(options)
    _rewrites.update((name, bool(given[name])) for name in given if name in _REWRITES)


@export("config.get_visible_devices", "config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[Any]:
    """The devices that the program may use: one CPU.

    >>> tf.config.get_visible_devices("GPU")
    []
    """
    return list_physical_devices(device_type)


@export("config.set_visible_devices", "config.experimental.set_visible_devices")
def set_visible_devices(devices: object, device_type: str | None = None) -> None:
    """Choose the devices that the program may use.

    Raises:
        ValueError: a device that is not there.

    >>> tf.config.set_visible_devices(tf.config.list_physical_devices("CPU"))
    """
    _check_devices(devices if isinstance(devices, list) else [devices])


def _check_devices(devices: list[Any]) -> None:
    for device in devices:
        if device != _CPU:
            raise ValueError(f"Unrecognized device: {device!r}. There is {_CPU!r}.")


@export("config.experimental.set_memory_growth")
def set_memory_growth(device: object, enable: bool) -> None:
    """Whether a GPU's memory is taken as it is needed.

    Raises:
        ValueError: the device is not a GPU.

    >>> for gpu in tf.config.list_physical_devices("GPU"):  # none
    ...     tf.config.experimental.set_memory_growth(gpu, True)
    """
    raise ValueError(f"Cannot set memory growth on non-GPU devices: {device!r}")


@export("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: object = None) -> bool:
    """Whether ops run on a GPU: False.

    >>> tf.test.is_gpu_available()
    False
    """
    return False


@export("test.gpu_device_name")
def gpu_device_name() -> str:
    """The name of the GPU that ops run on: none, an empty string.

    >>> tf.test.gpu_device_name()
    ''
    """
    return ""


@export("sysconfig.get_build_info")
def get_build_info() -> dict[str, bool]:
    """What the library was built for: no graphics processors.

    >>> tf.sysconfig.get_build_info()
    {'is_cuda_build': False, 'is_rocm_build': False, 'is_tensorrt_build': False}
    """
    return {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}


@export("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """Whether there is code for NVIDIA's GPUs: False.

    >>> tf.test.is_built_with_cuda()
    False
    """
    return False
