# %% [markdown]
"""
# Save and restore

A checkpoint takes variables, lists, dicts, dataclasses, modules and optimizers. `assert_consumed` raises an error if anything was not
restored.
"""

# %%
import tempfile
from pathlib import Path

import pullback as tf

folder = Path(tempfile.mkdtemp())
model = {"w": tf.Variable([1.0, 2.0]), "b": tf.Variable(3.0)}
path = tf.train.Checkpoint(model=model).save(folder / "model")

# %%
model["w"].assign([0.0, 0.0])
tf.train.Checkpoint(model=model).restore(path).assert_consumed()
print(model["w"].numpy(), model["b"].numpy())

# %% [markdown]
"""
## Keep the newest few

A manager numbers the files, deletes old ones, and finds the newest after a crash.
"""

# %%
manager = tf.train.CheckpointManager(tf.train.Checkpoint(model=model), folder / "run", max_to_keep=2)
for turn in range(4):
    model["b"].assign(turn)
    manager.save()
print([Path(name).name for name in manager.checkpoints])
model["b"].assign(-1.0)
manager.restore_or_initialize()
print(model["b"].numpy())

# %% tags=["check"]
import shutil

shutil.rmtree(folder)
assert model["w"].numpy().tolist() == [1.0, 2.0] and model["b"].numpy() == 3.0
assert len(manager.checkpoints) == 2
