// The texts that are measured, made anew for each run and the same each time.

const KB = 1000;

/** A fixed sequence of numbers from 0 to below 1 (mulberry32). */
function sequence(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    real: (from, to, digits) => (from + next() * (to - from)).toFixed(digits),
    one: (list) => list[Math.floor(next() * list.length)],
  };
}

const two = (n) => String(n).padStart(2, "0");
const clock = (s) => `${two(Math.floor(s / 60))}:${two(Math.floor(s % 60))}`;
const PACKAGES = ["torch", "numpy", "transformers", "datasets", "accelerate", "tokenizers", "safetensors", "scikit-learn", "tqdm", "fsspec", "huggingface-hub", "regex", "pyyaml", "sympy", "networkx", "jinja2", "pandas", "timm"];
const LAYERS = ["Conv2D", "BatchNormalization", "MaxPooling2D", "Dense", "Dropout", "Flatten", "Embedding", "LSTM"];

/** tqdm: one line, redrawn at each step. */
function tqdm(r, steps) {
  const rate = r.int(80, 400) / 10;
  const label = r.one(["Training", "Epoch 3/10", "Validating", "Map", "Loading checkpoint shards", "train"]);
  let out = "";
  for (let i = 0; i <= steps; i++) {
    const part = i / steps;
    const full = Math.floor(part * 28);
    const bar = "█".repeat(full) + (full < 28 ? "▏▎▍▌▋▊▉"[i % 7] : "");
    out += `\r${label}: ${String(Math.floor(part * 100)).padStart(3)}%|${bar.padEnd(28)}| ${i}/${steps} [${clock(i / rate)}<${clock((steps - i) / rate)}, ${rate.toFixed(2)}it/s, loss=${r.real(0.1, 2, 4)}]`;
  }
  return `${out}\n`;
}

/** Keras 3: colours, and a line that goes back to its start. */
function keras(r, epoch) {
  const steps = r.int(6, 12);
  let out = `Epoch ${epoch}/50\n`;
  for (let i = 1; i <= steps; i++) {
    const full = Math.floor((20 * i) / steps);
    out += `\r\x1b[1m${i}/${steps}\x1b[0m \x1b[32m${"━".repeat(full)}\x1b[0m\x1b[37m${"━".repeat(20 - full)}\x1b[0m \x1b[1m${r.int(1, 9)}s\x1b[0m ${r.int(20, 400)}ms/step - accuracy: ${r.real(0.5, 1, 4)} - loss: ${r.real(0.01, 2, 4)}`;
  }
  return `${out} - val_accuracy: ${r.real(0.5, 1, 4)} - val_loss: ${r.real(0.01, 2, 4)}\n`;
}

function pip(r) {
  let out = "";
  for (let i = r.int(3, 12); i > 0; i--) {
    const name = r.one(PACKAGES);
    const version = `${r.int(0, 4)}.${r.int(0, 30)}.${r.int(0, 9)}`;
    out += r.next() < 0.5
      ? `Requirement already satisfied: ${name}>=${version} in /usr/local/lib/python3.11/dist-packages (from ${r.one(PACKAGES)}) (${version})\n`
      : `Collecting ${name}==${version}\n  Downloading ${name}-${version}-cp311-cp311-manylinux_2_17_x86_64.whl (${r.real(0.1, 90, 1)} MB)\n     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ ${r.real(0.1, 90, 1)}/90.0 MB ${r.real(1, 60, 1)} MB/s eta 0:00:00\n`;
  }
  return `${out}Installing collected packages: ${PACKAGES.slice(0, r.int(2, 9)).join(", ")}\nSuccessfully installed ${r.one(PACKAGES)}-1.2.3\n`;
}

function summary(r) {
  let out = 'Model: "functional_1"\n_________________________________________________________________\n Layer (type)                Output Shape              Param #   \n=================================================================\n';
  for (let i = 0; i < 10; i++) {
    const name = r.one(LAYERS);
    out += ` ${`${name.toLowerCase()}_${i} (${name})`.padEnd(28)}${`(None, ${r.int(1, 256)}, ${r.int(1, 512)})`.padEnd(26)}${r.int(0, 999999)}\n\n`;
  }
  return `${out}=================================================================\nTotal params: ${r.int(1, 99)}.${r.int(10, 99)} M\n`;
}

const loop = (n, line) => Array.from({ length: n }, (_, i) => line(i)).join("");
const stamp = (r) => `2026-03-${two(r.int(1, 28))} ${two(r.int(0, 23))}:${two(r.int(0, 59))}:${two(r.int(0, 59))}`;

