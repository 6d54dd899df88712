"""The operations that no row measures, with the reason."""

from __future__ import annotations

LEFT_OUT: dict[str, str] = {
    "exists only here: inside rules of derivatives, of lists, sparse and ragged tensors": """
        CSRSparseMatrixKept CSRSparseMatrixValuesAt CTCLossDenseDerivative CTCLossDerivative CTCLossV2Derivative
        Dilation2DTangent EagerPyFuncGrad ExtractGlimpseGrad ExtractGlimpseV2Grad ExtractImagePatchesGrad ExtractVolumePatchesGrad
        FractionalAvgPoolGradGrad FractionalMaxPoolGradGrad GatherAdjoint IgammaOrders ImageProjectiveTransformGrad IndicesWithin
        LinearRecurrence MatrixSolveLsGrad OptimizationBarrier PutAlong RaggedBroadcast RaggedCheckedSplits RaggedColumns RaggedGatherItems
        RaggedRows RaggedSameSplits RaggedSlices RaggedSparseRows RaggedSplitsOfRows RaggedStableOrder RaggedTensorPlaces
        RaggedText RaggedWithin ReducedSize ResizeAreaGrad RowsReduced RowsTaken SampleImages SampleImagesGrad SparseBroadcastPlaces
        SparseConcatPlaces SparseFound SparseKeptIndices SparseKeptPlaces SparseSplitPlaces SparseTaken SumTo TakeAlong
        TensorListAdd TensorListClear TensorListDeclare
        TensorListDropBack TensorListFresh TensorListJoinOrZeros TensorListOnce TensorListPlace
        TensorListPushNothing TensorListRepeatRows TensorListRowsOrZeros TensorListSumRows TensorListSwapAxes
        TensorListTakeOrZeros TensorListZerosLike TensorStridedSliceAdd
    """,
    "exists only here: TensorFlow composes it of several operations, or has no such function": """
        ApplyAdamWithAmsgrad ApplyKerasMomentum Cummax Cummin FeatureCross
        PseudoInverse SparseApplyKerasMomentum
    """,
    "applies functions or belongs to a graph: see the engine's benchmark": """
        Case CustomGradient NoOp Placeholder RecomputedCall While WhileRevolve
    """,
    "waits for other threads: a queue, or an accumulator of gradients": """
        FIFOQueueV2 PaddingFIFOQueueV2 PriorityQueueV2 QueueCloseV2 QueueDequeueManyV2 QueueDequeueUpToV2
        QueueDequeueV2 QueueEnqueueManyV2 QueueEnqueueV2 QueueIsClosedV2 QueueSizeV2 RandomShuffleQueueV2
        ResourceAccumulatorApplyGradient ResourceAccumulatorNumAccumulated ResourceAccumulatorSetGlobalStep
        ResourceAccumulatorTakeGradient ResourceConditionalAccumulator SparseAccumulatorApplyGradient
        SparseAccumulatorTakeGradient SparseConditionalAccumulator
    """,
    "hands on a dataset's elements: see the benchmark of pipelines": """
        AnonymousIteratorV3 BuildDataset DatasetCardinality EvaluateDataset IteratorFromStringHandleV2 IteratorGetNext
        IteratorGetNextAsOptional IteratorHasNext IteratorToStringHandle IteratorV2 MakeIterator OneShotIterator ParseExamples
    """,
    "belongs to TensorFlow 1's control flow, or holds what loops keep": "StackCloseV2 StackPopV2 StackPushV2 StackV2 Switch",
    "stands for several, which sessions run at once": "PyFuncsTogether",
    "reads or writes the text of a file of sound": "DecodeWav EncodeWav",
    "makes or reads a message": "ParseTensor SerializeTensor",
    "reads the text of a table": "DecodeCSV",
    "reads files whose names a queue gives, or finds their names": """
        FixedLengthRecordReaderV2 IdentityReaderV2 MatchingFiles ReaderNumRecordsProducedV2 ReaderNumWorkUnitsCompletedV2
        ReaderReadUpToV2 ReaderReadV2 ReaderResetV2 TFRecordReaderV2 TextLineReaderV2 WholeFileReaderV2
    """,
    "looks up keys in a table of Python's": """
        HashTableV2 InitializeTableFromTextFileV2 LookupTableExportV2 LookupTableFindV2 LookupTableImportV2
        LookupTableInsertV2 LookupTableRemoveV2 LookupTableSizeV2
    """,
    "gives and takes between processes: see docs/scale.md": """
        ReplicaAllGather ReplicaAllReduce ReplicaAllReduceFinish ReplicaAllReduceRows ReplicaAllReduceStart
        ReplicaBroadcast ReplicaExchange ReplicaReduce ReplicaReduceScatter
        Shard
    """,
    "AddN of lists of tensors, under a name that TensorFlow has not": "TensorListSum",
    "prints": "Print PrintV2",
    "wants a variable by reference, which TensorFlow has in graphs only; its eager namesake begins with Resource": """
        Assign AssignAdd AssignSub CountUpTo DebugGradientRefIdentity RefIdentity ScatterDiv ScatterMax ScatterMin ScatterMul
        ScatterNdAdd ScatterNdMax ScatterNdMin ScatterNdSub ScatterNdUpdate ScatterSub StridedSliceAssign
    """,
    "TensorFlow has no kernel for processors": """
        AccumulateNV2 CTCLossV2 FFTND GenerateBoundingBoxProposals IFFTND IRFFTND MaxPoolGradGradWithArgmax RFFTND
        SparseMatrixAdd SparseMatrixMul SparseMatrixSoftmax SparseMatrixSoftmaxGrad SparseMatrixZeros XlaEinsum
    """,
    "TensorFlow refuses to run it eagerly: removed long ago, or an attribute that eager calls do not know": """
        BatchNormWithGlobalNormalization BatchNormWithGlobalNormalizationGrad ImageSummary QuantizeAndDequantize RandomCrop
        RandomPoisson TopK
    """,
    "takes other attributes here than in TensorFlow's raw operation": "TensorSummaryV2",
    "reads or writes a file: the disk's time": "ReadFile WriteFile",
    "wants a file that neither library can write": "DecodeWebP",
}


def reasons() -> dict[str, str]:
    """Why there is no row: operation -> reason."""
    return {name: why for why, names in LEFT_OUT.items() for name in names.split()}
