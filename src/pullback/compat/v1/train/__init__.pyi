"""The names of `pullback.compat.v1.train`, written by docs/make_exports.py."""

from pullback.compat.v1.train import experimental as experimental
from pullback.compat.v1.train import queue_runner as queue_runner
from pullback.tensorflow.datasets.messages import BytesList as BytesList
from pullback.tensorflow.datasets.messages import Example as Example
from pullback.tensorflow.datasets.messages import Feature as Feature
from pullback.tensorflow.datasets.messages import FeatureList as FeatureList
from pullback.tensorflow.datasets.messages import FeatureLists as FeatureLists
from pullback.tensorflow.datasets.messages import Features as Features
from pullback.tensorflow.datasets.messages import FloatList as FloatList
from pullback.tensorflow.datasets.messages import Int64List as Int64List
from pullback.tensorflow.datasets.messages import SequenceExample as SequenceExample
from pullback.tensorflow.meta_graphs.graph_files import write_graph as write_graph
from pullback.tensorflow.meta_graphs.importing import import_meta_graph as import_meta_graph
from pullback.tensorflow.meta_graphs.meta_graph import export_meta_graph as export_meta_graph
from pullback.tensorflow.meta_graphs.saver import Saver as Saver
from pullback.tensorflow.monitored.hooks import FeedFnHook as FeedFnHook
from pullback.tensorflow.monitored.hooks import FinalOpsHook as FinalOpsHook
from pullback.tensorflow.monitored.hooks import GlobalStepWaiterHook as GlobalStepWaiterHook
from pullback.tensorflow.monitored.hooks import LoggingTensorHook as LoggingTensorHook
from pullback.tensorflow.monitored.hooks import NanLossDuringTrainingError as NanLossDuringTrainingError
from pullback.tensorflow.monitored.hooks import NanTensorHook as NanTensorHook
from pullback.tensorflow.monitored.hooks import SecondOrStepTimer as SecondOrStepTimer
from pullback.tensorflow.monitored.hooks import SessionRunArgs as SessionRunArgs
from pullback.tensorflow.monitored.hooks import SessionRunContext as SessionRunContext
from pullback.tensorflow.monitored.hooks import SessionRunHook as SessionRunHook
from pullback.tensorflow.monitored.hooks import SessionRunValues as SessionRunValues
from pullback.tensorflow.monitored.hooks import StopAtStepHook as StopAtStepHook
from pullback.tensorflow.monitored.saving_hooks import CheckpointSaverHook as CheckpointSaverHook
from pullback.tensorflow.monitored.saving_hooks import CheckpointSaverListener as CheckpointSaverListener
from pullback.tensorflow.monitored.saving_hooks import StepCounterHook as StepCounterHook
from pullback.tensorflow.monitored.saving_hooks import SummarySaverHook as SummarySaverHook
from pullback.tensorflow.monitored.session_manager import SessionManager as SessionManager
from pullback.tensorflow.monitored.sessions import ChiefSessionCreator as ChiefSessionCreator
from pullback.tensorflow.monitored.sessions import MonitoredSession as MonitoredSession
from pullback.tensorflow.monitored.sessions import MonitoredTrainingSession as MonitoredTrainingSession
from pullback.tensorflow.monitored.sessions import Scaffold as Scaffold
from pullback.tensorflow.monitored.sessions import SessionCreator as SessionCreator
from pullback.tensorflow.monitored.sessions import SingularMonitoredSession as SingularMonitoredSession
from pullback.tensorflow.monitored.sessions import WorkerSessionCreator as WorkerSessionCreator
from pullback.tensorflow.monitored.supervisor import Supervisor as Supervisor
from pullback.tensorflow.monitored.supervisor import basic_train_loop as basic_train_loop
from pullback.tensorflow.pipelines.batches import batch as batch
from pullback.tensorflow.pipelines.batches import batch_join as batch_join
from pullback.tensorflow.pipelines.batches import maybe_batch as maybe_batch
from pullback.tensorflow.pipelines.batches import maybe_batch_join as maybe_batch_join
from pullback.tensorflow.pipelines.batches import maybe_shuffle_batch as maybe_shuffle_batch
from pullback.tensorflow.pipelines.batches import maybe_shuffle_batch_join as maybe_shuffle_batch_join
from pullback.tensorflow.pipelines.batches import shuffle_batch as shuffle_batch
from pullback.tensorflow.pipelines.batches import shuffle_batch_join as shuffle_batch_join
from pullback.tensorflow.pipelines.producers import input_producer as input_producer
from pullback.tensorflow.pipelines.producers import limit_epochs as limit_epochs
from pullback.tensorflow.pipelines.producers import match_filenames_once as match_filenames_once
from pullback.tensorflow.pipelines.producers import range_input_producer as range_input_producer
from pullback.tensorflow.pipelines.producers import slice_input_producer as slice_input_producer
from pullback.tensorflow.pipelines.producers import string_input_producer as string_input_producer
from pullback.tensorflow.queues.runners import QueueRunner as QueueRunner
from pullback.tensorflow.queues.runners import add_queue_runner as add_queue_runner
from pullback.tensorflow.queues.runners import start_queue_runners as start_queue_runners
from pullback.tensorflow.summary.message import summary_iterator as summary_iterator
from pullback.train.averages import ExponentialMovingAverage as ExponentialMovingAverage
from pullback.train.checkpoint import Checkpoint as Checkpoint
from pullback.train.checkpoint import CheckpointManager as CheckpointManager
from pullback.train.checkpoint_state import get_checkpoint_state as get_checkpoint_state
from pullback.train.checkpoint_state import update_checkpoint_state as update_checkpoint_state
from pullback.train.checkpoint_views import CheckpointOptions as CheckpointOptions
from pullback.train.checkpoint_views import checkpoints_iterator as checkpoints_iterator
from pullback.train.checkpoint_views import get_checkpoint_mtimes as get_checkpoint_mtimes
from pullback.train.coordinator import Coordinator as Coordinator
from pullback.train.coordinator import LooperThread as LooperThread
from pullback.train.files import CheckpointReader as NewCheckpointReader
from pullback.train.files import checkpoint_exists as checkpoint_exists
from pullback.train.files import latest_checkpoint as latest_checkpoint
from pullback.train.files import list_variables as list_variables
from pullback.train.files import load_checkpoint as load_checkpoint
from pullback.train.files import load_variable as load_variable
from pullback.train.files import remove_checkpoint as remove_checkpoint
from pullback.train.global_step import assert_global_step as assert_global_step
from pullback.train.global_step import create_global_step as create_global_step
from pullback.train.global_step import get_global_step as get_global_step
from pullback.train.global_step import get_or_create_global_step as get_or_create_global_step
from pullback.train.global_step import global_step as global_step
from pullback.train.initial_values import init_from_checkpoint as init_from_checkpoint
from pullback.train.noisy_decay import noisy_linear_cosine_decay as noisy_linear_cosine_decay
from pullback.train.optimizer import Optimizer as Optimizer
from pullback.train.optimizers import AdadeltaOptimizer as AdadeltaOptimizer
from pullback.train.optimizers import AdagradOptimizer as AdagradOptimizer
from pullback.train.optimizers import AdamOptimizer as AdamOptimizer
from pullback.train.optimizers import FtrlOptimizer as FtrlOptimizer
from pullback.train.optimizers import GradientDescentOptimizer as GradientDescentOptimizer
from pullback.train.optimizers import MomentumOptimizer as MomentumOptimizer
from pullback.train.optimizers import RMSPropOptimizer as RMSPropOptimizer
from pullback.train.optimizers_proximal import AdagradDAOptimizer as AdagradDAOptimizer
from pullback.train.optimizers_proximal import ProximalAdagradOptimizer as ProximalAdagradOptimizer
from pullback.train.optimizers_proximal import ProximalGradientDescentOptimizer as ProximalGradientDescentOptimizer
from pullback.train.schedules import cosine_decay as cosine_decay
from pullback.train.schedules import cosine_decay_restarts as cosine_decay_restarts
from pullback.train.schedules import exponential_decay as exponential_decay
from pullback.train.schedules import inverse_time_decay as inverse_time_decay
from pullback.train.schedules import linear_cosine_decay as linear_cosine_decay
from pullback.train.schedules import natural_exp_decay as natural_exp_decay
from pullback.train.schedules import piecewise_constant as piecewise_constant
from pullback.train.schedules import piecewise_constant as piecewise_constant_decay
from pullback.train.schedules import polynomial_decay as polynomial_decay

