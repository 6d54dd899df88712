"""Neural-network functions built from operations: losses, normalisation, convolutions, pooling, dropout, embeddings."""
