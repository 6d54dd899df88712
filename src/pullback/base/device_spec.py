"""Names of devices, as programs write and read them: `/job:worker/replica:0/task:1/device:CPU:0`."""

from __future__ import annotations

from typing import Any

from .export import export

_FIELDS = ("job", "replica", "task", "device_type", "device_index")
_SHORT = {"cpu": "CPU", "gpu": "GPU"}


@export(v2="DeviceSpec")
class DeviceSpec:
    """A part of a device's name, or the whole of it; what is left open is None.

    >>> tf.DeviceSpec(job="worker", device_type="CPU", device_index=0).to_string()
    '/job:worker/device:CPU:0'
    >>> tf.DeviceSpec.from_string("/job:worker/cpu:1").replace(task=3).to_string()
    '/job:worker/task:3/device:CPU:1'
    """

    def __init__(
        self, job: Any = None, replica: Any = None, task: Any = None, device_type: Any = None, device_index: Any = None
    ) -> None:  # fmt: skip
        self._job = None if job is None else str(job)
        self._replica, self._task, self._device_index = (None if n is None else int(n) for n in (replica, task, device_index))
        self._device_type = None if device_type is None else _SHORT.get(str(device_type), str(device_type))

    job = property(lambda self: self._job, doc="The name of the job.")
    replica = property(lambda self: self._replica, doc="The number of the replica.")
    task = property(lambda self: self._task, doc="The number of the task.")
    device_type = property(lambda self: self._device_type, doc="CPU, GPU, or another kind.")
    device_index = property(lambda self: self._device_index, doc="The number of the device among those of its kind.")

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The parts of a name.  Raises ValueError for one that cannot be read, or that has two devices."""
        return cls(**_parse(spec))

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """The parts of a name, without those of this one."""
        return type(self).from_string(spec)

    def to_string(self) -> str:
        """The name, with what is open left out."""
        parts = [f"/{name}:{value}" for name, value in zip(_FIELDS[:3], self._key()[:3], strict=True) if value is not None]
        if self._device_type is not None:
            parts.append(f"/device:{self._device_type}:{'*' if self._device_index is None else self._device_index}")
        return "".join(parts)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """This name with the parts that `dev` has in place of its own."""
        return type(self)(*(mine if theirs is None else theirs for mine, theirs in zip(self._key(), dev._key(), strict=True)))

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """This name with other parts."""
        return type(self)(**{**dict(zip(_FIELDS, self._key(), strict=True)), **kwargs})

    def _key(self) -> tuple[Any, ...]:
        return self._job, self._replica, self._task, self._device_type, self._device_index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<DeviceSpec({', '.join(f'{name}={value}' for name, value in zip(_FIELDS, self._key(), strict=True))})>"


@export(v1="DeviceSpec")
class DeviceSpecV1(DeviceSpec):
    """A part of a device's name whose parts can be set.

    >>> spec = tf1.DeviceSpec(job="worker")
    >>> spec.task = 2
    >>> spec.parse_from_string("/gpu:0").to_string()
    '/device:GPU:0'
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIELDS:
            value = getattr(DeviceSpec(**{name: value}), name)
            name = f"_{name}"
        object.__setattr__(self, name, value)

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """Become what a name says."""
        self.__dict__.update(DeviceSpec.from_string(spec).__dict__)
        return self

    def merge_from(self, dev: DeviceSpec) -> None:
        """Take over the parts that `dev` has."""
        self.__dict__.update(self.make_merged_spec(dev).__dict__)

    __hash__ = DeviceSpec.__hash__


def _parse(spec: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in filter(None, spec.split("/")):
        name, *values = part.split(":")
        if name in ("job", "replica", "task") and len(values) == 1:
            found[name] = values[0]
            continue
        kind, index = _device(name, values)
        if kind is None:
            raise ValueError(f"Unknown attribute '{name}' is encountered while parsing the device spec: '{spec}'.")
        if "device_type" in found:
            raise ValueError(f"Multiple device types are not allowed while parsing the device spec: {spec}.")
        found |= {"device_type": kind, "device_index": None if index == "*" else index}
    return found


def _device(name: str, values: list[str]) -> tuple[str | None, str]:
    """The kind and the number that a part of a name gives; no kind where it names no device."""
    if name == "device" and len(values) == 2:
        return values[0], values[1]
    kind = _SHORT.get(name.lower())
    return (kind, values[0] if values else "*") if kind and len(values) < 2 else (None, "")