/** What a long run prints, one stretch each. Most lines end where they end; some bars redraw theirs. */
const STRETCHES = [
  (r) => loop(r.int(40, 120), (i) => `Epoch ${r.int(1, 90)} | step ${i * 50} | loss ${r.real(0.01, 4, 5)} | lr ${r.real(1, 9, 3)}e-05 | grad_norm ${r.real(0.1, 9, 3)} | ${r.real(900, 3000, 1)} tok/s | mem ${r.real(1, 15, 2)}GB\n`),
  (r) => loop(r.int(40, 120), () => `{'loss': ${r.real(0.01, 4, 4)}, 'grad_norm': ${r.real(0.1, 9, 6)}, 'learning_rate': ${r.real(1, 9, 6)}e-05, 'epoch': ${r.real(0, 10, 2)}}\n`),
  (r) => loop(r.int(40, 120), (i) => `[${i}]\ttrain-logloss:${r.real(0, 1, 5)}\teval-logloss:${r.real(0, 1, 5)}\teval-error:${r.real(0, 1, 5)}\n`),
  (r) => loop(r.int(30, 90), (i) => `${stamp(r)},${r.int(100, 999)} - INFO - trainer - step=${i} loss=${r.real(0, 3, 4)} acc=${r.real(0, 1, 4)} errors=0 retries=0\n`),
  (r) => loop(r.int(30, 90), (i) => `Epoch ${i}/200 - loss: ${r.real(0, 2, 4)} - mean_absolute_error: ${r.real(0, 2, 4)} - val_loss: ${r.real(0, 2, 4)} - val_mean_absolute_error: ${r.real(0, 2, 4)}\n`),
  (r) => loop(r.int(20, 60), (i) => `      ${i}/100      ${r.real(2, 9, 2)}G     ${r.real(0, 2, 4)}     ${r.real(0, 2, 4)}      ${r.real(0, 2, 3)}         ${r.int(10, 300)}        640: 100% ${r.int(20, 90)}/90 [00:${two(r.int(1, 59))}<00:00,  ${r.real(1, 9, 2)}it/s]\n`),
  (r) => loop(r.int(10, 40), () => `layer${r.int(1, 4)}.${r.int(0, 5)}.conv${r.int(1, 3)}.weight: torch.Size([${r.int(16, 512)}, ${r.int(3, 512)}, 3, 3]) float32 mean=${r.real(-0.1, 0.1, 5)} std=${r.real(0, 0.2, 5)}\n`),
  (r) => loop(r.int(5, 20), () => `batch: inputs torch.Size([${r.int(1, 64)}, 3, 224, 224]) -> logits torch.Size([${r.int(1, 64)}, 1000]), nan=0, inf=0\n`),
  (r) => `/usr/local/lib/python3.11/dist-packages/torch/optim/lr_scheduler.py:${r.int(90, 300)}: UserWarning: Detected call of \`lr_scheduler.step()\` before \`optimizer.step()\`.\n  warnings.warn("Detected call of \`lr_scheduler.step()\` before \`optimizer.step()\`.", UserWarning)\n`,
  (r) => `${stamp(r)}.${r.int(100000, 999999)}: I tensorflow/core/platform/cpu_feature_guard.cc:210] This TensorFlow binary is optimized to use available CPU instructions in performance-critical operations.\nTo enable the following instructions: AVX2 AVX512F FMA, in other operations, rebuild TensorFlow with the appropriate compiler flags.\n`,
  (r) => `Some weights of BertForSequenceClassification were not initialized from the model checkpoint at bert-base-uncased and are newly initialized: ['classifier.bias', 'classifier.weight']\nYou should probably TRAIN this model on a down-stream task to be able to use it for predictions and inference.\nSaving model checkpoint to ./out/checkpoint-${r.int(100, 9000)}\n`,
  (r) => `Checked ${r.int(1000, 90000)} files: 0 errors, ${r.int(0, 9)} warnings\n${r.int(10, 900)} passed, 0 failed in ${r.real(1, 90, 2)}s\n`,
  pip,
  summary,
  (r) => loop(5, (i) => keras(r, i + 1)),
  (r) => tqdm(r, r.int(10, 40)),
];

/** A log of a training that went well, of `bytes` bytes or a stretch more; in pieces. */
export function* benign(bytes) {
  const r = sequence(20260321);
  for (let made = 0; made < bytes;) {
    let part = "";
    while (part.length < 64 * KB) part += r.one(STRETCHES)(r);
    const buffer = Buffer.from(part);
    made += buffer.length;
    yield buffer;
  }
}

