# library: torch
# needs: torch
# compare: d_losses, g_losses, fake_mean

# %%
import torch
from torch import nn, optim

manual_seed = 999
torch.manual_seed(manual_seed)

nz = 4
batch_size = 16
real_label, fake_label = 1.0, 0.0

# %%
netG = nn.Sequential(nn.Linear(nz, 16), nn.LeakyReLU(0.2, inplace=True), nn.Linear(16, 2))
netD = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2, inplace=True), nn.Linear(16, 1), nn.Sigmoid())

def weights_init(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, 0.0, 0.2)
        nn.init.zeros_(m.bias)

netG.apply(weights_init)
netD.apply(weights_init)
print(netD)

# %%
criterion = nn.BCELoss()
optimizerD = optim.Adam(netD.parameters(), lr=0.01, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=0.01, betas=(0.5, 0.999))
fixed_noise = torch.randn(64, nz)

# %%
d_losses, g_losses = [], []
for step in range(20):
    # real batch
    netD.zero_grad()
    real = torch.randn(batch_size, 2) * 0.3 + torch.tensor([2.0, -1.0])
    label = torch.full((batch_size,), real_label)
    output = netD(real).view(-1)
    errD_real = criterion(output, label)
    errD_real.backward()

    noise = torch.randn(batch_size, nz)
    fake = netG(noise)
    label.fill_(fake_label)
    output = netD(fake.detach()).view(-1)
    errD_fake = criterion(output, label)
    errD_fake.backward()
    optimizerD.step()

    # generator
    netG.zero_grad()
    label.fill_(real_label)
    output = netD(fake).view(-1)
    errG = criterion(output, label)
    errG.backward()
    optimizerG.step()

    d_losses.append((errD_real + errD_fake).item())
    g_losses.append(errG.item())

# %%
with torch.no_grad():
    samples = netG(fixed_noise)
fake_mean = samples.mean(dim=0)
print(f"D {d_losses[-1]:.3f}  G {g_losses[-1]:.3f}", fake_mean)

