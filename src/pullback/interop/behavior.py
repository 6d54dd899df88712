"""The switches between TensorFlow 1's ways and TensorFlow 2's.

Graphs or eager execution, ref or resource variables, `Dimension` objects or ints, arrays written once or not: each has a switch, and
`disable_v2_behavior`, `enable_v2_behavior` throw them all. The other switches of TensorFlow 1.15 and later ask for what Pullback
has anyway.
"""

from __future__ import annotations

from ..api.default import disable_eager_execution as graph_mode, enable_eager_execution as eager_mode
from ..api.variable import Defaults
from ..base.export import export
from ..base.shapes import set_v1_dimensions
from ..control.tensor_array_checks import Ways
from ..ir.context import ROOT, Comparing, executing_eagerly


@export(v1="disable_v2_behavior")
def disable_v2_behavior() -> None:
    """TensorFlow 1's ways: graphs, ref variables, `Dimension` objects in shapes.

    >>> tf.compat.v1.disable_v2_behavior()
    >>> tf.constant(1.0) * 2.0, tf.TensorShape([3])[0]
    (<tf.Tensor 'mul:0' shape=() dtype=float32>, Dimension(3))
    >>> tf.compat.v1.enable_v2_behavior()
    """
    graph_mode()
    disable_resource_variables()
    disable_v2_tensorshape()
    disable_control_flow_v2()


@export(v1="enable_v2_behavior")
def enable_v2_behavior() -> None:
    """TensorFlow 2's ways: eager execution, resource variables, ints in shapes.

    >>> tf.compat.v1.enable_v2_behavior()
    >>> tf.executing_eagerly(), tf.TensorShape([3])[0]
    (True, 3)
    """
    eager_mode()
    enable_resource_variables()
    enable_v2_tensorshape()
    enable_control_flow_v2()


@export(v1=("enable_eager_execution", "contrib.eager.enable_eager_execution"))
def enable_eager_execution(config: object = None, device_policy: object = None, execution_mode: object = None) -> None:
    """Run ops at once, TensorFlow 2's way.

    Args:
        config, device_policy, execution_mode: taken; there is one processor and one order.

    >>> tf.compat.v1.enable_eager_execution()
    >>> tf.executing_eagerly()
    True
    """
    eager_mode()


@export(v1="disable_eager_execution")
def disable_eager_execution() -> None:
    """Add ops to the default graph, TensorFlow 1's way.

    >>> tf.compat.v1.disable_eager_execution()
    >>> tf.constant(1.0) * 2.0
    <tf.Tensor 'mul:0' shape=() dtype=float32>
    >>> tf.compat.v1.enable_eager_execution()
    """
    graph_mode()


@export(v1="enable_resource_variables")
def enable_resource_variables() -> None:
    """Make variables of graphs resource variables: a read gives the value at that moment.

    >>> tf1.enable_resource_variables()
    >>> tf1.resource_variables_enabled()
    True
    """
    Defaults.use_resource = True


@export(v1="disable_resource_variables")
def disable_resource_variables() -> None:
    """Make variables of graphs ref variables, TensorFlow 1's kind.

    >>> tf1.disable_resource_variables()
    >>> tf1.resource_variables_enabled()
    False
    >>> tf1.enable_resource_variables()
    """
    Defaults.use_resource = False


@export(v1="resource_variables_enabled")
def resource_variables_enabled() -> bool:
    """Whether variables of graphs are resource variables.

    >>> tf.compat.v1.resource_variables_enabled()
    True
    """
    return Defaults.use_resource


@export(v1="enable_control_flow_v2")
def enable_control_flow_v2() -> None:
    """An element of a TensorArray may be written again.

    >>> tf.compat.v1.enable_control_flow_v2()
    >>> tf.compat.v1.control_flow_v2_enabled()
    True
    """
    Ways.version_1 = False


@export(v1="disable_control_flow_v2")
def disable_control_flow_v2() -> None:
    """An element of a TensorArray of a graph is written once, and a loop's result is nested as its body returned it.

    >>> tf.compat.v1.disable_control_flow_v2()
    >>> tf.compat.v1.control_flow_v2_enabled()
    False
    >>> tf.compat.v1.enable_control_flow_v2()
    """
    Ways.version_1 = True


@export(v1="experimental.output_all_intermediates")
def output_all_intermediates(state: bool | None) -> None:
    """Takes note of nothing: branches and loops keep what a gradient will read, and only that, whatever `state` is.

    In TensorFlow it says whether they give out every value inside them, for gradients that are asked for later.

    >>> tf.compat.v1.experimental.output_all_intermediates(True)
    """


@export(v1="control_flow_v2_enabled")
def control_flow_v2_enabled() -> bool:
    """Whether an element of a TensorArray of a graph may be written again.

    >>> tf.compat.v1.control_flow_v2_enabled()
    True
    """
    return not Ways.version_1


@export(v1="enable_v2_tensorshape")
def enable_v2_tensorshape() -> None:
    """Let a shape's elements be ints and None.

    >>> tf.compat.v1.enable_v2_tensorshape()
    >>> tf.TensorShape([3, None])[0]
    3
    """
    set_v1_dimensions(False)


@export(v1="disable_v2_tensorshape")
def disable_v2_tensorshape() -> None:
    """Let a shape's elements be `Dimension` objects, with a `value`.

    >>> tf.compat.v1.disable_v2_tensorshape()
    >>> tf.TensorShape([3, None])[0]
    Dimension(3)
    >>> tf.compat.v1.enable_v2_tensorshape()
    """
    set_v1_dimensions(True)


@export(v1="enable_tensor_equality")
def enable_tensor_equality() -> None:
    """Let `==` and `!=` of eager tensors and variables, and in functions called eagerly, compare elements.

    >>> tf.compat.v1.enable_tensor_equality()
    >>> (tf.constant([1.0, 2.0]) == tf.constant([1.0, 3.0])).numpy().tolist()
    [True, False]
    """
    Comparing.elements = True


@export(v1="disable_tensor_equality")
def disable_tensor_equality() -> None:
    """Let `==` and `!=` of tensors and variables ask whether two are the same object; then they can be keys of dicts, too.

    >>> tf.compat.v1.disable_tensor_equality()
    >>> x = tf.constant([1.0, 2.0])
    >>> x == tf.constant([1.0, 2.0]), {x: "found"}[x]
    (False, 'found')
    >>> tf.compat.v1.enable_tensor_equality()
    """
    Comparing.elements = False


def executing_eagerly_v1() -> bool:
    """Whether ops run at once.

    >>> tf.compat.v1.executing_eagerly()
    True
    """
    return executing_eagerly()


@export(v1="executing_eagerly_outside_functions")
def executing_eagerly_outside_functions() -> bool:
    """Whether ops run at once outside every graph being built.

    >>> with tf.Graph().as_default():
    ...     print(tf.executing_eagerly(), tf.compat.v1.executing_eagerly_outside_functions())
    False True
    """
    return ROOT.graph is None