function* repeated(bytes, line) {
  let made = 0;
  for (let i = 0; made < bytes;) {
    let part = "";
    while (part.length < 64 * KB && made + part.length < bytes) part += line(i++);
    const buffer = Buffer.from(part);
    made += buffer.length;
    yield buffer;
  }
}

/** Texts made to be slow, each by the work that it aims at. */
export const HOSTILE = {
  "one line without an end": (n) => repeated(n, () => "CUDA out of memory, x = 0; "),
  "carriage returns without an end": (n) => repeated(n, (i) => `\rstep ${i} of many, loss 0.5`),
  "redrawn one character at a time": (n) => repeated(n, () => "x\b"),
  "the cursor goes up again and again": (n) => repeated(n, (i) => `\x1b[${1 + (i % 40)}A\x1b[2Kline ${i}\n`),
  "colours everywhere": (n) => repeated(n, () => "\x1b[1;31mE\x1b[0m"),
  "control strings that are never closed": (n) => repeated(n, () => "\x1b]0;title "),
  "nothing but newlines": (n) => repeated(n, () => "\n"),
  "near misses of literals": (n) => repeated(n, (i) => `CUDA out of memor CUDA erro: No module name cuDNN erro Kille ${i} No space left on devic\n`),
  "literals on every line": (n) => repeated(n, (i) => `${i}: CUDA out of memory CUDA error Killed No module named No space left on device Permission denied\n`),
  "the same beginning of a pattern": (n) => repeated(n, () => "Tried to allocate 2.00 GiB. GPU 0 has a total capacity of Tried to allocate "),
  "headers without a traceback": (n) => repeated(n, () => "Traceback (most recent call last):\n"),
  "a traceback without an end": (n) => repeated(n, (i) => (i ? `  File "a.py", line ${i}, in f${i}\n    f()\n` : "Traceback (most recent call last):\n")),
  "chains without an end": (n) => repeated(n, (i) => `Traceback (most recent call last):\n  File "a.py", line ${i}, in f\n    g()\nValueError: no ${i}\n\nDuring handling of the above exception, another exception occurred:\n\n`),
  "tracebacks within messages": (n) => repeated(n, (i) => `Traceback (most recent call last):\n  File "a.py", line ${i}, in f\n    g()\nRuntimeError: Caught ValueError in DataLoader worker process ${i}.\nOriginal `),
  "a message without an end": (n) => repeated(n, (i) => (i ? `  and element ${i} does not fit\n` : 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: these do not fit:\n')),
  "a hundred prefixes": (n) => repeated(n, (i) => `[rank${i % 100}]: ${["Traceback (most recent call last):", '  File "a.py", line 3, in f', "    g()", "ValueError: bad"][Math.floor(i / 100) % 4]}\n`),
};

/** A failed run: frames of libraries, 1,000 lines in all, as Python prints it. */
export function traceback() {
  const lines = ["Traceback (most recent call last):", '  File "train.py", line 42, in <module>', "    trainer.fit(model, loader)"];
  for (let i = 0; lines.length < 999; i++) {
    lines.push(`  File "/usr/local/lib/python3.11/dist-packages/torch/nn/modules/module.py", line ${1500 + (i % 90)}, in _call_impl`, "    return forward_call(*args, **kwargs)");
  }
  lines.push("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 1.06 GiB is free. Process 4242 has 13.68 GiB memory in use. Of the allocated memory 12.50 GiB is allocated by PyTorch, and 1.02 GiB is reserved by PyTorch but unallocated.");
  return Buffer.from(`${lines.join("\n")}\n`);
}

/** The same as IPython prints it: five lines of source for each frame. */
export function ipython() {
  const lines = ["---------------------------------------------------------------------------", "OutOfMemoryError                          Traceback (most recent call last)", "Cell In[7], line 3", "      1 model = Net().cuda()", "      2 batch = next(iter(loader))", "----> 3 loss = model(batch.cuda())", ""];
  for (let i = 0; lines.length + 9 < 1000; i++) {
    const n = 1500 + (i % 90);
    lines.push(`File /usr/local/lib/python3.11/dist-packages/torch/nn/modules/module.py:${n}, in Module._call_impl(self, *args, **kwargs)`, `   ${n - 2} # this function, and just call forward.`, `   ${n - 1} if not (self._backward_hooks or self._forward_hooks):`, `-> ${n}     return forward_call(*args, **kwargs)`, `   ${n + 1} result = None`, `   ${n + 2} called_always_called_hooks = set()`, "");
  }
  while (lines.length < 999) lines.push("");
  return Buffer.from(`${lines.join("\n")}\nOutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 1.06 GiB is free.\n`);
}
