"""`tf.train.Example` and `SequenceExample`: protocol buffers, as TensorFlow's (tensorflow/core/example in its source) lie in files.

The classes are made in a pool of their own, so that a process may have TensorFlow's as well.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError as DecodeError

from ...base.export import export

_Field = descriptor_pb2.FieldDescriptorProto
#: Of each message its fields: name, number, what it holds, whether there may be several.
_MESSAGES: dict[str, tuple[tuple[str, int, Any, bool], ...]] = {
    "BytesList": (("value", 1, _Field.TYPE_BYTES, True),),
    "FloatList": (("value", 1, _Field.TYPE_FLOAT, True),),
    "Int64List": (("value", 1, _Field.TYPE_INT64, True),),
    "Feature": (("bytes_list", 1, "BytesList", False), ("float_list", 2, "FloatList", False), ("int64_list", 3, "Int64List", False)),
    "Features": (("feature", 1, "Features.FeatureEntry", True),),
    "FeatureList": (("feature", 1, "Feature", True),),
    "FeatureLists": (("feature_list", 1, "FeatureLists.FeatureListEntry", True),),
    "Example": (("features", 1, "Features", False),),
    "SequenceExample": (("context", 1, "Features", False), ("feature_lists", 2, "FeatureLists", False)),
}
_MAPS = {"Features": ("FeatureEntry", "Feature"), "FeatureLists": ("FeatureListEntry", "FeatureList")}


def _add_field(message: Any, name: str, number: int, kind: Any, several: bool) -> Any:
    label = _Field.LABEL_REPEATED if several else _Field.LABEL_OPTIONAL
    field = message.field.add(name=name, number=number, label=label)
    if isinstance(kind, str):
        field.type, field.type_name = _Field.TYPE_MESSAGE, f".tensorflow.{kind}"
    else:
        field.type = kind
    return field


def _file() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="pullback/example.proto", package="tensorflow", syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        if name == "Feature":
            message.oneof_decl.add(name="kind")
        for field in fields:
            made = _add_field(message, *field)
            if name == "Feature":
                made.oneof_index = 0
        if name in _MAPS:
            entry, value = _MAPS[name]
            pair = message.nested_type.add(name=entry)
            pair.options.map_entry = True
            _add_field(pair, "key", 1, _Field.TYPE_STRING, False)
            _add_field(pair, "value", 2, value, False)
    return file


_pool = descriptor_pool.DescriptorPool()
_pool.Add(_file())


def _class(name: str) -> Any:
    return message_factory.GetMessageClass(_pool.FindMessageTypeByName(f"tensorflow.{name}"))


BytesList = export("train.BytesList")(_class("BytesList"))
FloatList = export("train.FloatList")(_class("FloatList"))
Int64List = export("train.Int64List")(_class("Int64List"))
Feature = export("train.Feature")(_class("Feature"))
Features = export("train.Features")(_class("Features"))
FeatureList = export("train.FeatureList")(_class("FeatureList"))
FeatureLists = export("train.FeatureLists")(_class("FeatureLists"))
Example = export("train.Example")(_class("Example"))
SequenceExample = export("train.SequenceExample")(_class("SequenceExample"))
