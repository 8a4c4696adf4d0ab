//! Generates long texts, the same each time: the log of a successful training, texts that try to be
//! slow, and long tracebacks.

use std::fmt::Write;

/// A fixed sequence of numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn int(&mut self, from: usize, to: usize) -> usize {
        from + (self.next() % (to - from + 1) as u64) as usize
    }

    /// From 0 to `to`.
    fn real(&mut self, to: f64) -> f64 {
        to * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.int(0, list.len() - 1)]
    }
}

const PACKAGES: &[&str] = &[
    "torch",
    "numpy",
    "transformers",
    "datasets",
    "accelerate",
    "tokenizers",
    "safetensors",
    "scikit-learn",
    "tqdm",
    "fsspec",
    "huggingface-hub",
    "regex",
    "pyyaml",
    "sympy",
    "timm",
];
const LAYERS: &[&str] = &[
    "Conv2D",
    "BatchNormalization",
    "MaxPooling2D",
    "Dense",
    "Dropout",
    "Flatten",
    "LSTM",
];
const BARS: &[&str] = &[
    "Training",
    "Epoch 3/10",
    "Validating",
    "Map",
    "Loading checkpoint shards",
];

/// One section of a long run's output.
type Stretch = fn(&mut Dice, &mut String);

/// Most lines end normally; some progress bars redraw theirs.
const STRETCHES: &[Stretch] = &[
    |r, s| {
        lines(r, s, 80, |r, i| {
            format!("Epoch {} | step {} | loss {:.5} | lr {:.3}e-05 | grad_norm {:.3} | {:.1} tok/s | mem {:.2}GB", i / 9, i * 50, r.real(4.0), r.real(9.0), r.real(9.0), r.real(3000.0), r.real(15.0))
        })
    },
    |r, s| {
        lines(r, s, 80, |r, _| {
            format!(
                "{{'loss': {:.4}, 'grad_norm': {:.6}, 'learning_rate': {:.6}e-05, 'epoch': {:.2}}}",
                r.real(4.0),
                r.real(9.0),
                r.real(9.0),
                r.real(10.0)
            )
        })
    },
    |r, s| {
        lines(r, s, 80, |r, i| {
            format!(
                "[{i}]\ttrain-logloss:{:.5}\teval-logloss:{:.5}\teval-error:{:.5}",
                r.real(1.0),
                r.real(1.0),
                r.real(1.0)
            )
        })
    },
    |r, s| {
        lines(r, s, 60, |r, i| {
            format!(
                "{},{} - INFO - trainer - step={i} loss={:.4} acc={:.4} errors=0 retries=0",
                stamp(r),
                r.int(100, 999),
                r.real(3.0),
                r.real(1.0)
            )
        })
    },
    |r, s| {
        lines(r, s, 60, |r, i| {
            format!("Epoch {i}/200 - loss: {:.4} - mean_absolute_error: {:.4} - val_loss: {:.4} - val_mean_absolute_error: {:.4}", r.real(2.0), r.real(2.0), r.real(2.0), r.real(2.0))
        })
    },
    |r, s| {
        lines(r, s, 40, |r, i| {
            format!("      {i}/100      {:.2}G     {:.4}     {:.4}      {:.3}         {}        640: 100% 90/90 [00:{:02}<00:00,  {:.2}it/s]", r.real(9.0), r.real(2.0), r.real(2.0), r.real(2.0), r.int(10, 300), r.int(1, 59), r.real(9.0))
        })
    },
    |r, s| {
        lines(r, s, 30, |r, i| {
            format!("layer{}.{i}.conv{}.weight: torch.Size([{}, {}, 3, 3]) float32 mean={:.5} std={:.5}", r.int(1, 4), r.int(1, 3), r.int(16, 512), r.int(3, 512), r.real(0.1), r.real(0.2))
        })
    },
    |r, s| {
        lines(r, s, 12, |r, _| {
            format!("batch: inputs torch.Size([{}, 3, 224, 224]) -> logits torch.Size([{}, 1000]), nan=0, inf=0", r.int(1, 64), r.int(1, 64))
        })
    },
    |r, s| {
        lines(r, s, 1, |r, _| {
            format!("/usr/local/lib/python3.11/dist-packages/torch/optim/lr_scheduler.py:{}: UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`.\n  warnings.warn(\"Detected call of `lr_scheduler.step()` before `optimizer.step()`.\", UserWarning)", r.int(90, 300))
        })
    },
    |r, s| {
        lines(r, s, 1, |r, _| {
            format!("{}.{}: I tensorflow/core/platform/cpu_feature_guard.cc:210] This TensorFlow binary is optimized to use available CPU instructions in performance-critical operations.\nTo enable the following instructions: AVX2 AVX512F FMA, in other operations, rebuild TensorFlow with the appropriate compiler flags.", stamp(r), r.int(100_000, 999_999))
        })
    },
    |r, s| {
        lines(r, s, 1, |r, _| {
            format!("Some weights of BertForSequenceClassification were not initialized from the model checkpoint at bert-base-uncased and are newly initialized: ['classifier.bias', 'classifier.weight']\nYou should probably TRAIN this model on a down-stream task to be able to use it for predictions and inference.\nSaving model checkpoint to ./out/checkpoint-{}", r.int(100, 9000))
        })
    },
    |r, s| {
        lines(r, s, 1, |r, _| {
            format!(
                "Checked {} files: 0 errors, {} warnings\n{} passed, 0 failed in {:.2}s",
                r.int(1000, 90_000),
                r.int(0, 9),
                r.int(10, 900),
                r.real(90.0)
            )
        })
    },
    pip,
    summary,
    |r, s| (1..=5).for_each(|epoch| keras(r, s, epoch)),
    tqdm,
];

