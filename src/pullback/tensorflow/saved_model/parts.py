"""The names, options and small classes of `tf.saved_model`."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...base.export import export
from ...base.files import local_path
from ...ir.apply import convert_to_tensor
from ...train.wrappers import Trackable

#: The file of a SavedModel in its folder, and that of TensorFlow's.
FILE, FOREIGN = "saved_model.safetensors", ("saved_model.pb", "saved_model.pbtxt")

SERVING = export("saved_model.SERVING", v1="saved_model.tag_constants.SERVING")("serve")
TRAINING = export("saved_model.TRAINING", v1="saved_model.tag_constants.TRAINING")("train")
GPU = export("saved_model.GPU", v1="saved_model.tag_constants.GPU")("gpu")
TPU = export("saved_model.TPU", v1="saved_model.tag_constants.TPU")("tpu")
DEFAULT_SERVING_SIGNATURE_DEF_KEY = export(
    "saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY", v1="saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY"
)("serving_default")
PREDICT_METHOD_NAME = export("saved_model.PREDICT_METHOD_NAME", v1="saved_model.signature_constants.PREDICT_METHOD_NAME")(
    "tensorflow/serving/predict"
)
PREDICT_INPUTS = export("saved_model.PREDICT_INPUTS", v1="saved_model.signature_constants.PREDICT_INPUTS")("inputs")
PREDICT_OUTPUTS = export("saved_model.PREDICT_OUTPUTS", v1="saved_model.signature_constants.PREDICT_OUTPUTS")("outputs")
ASSETS_DIRECTORY = export("saved_model.ASSETS_DIRECTORY", v1="saved_model.constants.ASSETS_DIRECTORY")("assets")
ASSETS_KEY = export("saved_model.ASSETS_KEY", v1="saved_model.constants.ASSETS_KEY")("saved_model_assets")
VARIABLES_DIRECTORY = export("saved_model.VARIABLES_DIRECTORY", v1="saved_model.constants.VARIABLES_DIRECTORY")("variables")
VARIABLES_FILENAME = export("saved_model.VARIABLES_FILENAME", v1="saved_model.constants.VARIABLES_FILENAME")("variables")


@export("saved_model.experimental.VariablePolicy")
class VariablePolicy(enum.Enum):
    """What a SavedModel keeps of the devices and replicas of variables: accepted, and not needed.

    >>> tf.saved_model.experimental.VariablePolicy.NONE.value
    """

    NONE = None
    SAVE_VARIABLE_DEVICES = "save_variable_devices"
    EXPAND_DISTRIBUTED_VARIABLES = "expand_distributed_variables"


@export("saved_model.SaveOptions")
class SaveOptions:
    """How `save` writes.

    Args:
        function_aliases: functions by names of their own, see `LoadOptions`.
        experimental_custom_gradients: whether the gradient functions of `custom_gradient` are saved with the functions.
        extra_tags: further tags than "serve". The others: accepted, and not needed.

    >>> tf.saved_model.SaveOptions(extra_tags=["gpu"]).extra_tags
    ['gpu']
    """

    def __init__(
        self,
        namespace_whitelist: Any = None,
        save_debug_info: bool = False,
        function_aliases: Any = None,
        experimental_debug_stripper: bool = False,
        experimental_io_device: str | None = None,
        experimental_variable_policy: Any = None,
        experimental_custom_gradients: bool = True,
        experimental_image_format: bool = False,
        experimental_skip_saver: bool = False,
        experimental_sharding_callback: Any = None,
        extra_tags: Any = None,
    ) -> None:
        self.namespace_whitelist = list(namespace_whitelist or ())
        self.save_debug_info, self.function_aliases = save_debug_info, dict(function_aliases or {})
        self.experimental_debug_stripper, self.experimental_io_device = experimental_debug_stripper, experimental_io_device
        self.experimental_variable_policy = VariablePolicy(getattr(experimental_variable_policy, "value", experimental_variable_policy))
        self.experimental_custom_gradients = experimental_custom_gradients
        self.experimental_image_format, self.experimental_skip_saver = experimental_image_format, experimental_skip_saver
        self.experimental_sharding_callback, self.extra_tags = experimental_sharding_callback, extra_tags


@export(v2="saved_model.LoadOptions")
class LoadOptions:
    """How `load` reads.

    Args:
        experimental_load_function_aliases: whether what was saved with `function_aliases` is found in an attribute of this name. The
            others: accepted, and not needed.

    >>> tf.saved_model.LoadOptions().allow_partial_checkpoint
    False
    """

    def __init__(
        self,
        allow_partial_checkpoint: bool = False,
        experimental_io_device: str | None = None,
        experimental_skip_checkpoint: bool = False,
        experimental_variable_policy: Any = None,
        experimental_load_function_aliases: bool = False,
    ) -> None:
        self.allow_partial_checkpoint, self.experimental_io_device = allow_partial_checkpoint, experimental_io_device
        self.experimental_skip_checkpoint, self.experimental_variable_policy = experimental_skip_checkpoint, experimental_variable_policy
        self.experimental_load_function_aliases = experimental_load_function_aliases


@export("saved_model.Asset")
class Asset(Trackable):
    """A file that a SavedModel takes along: functions read it by `asset_path`, which is that of the copy once it is loaded.

    >>> tf.saved_model.Asset("words.txt").asset_path.numpy()
    b'words.txt'
    """

    asset_path: Any

    def __init__(self, path: Any) -> None:
        self.asset_path = convert_to_tensor(path if hasattr(path, "dtype") else os.fspath(path), name="asset_path")

    def __as_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return self.asset_path


class SignatureMap(Mapping[str, Any], Trackable):
    """The signatures of what was loaded, by their keys; nothing can be changed in it."""

    def __init__(self, functions: Mapping[str, Any]) -> None:
        self._functions = dict(functions)

    def __getitem__(self, key: str) -> Any:
        return self._functions[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._functions!r})"


def file_in(folder: Any) -> str:
    """The file of the SavedModel in a folder."""
    return os.path.join(local_path(os.fspath(folder)), FILE)


@export(
    "saved_model.contains_saved_model", v1=("saved_model.maybe_saved_model_directory", "saved_model.loader.maybe_saved_model_directory")
)
def contains_saved_model(export_dir: object) -> bool:
    """Whether a folder has a SavedModel.

    >>> tf.saved_model.contains_saved_model("/nowhere")
    False
    """
    return os.path.isfile(file_in(export_dir))


def array_of(tensor: Any) -> np.ndarray:
    """The value of an eager tensor or variable, words as objects."""
    value = tensor.numpy()
    return value if isinstance(value, np.ndarray) else np.array(value, object if isinstance(value, (bytes, str)) else None)
