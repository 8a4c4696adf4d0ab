//! Runs the real program against dying processes and simulated GPUs.

use nbmedic_probe::Record;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The program, and folders with a `libnvidia-ml.so.1`: today's, and one of 2018.
pub struct Built {
    pub program: PathBuf,
    pub today: PathBuf,
    pub old: PathBuf,
}

/// Builds them once. `NBMEDIC_PROBE` names a program that is already built.
pub fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native");
        let build = |folder: &str, arguments: &[&str]| {
            let target = target.join(folder);
            let status = Command::new(env!("CARGO"))
                .args(["build", "--quiet", "--release", "--locked"])
                .args(arguments)
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .env("CARGO_TARGET_DIR", &target)
                .env_remove("RUSTFLAGS")
                .status()
                .expect("cargo runs");
            assert!(status.success(), "{arguments:?} does not build");
            target.join("release")
        };
        let library = |folder: &str, arguments: &[&str]| {
            let made = build(folder, arguments);
            let place = target.join(format!("lib-{folder}"));
            std::fs::create_dir_all(&place).unwrap();
            std::fs::copy(
                made.join("libnvidia_ml.so"),
                place.join("libnvidia-ml.so.1"),
            )
            .unwrap();
            place
        };
        Built {
            program: match std::env::var_os("NBMEDIC_PROBE") {
                Some(program) => program.into(),
                None => build("today", &["-p", "nbmedic-probe-native"]).join("nbmedic-probe"),
            },
            today: library("today", &["-p", "fake-nvml"]),
            old: library("old", &["-p", "fake-nvml", "--features", "old"]),
        }
    })
}

/// A temporary folder, deleted with this value.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let n = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("nbmedic-probe-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A process that stands for a kernel: a shell that waits for a line and then executes it.
pub struct Kernel(pub Child);

impl Kernel {
    pub fn start() -> Kernel {
        let child = Command::new("sh")
            .args(["-c", "ulimit -c 0; read -r line; eval \"$line\""])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Kernel(child)
    }

    pub fn pid(&self) -> u32 {
        self.0.id()
    }

    /// Makes it execute this line.
    pub fn run(&mut self, line: &str) {
        writeln!(self.0.stdin.as_mut().unwrap(), "{line}").unwrap();
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The running program, in the foreground.
pub struct Probe {
    pub child: Child,
    pub talk: Option<ChildStdin>,
    pub folder: Folder,
}

/// Longest time for anything on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

impl Probe {
    pub fn start(kernel: &Kernel, arguments: &[&str], environment: &[(&str, &str)]) -> Probe {
        let folder = Folder::new();
        let mut child = Command::new(&built().program)
            .arg(kernel.pid().to_string())
            .arg(folder.path())
            .arg("fg=1")
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let talk = child.stdin.take();
        Probe {
            child,
            talk,
            folder,
        }
    }

    /// Starts it with GPUs that follow a script.
    pub fn with_gpus(kernel: &Kernel, script: &str) -> Probe {
        let library = built().today.to_str().unwrap();
        Probe::start(
            kernel,
            &[],
            &[("LD_LIBRARY_PATH", library), ("FAKE_NVML", script)],
        )
    }

    pub fn say(&mut self, word: &str) {
        self.talk
            .as_mut()
            .unwrap()
            .write_all(word.as_bytes())
            .unwrap();
    }

    pub fn record(&self) -> Option<Record> {
        let read = |name| std::fs::read(self.folder.file(name)).unwrap_or_default();
        let (older, newer) = (read("nbmedic-flight.1.jsonl"), read("nbmedic-flight.jsonl"));
        Record::read(&[&older, &newer]).pop()
    }

    /// Waits until the record meets a condition, and returns it.
    pub fn until(&self, what: &str, is: impl Fn(&Record) -> bool) -> Record {
        let began = Instant::now();
        loop {
            match self.record() {
                Some(record) if is(&record) => return record,
                record => assert!(began.elapsed() < PATIENCE, "{what}: {record:#?}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the kernel's end and for the program's; returns the record.
    pub fn end(&mut self) -> Record {
        let record = self.until("no end", |r| r.end.is_some());
        let began = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < PATIENCE, "it goes on");
            std::thread::sleep(Duration::from_millis(10));
        }
        record
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
