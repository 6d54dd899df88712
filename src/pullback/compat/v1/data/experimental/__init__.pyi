"""The names of `pullback.compat.v1.data.experimental`, written by docs/make_exports.py."""

from pullback.compat.v1.data.experimental import service as service
from pullback.tensorflow.datasets.csv_files import CsvDatasetV1 as CsvDataset
from pullback.tensorflow.datasets.csv_tables import make_csv_dataset_v1 as make_csv_dataset
from pullback.tensorflow.datasets.dataset import DatasetSpec as DatasetStructure
from pullback.tensorflow.datasets.experimental import Counter as Counter
from pullback.tensorflow.datasets.experimental import RandomDataset as RandomDataset
from pullback.tensorflow.datasets.experimental import Reducer as Reducer
from pullback.tensorflow.datasets.experimental import assert_cardinality as assert_cardinality
from pullback.tensorflow.datasets.experimental import bucket_by_sequence_length as bucket_by_sequence_length
from pullback.tensorflow.datasets.experimental import cardinality as cardinality
from pullback.tensorflow.datasets.experimental import choose_from_datasets as choose_from_datasets
from pullback.tensorflow.datasets.experimental import copy_to_device as copy_to_device
from pullback.tensorflow.datasets.experimental import dense_to_ragged_batch as dense_to_ragged_batch
from pullback.tensorflow.datasets.experimental import dense_to_sparse_batch as dense_to_sparse_batch
from pullback.tensorflow.datasets.experimental import enumerate_dataset as enumerate_dataset
from pullback.tensorflow.datasets.experimental import from_list as from_list
from pullback.tensorflow.datasets.experimental import get_next_as_optional as get_next_as_optional
from pullback.tensorflow.datasets.experimental import get_single_element as get_single_element
from pullback.tensorflow.datasets.experimental import get_structure as get_structure
from pullback.tensorflow.datasets.experimental import group_by_reducer as group_by_reducer
from pullback.tensorflow.datasets.experimental import group_by_window as group_by_window
from pullback.tensorflow.datasets.experimental import ignore_errors as ignore_errors
from pullback.tensorflow.datasets.experimental import load as load
from pullback.tensorflow.datasets.experimental import map_and_batch as map_and_batch
from pullback.tensorflow.datasets.experimental import parallel_interleave as parallel_interleave
from pullback.tensorflow.datasets.experimental import prefetch_to_device as prefetch_to_device
from pullback.tensorflow.datasets.experimental import rejection_resample as rejection_resample
from pullback.tensorflow.datasets.experimental import sample_from_datasets as sample_from_datasets
from pullback.tensorflow.datasets.experimental import save as save
from pullback.tensorflow.datasets.experimental import scan as scan
from pullback.tensorflow.datasets.experimental import shuffle_and_repeat as shuffle_and_repeat
from pullback.tensorflow.datasets.experimental import take_while as take_while
from pullback.tensorflow.datasets.experimental import unbatch as unbatch
from pullback.tensorflow.datasets.experimental import unique as unique
from pullback.tensorflow.datasets.lookup_tables import DatasetInitializer as DatasetInitializer
from pullback.tensorflow.datasets.lookup_tables import index_table_from_dataset as index_table_from_dataset
from pullback.tensorflow.datasets.lookup_tables import table_from_dataset as table_from_dataset
from pullback.tensorflow.datasets.methods import AUTOTUNE as AUTOTUNE
from pullback.tensorflow.datasets.optional import Optional as Optional
from pullback.tensorflow.datasets.optional import OptionalSpec as OptionalStructure
from pullback.tensorflow.datasets.options import AutoShardPolicy as AutoShardPolicy
from pullback.tensorflow.datasets.options import AutotuneAlgorithm as AutotuneAlgorithm
from pullback.tensorflow.datasets.options import AutotuneOptions as AutotuneOptions
from pullback.tensorflow.datasets.options import DistributeOptions as DistributeOptions
from pullback.tensorflow.datasets.options import ExternalStatePolicy as ExternalStatePolicy
from pullback.tensorflow.datasets.options import OptimizationOptions as OptimizationOptions
from pullback.tensorflow.datasets.options import ServiceOptions as ServiceOptions
from pullback.tensorflow.datasets.options import ThreadingOptions as ThreadingOptions
from pullback.tensorflow.datasets.readers import DatasetRecordWriter as TFRecordWriter
from pullback.tensorflow.datasets.service import distributed_save as distributed_save
from pullback.tensorflow.datasets.source import INFINITE as INFINITE_CARDINALITY
from pullback.tensorflow.datasets.source import UNKNOWN as UNKNOWN_CARDINALITY

__all__ = [
    "AUTOTUNE",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "Counter",
    "CsvDataset",
    "DatasetInitializer",
    "DatasetStructure",
    "DistributeOptions",
    "ExternalStatePolicy",
    "INFINITE_CARDINALITY",
    "OptimizationOptions",
    "Optional",
    "OptionalStructure",
    "RandomDataset",
    "Reducer",
    "ServiceOptions",
    "TFRecordWriter",
    "ThreadingOptions",
    "UNKNOWN_CARDINALITY",
    "assert_cardinality",
    "bucket_by_sequence_length",
    "cardinality",
    "choose_from_datasets",
    "copy_to_device",
    "dense_to_ragged_batch",
    "dense_to_sparse_batch",
    "distributed_save",
    "enumerate_dataset",
    "from_list",
    "get_next_as_optional",
    "get_single_element",
    "get_structure",
    "group_by_reducer",
    "group_by_window",
    "ignore_errors",
    "index_table_from_dataset",
    "load",
    "make_csv_dataset",
    "map_and_batch",
    "parallel_interleave",
    "prefetch_to_device",
    "rejection_resample",
    "sample_from_datasets",
    "save",
    "scan",
    "service",
    "shuffle_and_repeat",
    "table_from_dataset",
    "take_while",
    "unbatch",
    "unique",
]
