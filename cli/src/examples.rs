//! The examples below each command's help.

pub const ALL: &str = "Examples:
  nbmedic analysis.ipynb                   what went wrong, and in which cell
  nbmedic notebooks/                       the same for a folder
  python train.py 2>&1 | nbmedic -         the same for a program
  nbmedic fix analysis.ipynb               the repair of each failing cell, as a diff";

pub const TRIAGE: &str = "Examples:
  nbmedic triage analysis.ipynb            what went wrong, and in which cell
  nbmedic triage notebooks/ run.log.gz     folders, and files compressed or not
  nbmedic triage --format concise logs/    one line for each problem
  nbmedic triage --redact run.log          without secrets and personal data";

pub const WATCH: &str = "Examples:
  nbmedic watch run.log
  nbmedic watch slurm-4711.out             before the job starts, too";

pub const FIX: &str = "Examples:
  nbmedic fix analysis.ipynb               show the repairs as a diff
  nbmedic fix --write analysis.ipynb       write those that are sure
  nbmedic fix --write --applicability likely analysis.ipynb";

pub const DEATH: &str = "Examples:
  nbmedic death                            the record, the notebook and the logs in this folder
  nbmedic death logs/ runtime-logs.csv     those of other places
  dmesg > dmesg.log; nbmedic death         with what the system's log says";

pub const REDACT: &str = "Examples:
  nbmedic redact run.log > clean.log
  kubectl logs job/train | nbmedic redact";

pub const EXPLAIN: &str = "Examples:
  nbmedic explain gpu-oom
  nbmedic explain gpu-oom/fragmented";

pub const RULES: &str = "Examples:
  nbmedic rules
  nbmedic rules --format json";

pub const REPLAY: &str = "Examples:
  nbmedic replay events.jsonl";

pub const SCORE: &str = "Examples:
  nbmedic score tests/fixtures/outputs --misses
  nbmedic score tests/fixtures/outputs --forms";

pub const COMPLETIONS: &str = "Examples:
  nbmedic completions bash > ~/.local/share/bash-completion/completions/nbmedic";

pub const MANUAL: &str = "Examples:
  nbmedic manual ~/.local/share/man/man1";
