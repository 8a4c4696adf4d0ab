// Ten cells that fail in ten ways, for pictures of what their cards say to change.

/** What the failing cells use. */
export const SETUP = `import numpy as np
rng = np.random.default_rng(7)
features = rng.normal(size=(64, 12))
weights = rng.normal(size=(5, 12))
prices = {"apple": 1.2, "banana": 0.5, "cherry": 3.0}
open("measurements.csv", "w").write("day,degrees\\n1,20.5\\n2,21.0\\n")
epochs = 3`;

/** The failing cells by the name of their pictures. */
export const CURES = {
  'missing-import': 'area = math.pi * 2.5 ** 2\nprint(area)',
  'misspelt-name': 'scaled = (feature - features.mean()) / features.std()\nscaled.shape',
  'matrix-product': 'scores = features @ weights\nscores.argmax(axis=1)',
  'removed-alias': 'mask = np.ones(len(features), dtype=np.bool8)\nfeatures[mask].shape',
  'close-key': 'basket = ["apple", "bananna"]\ntotal = prices["apple"] + prices["bananna"]\nprint(total)',
  'text-and-number': 'print("trained for " + epochs + " epochs")',
  'wrong-path': 'with open("measurement.csv") as file:\n    rows = file.read().splitlines()\nprint(len(rows))',
  'index-beyond': 'for i in range(len(features) + 1):\n    row = features[i]\nprint(row.sum())',
  'missing-bracket': 'means = features.mean(axis=0\nprint(means[:3])',
  'unknown-argument': 'order = sorted(prices.items(), key=lambda pair: pair[1], reversed=True)\nprint(order)',
};