__all__ = [
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "BytesList",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "ChiefSessionCreator",
    "Coordinator",
    "Example",
    "ExponentialMovingAverage",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FeedFnHook",
    "FinalOpsHook",
    "FloatList",
    "FtrlOptimizer",
    "GlobalStepWaiterHook",
    "GradientDescentOptimizer",
    "Int64List",
    "LoggingTensorHook",
    "LooperThread",
    "MomentumOptimizer",
    "MonitoredSession",
    "MonitoredTrainingSession",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "NewCheckpointReader",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "QueueRunner",
    "RMSPropOptimizer",
    "Saver",
    "Scaffold",
    "SecondOrStepTimer",
    "SequenceExample",
    "SessionCreator",
    "SessionManager",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
    "SingularMonitoredSession",
    "StepCounterHook",
    "StopAtStepHook",
    "SummarySaverHook",
    "Supervisor",
    "WorkerSessionCreator",
    "add_queue_runner",
    "assert_global_step",
    "basic_train_loop",
    "batch",
    "batch_join",
    "checkpoint_exists",
    "checkpoints_iterator",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "experimental",
    "exponential_decay",
    "export_meta_graph",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
    "import_meta_graph",
    "init_from_checkpoint",
    "input_producer",
    "inverse_time_decay",
    "latest_checkpoint",
    "limit_epochs",
    "linear_cosine_decay",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "match_filenames_once",
    "maybe_batch",
    "maybe_batch_join",
    "maybe_shuffle_batch",
    "maybe_shuffle_batch_join",
    "natural_exp_decay",
    "noisy_linear_cosine_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
    "queue_runner",
    "range_input_producer",
    "remove_checkpoint",
    "shuffle_batch",
    "shuffle_batch_join",
    "slice_input_producer",
    "start_queue_runners",
    "string_input_producer",
    "summary_iterator",
    "update_checkpoint_state",
    "write_graph",
]
