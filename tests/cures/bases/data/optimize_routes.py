# library: scipy
# needs: numpy, scipy
# compare: order, cost, assignment, xs

# %%
import numpy as np
from scipy.spatial.distance import cdist
from scipy.optimize import linear_sum_assignment, linprog, minimize
from scipy.interpolate import CubicSpline

rng = np.random.default_rng(50)

# %%
# which driver goes to which customer?
drivers = rng.uniform(0, 10, (4, 2))
customers = rng.uniform(0, 10, (4, 2))
costs = cdist(drivers, customers)
costs.round(1)

# %%
rows, cols = linear_sum_assignment(costs)
assignment = dict(zip(rows.tolist(), cols.tolist()))
cost = costs[rows, cols].sum()
assignment, round(cost, 3)

# %%
# nearest neighbour tour
def tour(points, start=0):
    D = cdist(points, points)
    left = set(range(len(points))) - {start}
    path = [start]
    while left:
        last = path[-1]
        nxt = min(left, key=lambda j: D[last, j])
        path.append(nxt)
        left.remove(nxt)
    return path

order = tour(np.vstack([drivers, customers]))
order

# %%
# diet problem: min cost s.t. protein and calories
c = [2.5, 1.2, 0.6]
A_ub = [[-20, -5, -2], [-250, -300, -80]]
b_ub = [-60, -2000]
res = linprog(c, A_ub=A_ub, b_ub=b_ub, bounds=[(0, 10)] * 3, method="highs")
xs = res.x.round(3)
print(res.message)

# %%
spline = CubicSpline([0, 1, 2, 3], [0, 2, 1, 3])
low = minimize(lambda v: spline(v[0]), x0=[1.8], bounds=[(1, 3)])
round(float(low.x[0]), 2)

