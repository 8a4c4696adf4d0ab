# library: python
# compare: product, det, identity_ok, powers

# %%
class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
        if len({len(r) for r in self.rows}) != 1:
            raise ValueError("ragged rows")

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @classmethod
    def identity(cls, n):
        return cls([[1 if i == j else 0 for j in range(n)] for i in range(n)])

    def __getitem__(self, key):
        i, j = key
        return self.rows[i][j]

    def __eq__(self, other):
        return self.rows == other.rows

    def __add__(self, other):
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            return Matrix([[x * other for x in r] for r in self.rows])
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"shapes {self.shape} and {other.shape} do not match")
        cols = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self.rows])

    def transpose(self):
        return Matrix(zip(*self.rows))

    def determinant(self):
        if self.shape == (1, 1):
            return self.rows[0][0]
        total = 0
        for j, x in enumerate(self.rows[0]):
            minor = Matrix([r[:j] + r[j + 1:] for r in self.rows[1:]])
            total += (-1) ** j * x * minor.determinant()
        return total

    def __repr__(self):
        return "\n".join(" ".join(f"{x:>4}" for x in r) for r in self.rows)

# %%
A = Matrix([[2, 1, 0], [1, 3, 1]])
B = A.transpose()
A * B

# %%
product = (A * B).rows
det = (B * A + Matrix.identity(3)).determinant()
print(product, det)

# %%
C = Matrix([[1, 1], [1, 0]])
I = Matrix.identity(2)
identity_ok = C * I == C
powers = []
P = I
for _ in range(10):
    P = P * C
    powers.append(P[0, 1])
powers

