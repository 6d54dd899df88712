"""The names of `pullback.compat.v1.contrib.framework`, written by docs/make_exports.py."""

from pullback.compat.v1.contrib.framework import nest as nest
from pullback.tensorflow.contrib.arg_scope import add_arg_scope as add_arg_scope
from pullback.tensorflow.contrib.arg_scope import arg_scope as arg_scope
from pullback.tensorflow.contrib.arg_scope import arg_scoped_arguments as arg_scoped_arguments
from pullback.tensorflow.contrib.arg_scope import current_arg_scope as current_arg_scope
from pullback.tensorflow.contrib.arg_scope import has_arg_scope as has_arg_scope
from pullback.tensorflow.contrib.variables import add_model_variable as add_model_variable
from pullback.tensorflow.contrib.variables import assign_from_checkpoint_fn as assign_from_checkpoint_fn
from pullback.tensorflow.contrib.variables import assign_from_values as assign_from_values
from pullback.tensorflow.contrib.variables import assign_from_values_fn as assign_from_values_fn
from pullback.tensorflow.contrib.variables import filter_variables as filter_variables
from pullback.tensorflow.contrib.variables import get_local_variables as get_local_variables
from pullback.tensorflow.contrib.variables import get_model_variables as get_model_variables
from pullback.tensorflow.contrib.variables import get_trainable_variables as get_trainable_variables
from pullback.tensorflow.contrib.variables import get_unique_variable as get_unique_variable
from pullback.tensorflow.contrib.variables import get_variables as get_variables
from pullback.tensorflow.contrib.variables import get_variables_by_name as get_variables_by_name
from pullback.tensorflow.contrib.variables import get_variables_by_suffix as get_variables_by_suffix
from pullback.tensorflow.contrib.variables import get_variables_to_restore as get_variables_to_restore
from pullback.tensorflow.contrib.variables import local_variable as local_variable
from pullback.tensorflow.contrib.variables import model_variable as model_variable
from pullback.tensorflow.contrib.variables import variable as variable
from pullback.train.files import list_variables as list_variables
from pullback.train.files import load_checkpoint as load_checkpoint
from pullback.train.files import load_variable as load_variable
from pullback.train.global_step import assert_global_step as assert_global_step
from pullback.train.global_step import create_global_step as create_global_step
from pullback.train.global_step import get_global_step as get_global_step
from pullback.train.global_step import get_or_create_global_step as get_or_create_global_step

__all__ = [
    "add_arg_scope",
    "add_model_variable",
    "arg_scope",
    "arg_scoped_arguments",
    "assert_global_step",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "create_global_step",
    "current_arg_scope",
    "filter_variables",
    "get_global_step",
    "get_local_variables",
    "get_model_variables",
    "get_or_create_global_step",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "has_arg_scope",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "local_variable",
    "model_variable",
    "nest",
    "variable",
]