fn lines(r: &mut Dice, out: &mut String, about: usize, line: impl Fn(&mut Dice, usize) -> String) {
    for i in 0..r.int(about.div_ceil(2), about + about / 2) {
        *out += &line(r, i);
        out.push('\n');
    }
}

fn stamp(r: &mut Dice) -> String {
    let (h, m, s) = (r.int(0, 23), r.int(0, 59), r.int(0, 59));
    format!("2026-03-{:02} {h:02}:{m:02}:{s:02}", r.int(1, 28))
}

fn pip(r: &mut Dice, out: &mut String) {
    lines(r, out, 8, |r, _| {
        let (name, from) = (r.one(PACKAGES), r.one(PACKAGES));
        let version = format!("{}.{}.{}", r.int(0, 4), r.int(0, 30), r.int(0, 9));
        match r.int(0, 1) {
            0 => format!("Requirement already satisfied: {name}>={version} in /usr/local/lib/python3.11/dist-packages (from {from}) ({version})"),
            _ => format!("Collecting {name}=={version}\n  Downloading {name}-{version}-cp311-cp311-manylinux_2_17_x86_64.whl ({:.1} MB)\n     {} 90.0/90.0 MB {:.1} MB/s eta 0:00:00", r.real(90.0), "━".repeat(40), r.real(60.0)),
        }
    });
    *out += &format!("Successfully installed {}-1.2.3\n", r.one(PACKAGES));
}

fn summary(r: &mut Dice, out: &mut String) {
    *out += "Model: \"functional_1\"\n Layer (type)                Output Shape              Param #   \n";
    lines(r, out, 10, |r, i| {
        let name = r.one(LAYERS);
        let layer = format!("{}_{i} ({name})", name.to_lowercase());
        let shape = format!("(None, {}, {})", r.int(1, 256), r.int(1, 512));
        format!(" {layer:28}{shape:26}{}\n", r.int(0, 999_999))
    });
}

/// Keras 3: colours, and a line that returns to its start.
fn keras(r: &mut Dice, out: &mut String, epoch: usize) {
    let steps = r.int(6, 12);
    let _ = writeln!(out, "Epoch {epoch}/50");
    for i in 1..=steps {
        let full = 20 * i / steps;
        let _ = write!(out, "\r\x1b[1m{i}/{steps}\x1b[0m \x1b[32m{}\x1b[0m\x1b[37m{}\x1b[0m \x1b[1m3s\x1b[0m {}ms/step - accuracy: {:.4} - loss: {:.4}", "━".repeat(full), "━".repeat(20 - full), r.int(20, 400), r.real(1.0), r.real(2.0));
    }
    let _ = writeln!(
        out,
        " - val_accuracy: {:.4} - val_loss: {:.4}",
        r.real(1.0),
        r.real(2.0)
    );
}

