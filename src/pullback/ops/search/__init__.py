"""What is found by looking at values: order, positions, counts, partitions."""
