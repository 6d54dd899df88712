"""The names of `pullback.compat.v1.graph_util`, written by docs/make_exports.py."""

from pullback.tensorflow.graph_util import convert_variables_to_constants as convert_variables_to_constants
from pullback.tensorflow.graph_util import extract_sub_graph as extract_sub_graph
from pullback.tensorflow.graph_util import must_run_on_cpu as must_run_on_cpu
from pullback.tensorflow.graph_util import remove_training_nodes as remove_training_nodes
from pullback.tensorflow.graph_util import tensor_shape_from_node_def_name as tensor_shape_from_node_def_name

__all__ = [
    "convert_variables_to_constants",
    "extract_sub_graph",
    "must_run_on_cpu",
    "remove_training_nodes",
    "tensor_shape_from_node_def_name",
]
