# library: tensorflow
# needs: numpy, tensorflow
# compare: matmul, gathered, onehot, padded, scores

# %%
import tensorflow as tf
import numpy as np

rank_2 = tf.constant([[1, 2], [3, 4], [5, 6]], dtype=tf.float16)
print(rank_2)
rank_2.shape

# %%
a = tf.cast(rank_2, tf.float32)
b = tf.ones([2, 3])
matmul = (a @ b).numpy()
matmul

# %%
x = tf.reshape(tf.range(12), (3, 4))
gathered = tf.gather(x, [0, 2], axis=0).numpy()
col_sum = tf.reduce_sum(x, axis=0)
biggest = tf.argmax(col_sum)
print(col_sum.numpy(), int(biggest))

# %%
labels = [2, 0, 1]
onehot = tf.one_hot(labels, depth=3).numpy()
logits = tf.constant([[0.1, 0.2, 2.0], [1.5, 0.3, 0.2], [0.0, 2.2, 0.4]])
loss = tf.nn.softmax_cross_entropy_with_logits(labels=onehot, logits=logits)
scores = np.round(loss.numpy(), 4)
scores

# %%
img = tf.expand_dims(tf.random.stateless_uniform((4, 4), seed=(1, 2)), axis=-1)
padded = tf.image.pad_to_bounding_box(img, 1, 1, 6, 6).shape.as_list()
stacked = tf.concat([img, 1 - img], axis=2)
stacked.shape

# %%
v = tf.Variable(tf.zeros(3))
v.assign_add([1.0, 2.0, 3.0])
v[0].assign(10.0)
tf.where(v > 2.5, v, -v)

