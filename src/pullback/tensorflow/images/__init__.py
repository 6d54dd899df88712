"""Images: files, colours, sizes, crops, boxes."""
