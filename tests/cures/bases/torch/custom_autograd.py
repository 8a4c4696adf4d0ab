# library: torch
# needs: torch
# compare: out, grads, jac, hessian_diag

# %%
import torch
from torch.autograd import Function, grad

# %%
class ClampedExp(Function):
    @staticmethod
    def forward(ctx, x, limit):
        y = torch.exp(x).clamp(max=limit)
        ctx.save_for_backward(x, y)
        ctx.limit = limit
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        grad_x = grad_output * torch.where(torch.exp(x) > ctx.limit, torch.zeros_like(y), y)
        return grad_x, None

clamped_exp = ClampedExp.apply

# %%
x = torch.tensor([-1.0, 0.5, 3.0], requires_grad=True)
out = clamped_exp(x, 5.0)
out.sum().backward()
grads = x.grad.clone()
print(out.detach(), grads)

# %%
torch.autograd.gradcheck(lambda t: clamped_exp(t, 100.0), torch.rand(4, dtype=torch.double, requires_grad=True))

# %%
def f(v):
    return torch.stack([v[0] ** 2 * v[1], torch.sin(v[1]) + v[2]])

v = torch.tensor([1.0, 2.0, 3.0])
jac = torch.autograd.functional.jacobian(f, v)
jac.shape

# %%
z = torch.linspace(0, 1, 4).requires_grad_()
first, = grad((z ** 3).sum(), z, create_graph=True)
hessian_diag, = grad(first.sum(), z)
hessian_diag

