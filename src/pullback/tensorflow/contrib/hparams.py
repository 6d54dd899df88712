"""`tf.contrib.training.HParams`: hyper-parameters as attributes, with types, read from text and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...base.export import export

_ENTRY = re.compile(r"\s*(?P<name>[a-zA-Z][\w.]*)(?:\[\s*(?P<index>\d+)\s*\])?\s*=\s*(?:\[(?P<list>[^\]]*)\]|(?P<value>[^,\[]*))\s*(?:$|,)")


def _cast(name: str, kind: type, value: Any) -> Any:
    """A value as a parameter's type."""
    if value is None or kind not in (bool, int, float, str):
        return value
    wrong = ValueError(f"Could not cast hparam {name!r} of type {kind.__name__!r} from value {value!r}")
    if kind is str:
        if not isinstance(value, (str, bytes)):
            raise wrong
        return value.decode() if isinstance(value, bytes) else value
    if (kind is bool) != isinstance(value, bool) or (not isinstance(value, (bool, int, float)) and kind in (int, float)):
        raise wrong
    if kind is int and value != int(value):
        raise wrong
    return kind(value)


def _read(name: str, kind: type, text: str) -> Any:
    """A value of a parameter's type, written as text."""
    text = text.strip()
    if kind is bool:
        known = {"true": True, "1": True, "false": False, "0": False}
        if text.lower() not in known:
            raise ValueError(f"Could not parse hparam {name!r} of type 'bool' from {text!r}")
        return known[text.lower()]
    try:
        return kind(text)
    except ValueError as error:
        raise ValueError(f"Could not parse hparam {name!r} of type {kind.__name__!r} from {text!r}") from error


@export(v1="contrib.training.HParams")
class HParams:
    """Hyper-parameters: each keyword is an attribute, of the type of its first value.

    >>> hparams = tf1.contrib.training.HParams(rate=0.1, sizes=[64, 32], name="net")
    >>> hparams.parse("rate=0.5,sizes=[8,4]").rate, hparams.sizes, hparams.get("depth", 3)
    (0.5, [8, 4], 3)
    """

    def __init__(self, model_structure: Any = None, **kwargs: Any) -> None:
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: object) -> None:
        """Add a parameter. ValueError where the name is taken, or a list is empty."""
        if name in self._hparam_types or hasattr(self, name):
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = type(value[0]), True
        else:
            self._hparam_types[name] = type(value), False
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Change a parameter. ValueError for a value of another type, KeyError for a name that is not there."""
        kind, many = self._hparam_types[name]
        if isinstance(value, list) != many and kind is not type(None):
            raise ValueError(f"{'Must' if many else 'Must not'} pass a list for {'multi' if many else 'single'}-valued parameter: {name}")
        setattr(self, name, [_cast(name, kind, v) for v in value] if many else _cast(name, kind, value))

    def del_hparam(self, name: str) -> None:
        """Take a parameter out."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def get(self, key: str, default: object = None) -> Any:
        """A parameter, or `default` where it is not there."""
        return getattr(self, key) if key in self._hparam_types else default

    def parse(self, values: str) -> HParams:
        """Change parameters by a text such as "rate=0.5,sizes=[8,4],sizes[1]=2"; these parameters."""
        at = 0
        while at < len(values):
            entry = _ENTRY.match(values, at)
            if entry is None:
                raise ValueError(f"Malformed hyperparameter value: {values[at:]}")
            at = entry.end()
            name = entry["name"]
            if name not in self._hparam_types:
                raise ValueError(f"Unknown hyperparameter: {name}")
            self._parse_one(name, entry)
        return self

    def _parse_one(self, name: str, entry: re.Match[str]) -> None:
        kind, many = self._hparam_types[name]
        if entry["index"] is not None:
            items = list(getattr(self, name))
            items[int(entry["index"])] = _read(name, kind, entry["value"])
            setattr(self, name, items)
        elif entry["list"] is not None:
            if not many:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_read(name, kind, item) for item in entry["list"].split(",")])
        else:
            value = _read(name, kind, entry["value"])
            setattr(self, name, [value] if many else value)

    def override_from_dict(self, values_dict: Mapping[str, Any]) -> HParams:
        """Change parameters by name; these parameters."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def parse_json(self, values_json: str) -> HParams:
        """Change parameters by a JSON object; these parameters."""
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def to_json(self, indent: int | str | None = None, separators: tuple[str, str] | None = None, sort_keys: bool = False) -> str:
        """The parameters as a JSON object, functions left out."""
        plain = {name: value for name, value in self.values().items() if not callable(value)}
        return json.dumps(plain, indent=indent, separators=separators, sort_keys=sort_keys)

    def get_model_structure(self) -> Any:
        """What was given as `model_structure`."""
        return self._model_structure

    def set_model_structure(self, model_structure: object) -> None:
        """Keep something as `model_structure`."""
        self._model_structure = model_structure

    def __contains__(self, key: object) -> bool:
        return key in self._hparam_types

    def __iter__(self) -> Iterator[str]:
        return iter(self._hparam_types)

    def __str__(self) -> str:
        return str(sorted(self.values().items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"
