# library: python
# compare: in_order, reversed_values, evaluated

# %%
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next

class LinkedList:
    def __init__(self, values=()):
        self.head = None
        self.length = 0
        for v in values:
            self.append(v)

    def append(self, value):
        node = Node(value)
        if self.head is None:
            self.head = node
        else:
            cur = self.head
            while cur.next:
                cur = cur.next
            cur.next = node
        self.length += 1

    def reverse(self):
        prev, cur = None, self.head
        while cur is not None:
            cur.next, prev, cur = prev, cur, cur.next
        self.head = prev

    def __iter__(self):
        cur = self.head
        while cur:
            yield cur.value
            cur = cur.next

    def __len__(self):
        return self.length

# %%
ll = LinkedList([3, 1, 4, 1, 5])
ll.append(9)
ll.reverse()
reversed_values = list(ll)
len(ll), reversed_values

# %%
class Tree:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None

    def insert(self, key):
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child:
            child.insert(key)
        else:
            setattr(self, side, Tree(key))

    def walk(self):
        if self.left:
            yield from self.left.walk()
        yield self.key
        if self.right:
            yield from self.right.walk()

root = Tree(ll.head.value)
for v in list(ll)[1:]:
    root.insert(v)
in_order = list(root.walk())
in_order

# %%
def rpn(expression):
    stack = []
    ops = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}
    for token in expression.split():
        if token in ops:
            b = stack.pop()
            a = stack.pop()
            stack.append(ops[token](a, b))
        else:
            stack.append(float(token))
    return stack.pop()

evaluated = [rpn(e) for e in ("3 4 +", "5 1 2 + 4 * + 3 -", "10 4 /")]
evaluated
