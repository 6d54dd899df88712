"""`tf.train.Saver`, and graphs in files beside what it saves: `export_meta_graph` and `import_meta_graph`."""
