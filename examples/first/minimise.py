"""Find the lowest point of a function."""
import pullback as tf


def valley(p):
    return (1.0 - p["x"]) ** 2 + 100.0 * (p["y"] - p["x"] ** 2) ** 2


found = tf.optimize.minimize(valley, {"x": tf.constant(-1.0, tf.float64), "y": 2.0})
print(found.success, round(float(found.x["x"]), 4), round(float(found.x["y"]), 4))

# prints:
# True 1.0 1.0