/// tqdm: one line, redrawn at each step.
fn tqdm(r: &mut Dice, out: &mut String) {
    let (steps, label, rate) = (r.int(10, 40), r.one(BARS), r.int(8, 40));
    let clock = |n: usize| format!("{:02}:{:02}", n / rate / 60, n / rate % 60);
    for i in 0..=steps {
        let bar = "█".repeat(28 * i / steps);
        let _ = write!(
            out,
            "\r{label}: {:3}%|{bar:28}| {i}/{steps} [{}<{}, {rate}.00it/s, loss={:.4}]",
            100 * i / steps,
            clock(i),
            clock(steps - i),
            r.real(2.0)
        );
    }
    out.push('\n');
}

/// The log of a successful training, with `bytes` bytes or one section more.
pub fn benign(bytes: usize) -> String {
    let mut r = Dice(20_260_321);
    let mut out = String::new();
    while out.len() < bytes {
        r.one(STRETCHES)(&mut r, &mut out);
    }
    out
}

/// Part number `i` of a slow text.
type Piece = fn(usize) -> String;

/// Texts that try to be slow, named after the work that they aim at.
pub const HOSTILE: &[(&str, Piece)] = &[
    ("one line without an end", |_| {
        "CUDA out of memory, x = 0; ".into()
    }),
    ("carriage returns without an end", |i| {
        format!("\rstep {i} of many, loss 0.5")
    }),
    ("redrawn one character at a time", |_| "x\x08".into()),
    ("the cursor goes up again and again", |i| {
        format!("\x1b[{}A\x1b[2Kline {i}\n", 1 + i % 40)
    }),
    ("colours everywhere", |_| "\x1b[1;31mE\x1b[0m".into()),
    ("control strings that are never closed", |_| {
        "\x1b]0;title ".into()
    }),
    ("nothing but newlines", |_| "\n".into()),
    ("near misses of literals", |i| {
        format!("CUDA out of memor CUDA erro: No module name cuDNN erro Kille {i} No space left on devic\n")
    }),
    ("literals on every line", |i| {
        format!("{i}: CUDA out of memory CUDA error Killed No module named No space left on device Permission denied\n")
    }),
    ("the same beginning of a pattern", |_| {
        "Tried to allocate 2.00 GiB. GPU 0 has a total capacity of ".into()
    }),
    ("headers without a traceback", |_| {
        "Traceback (most recent call last):\n".into()
    }),
    ("a traceback without an end", |i| match i {
        0 => "Traceback (most recent call last):\n".into(),
        _ => format!("  File \"a.py\", line {i}, in f{i}\n    f()\n"),
    }),
    ("chains without an end", |i| {
        format!("Traceback (most recent call last):\n  File \"a.py\", line {i}, in f\n    g()\nValueError: no {i}\n\nDuring handling of the above exception, another exception occurred:\n\n")
    }),
    ("tracebacks within messages", |i| {
        format!("Traceback (most recent call last):\n  File \"a.py\", line {i}, in f\n    g()\nRuntimeError: Caught ValueError in DataLoader worker process {i}.\nOriginal ")
    }),
    ("a message without an end", |i| {
        match i {
        0 => "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nValueError: these do not fit:\n".into(),
        _ => format!("  and element {i} does not fit\n"),
    }
    }),
    ("first letters of tokens, one after the other", |_| {
        "pat.xoxb-sk-SG.pa-".into()
    }),
    ("first letters of one token", |_| "xoxb-".into()),
    ("the parts of a signed token", |_| "eyJ-eyJ-".into()),
    ("a header of cookies without an end", |_| {
        "Cookie: a=b; ".into()
    }),
    ("names of settings without values", |_| {
        "key,token&password='".into()
    }),
    ("a name of a secret on each line", |i| {
        format!("password      {i}\n")
    }),
    ("beginnings of keys", |_| {
        "-----begin PRIVATE KEY--------".into()
    }),
    ("commands within quotation marks", |_| {
        "curl ' mysql \" docker login ; ".into()
    }),
    ("addresses of many people", |i| {
        format!("ada{i}@acme{i}.io wrote to ada{}, who is ada{i}\n", i + 3)
    }),
    ("the same failure again and again", |_| {
        "CondaEnvException: Pip failed\n".into()
    }),
    ("a log of an environment that can't be made", |i| {
        format!("Collecting pkg{i}==1.{i}\n  Using cached pkg{i}-1.{i}.tar.gz (12 kB)\nPip subprocess error:\n  ERROR: Could not find a version that satisfies the requirement pkg{i}==1.{i} (from versions: none)\nERROR: No matching distribution found for pkg{i}==1.{i}\n\nfailed\n\nCondaEnvException: Pip failed\n\n")
    }),
    ("a chain of causes without an end", |i| {
        format!("Traceback (most recent call last):\n  File \"a.py\", line {i}, in f\n    g()\nValueError: no {i}\n\nThe above exception was the direct cause of the following exception:\n\n")
    }),
    ("every kind of failure in one message", |i| {
        let of = [
            "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
            "ModuleNotFoundError: No module named 'abc'",
            "OSError: [Errno 28] No space left on device",
            "KeyError: 'abc'",
            "ERROR: No matching distribution found for abc==1.0",
            "ValueError: operands could not be broadcast together with shapes (3,) (4,)",
        ];
        format!("{}\n", of[i % of.len()])
    }),
    ("a hundred prefixes", |i| {
        let of = [
            "Traceback (most recent call last):",
            "  File \"a.py\", line 3, in f",
            "    g()",
            "ValueError: bad",
        ];
        format!("[rank{}]: {}\n", i % 100, of[i / 100 % 4])
    }),
];

/// A slow text with `bytes` bytes, or one part more.
pub fn hostile(piece: Piece, bytes: usize) -> String {
    let mut out = String::new();
    for i in 0.. {
        if out.len() >= bytes {
            break;
        }
        out += &piece(i);
    }
    out
}

const OUT_OF_MEMORY: &str = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.74 GiB of which 1.06 GiB is free. Of the allocated memory 12.50 GiB is allocated by PyTorch, and 1.02 GiB is reserved by PyTorch but unallocated.";
const MODULE: &str = "/usr/local/lib/python3.11/dist-packages/torch/nn/modules/module.py";

/// A failed run as Python prints it, 1,000 lines.
pub fn python_traceback() -> String {
    let mut out = String::from("Traceback (most recent call last):\n");
    for i in 0..499 {
        let n = 1500 + i % 90;
        let _ = writeln!(out, "  File \"{MODULE}\", line {n}, in _call_impl\n    return forward_call(*args, **kwargs)");
    }
    out + &format!("torch.OutOfMemoryError: {OUT_OF_MEMORY}\n")
}

/// The same run as IPython prints it, with source lines around each frame, 1,002 lines.
pub fn ipython_traceback() -> String {
    let rule = "-".repeat(75);
    let mut out = format!("{rule}\nOutOfMemoryError                          Traceback (most recent call last)\nCell In[7], line 3\n      1 model = Net().cuda()\n      2 batch = next(iter(loader))\n----> 3 loss = model(batch.cuda())\n\n");
    for i in 0..142 {
        let n = 1500 + i % 90;
        let _ = writeln!(out, "File {MODULE}:{n}, in Module._call_impl(self, *args, **kwargs)\n   {} # this function, and just call forward.\n   {} if not (self._backward_hooks or self._forward_hooks):\n-> {n}     return forward_call(*args, **kwargs)\n   {} result = None\n   {} called_always_called_hooks = set()\n", n - 2, n - 1, n + 1, n + 2);
    }
    out + &format!("OutOfMemoryError: {OUT_OF_MEMORY}\n")
}
