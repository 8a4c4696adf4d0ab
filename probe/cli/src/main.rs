//! `nbmedic-probe`: starts the recorder, shows what it records, says how a kernel died.
//!
//! The recorder itself is the small program in `../native`; this command is its user interface, and
//! uses only the standard library.

mod metrics;
mod words;

use nbmedic_probe::{Cause, Record};
use std::io::{IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

const USAGE: &str = "\
usage: nbmedic-probe run PID [DIR] [KEY=VALUE ...]   record the process PID into DIR (the current folder)
       nbmedic-probe watch [DIR] [--metrics PORT] [--once]
                                                     show what the newest record in DIR says, once a second;
                                                     --metrics: for Prometheus too, on 127.0.0.1:PORT/metrics
       nbmedic-probe verdict [FILE or DIR]           say how the last kernel ended
                                                     (status 0: no crash, 1: a crash, 3: not known or not ended)
       nbmedic-probe cell                            print the notebook cell that starts the recorder
";

/// The base name of a record's files: `nbmedic-flight`, with a number for further notebooks.
const STEM: &str = "nbmedic-flight";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["run", pid, rest @ ..] => run(pid, rest),
        ["watch", rest @ ..] => watch(rest),
        ["verdict"] => verdict(Path::new(".")),
        ["verdict", path] => verdict(Path::new(path)),
        ["cell"] => cell(),
        ["--version" | "-V"] => {
            println!("nbmedic-probe {}", env!("CARGO_PKG_VERSION"));
            Ok(ExitCode::SUCCESS)
        }
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprint!("{USAGE}");
            Ok(ExitCode::from(2))
        }
    };
    result.unwrap_or_else(|why| {
        eprintln!("nbmedic-probe: {why}");
        ExitCode::from(4)
    })
}

/// A file installed with this program, in `../share/nbmedic-probe`.
fn shipped(name: &str) -> Result<PathBuf, String> {
    let folder = match std::env::var_os("NBMEDIC_PROBE_SHARE") {
        Some(folder) => PathBuf::from(folder),
        None => {
            let me = std::env::current_exe().map_err(|e| e.to_string())?;
            let prefix = me.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
            prefix.join("share/nbmedic-probe")
        }
    };
    let path = folder.join(name);
    match path.exists() {
        true => Ok(path),
        false => Err(format!(
            "{} is missing: this installation is not complete",
            path.display()
        )),
    }
}

/// Replaces this process by the recorder, which detaches itself.
fn run(pid: &str, rest: &[&str]) -> Result<ExitCode, String> {
    if pid.parse::<u32>().is_err() {
        return Err(format!("{pid} is not a process id"));
    }
    let (folder, keys) = match rest.split_first() {
        Some((folder, keys)) if !folder.contains('=') => (*folder, keys),
        _ => (".", rest),
    };
    let program = shipped(&format!("nbmedic-probe-{}", std::env::consts::ARCH))?;
    let runs = std::fs::metadata(&program).is_ok_and(|m| m.permissions().mode() & 0o111 != 0);
    let program = if runs { program } else { copied(&program)? };
    let status = Command::new(&program)
        .arg(pid)
        .arg(folder)
        .args(keys)
        .arg0("nbmedic-probe")
        .status()
        .map_err(|e| format!("{} does not start: {e}", program.display()))?;
    match status.code() {
        Some(0) => {
            eprintln!("nbmedic-probe: recording process {pid} into {folder}");
            Ok(ExitCode::SUCCESS)
        }
        Some(3) => Err(format!("there is no process {pid}")),
        Some(4) => Err(format!("the record cannot be written into {folder}")),
        _ => Err(format!(
            "the recorder did not start ({status}); is every key known?"
        )),
    }
}

/// Makes an executable copy, because some installers drop that permission.
fn copied(program: &Path) -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("nbmedic-probe-{}", std::process::id()));
    let copy = folder.join("nbmedic-probe");
    std::fs::create_dir(&folder)
        .and_then(|()| std::fs::copy(program, &copy))
        .and_then(|_| std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o700)))
        .map_err(|e| format!("{}: {e}", copy.display()))?;
    Ok(copy)
}

fn cell() -> Result<ExitCode, String> {
    let text = std::fs::read(shipped("cell.py")?).map_err(|e| e.to_string())?;
    std::io::stdout()
        .write_all(&text)
        .map_err(|e| e.to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// The newest kernel's record in a folder, or in a file and its older part.
fn newest(path: &Path) -> Result<Record, String> {
    let mut files: Vec<PathBuf> = Vec::new();
    if path.is_dir() {
        // The start cell writes into a folder of its own.
        let inner = path.join(STEM);
        let path = if inner.is_dir() { &inner } else { path };
        let entries = std::fs::read_dir(path).map_err(|e| format!("{}: {e}", path.display()))?;
        files.extend(entries.flatten().map(|e| e.path()).filter(|p| {
            let name = p.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(STEM) && name.ends_with(".jsonl") && !name.ends_with(".1.jsonl")
        }));
        if files.is_empty() {
            return Err(format!("there is no {STEM}.jsonl in {}", path.display()));
        }
    } else {
        files.push(path.to_owned());
    }
    let mut found: Vec<Record> = Vec::new();
    for file in files {
        let newer = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let older = std::fs::read(file.with_extension("1.jsonl")).unwrap_or_default();
        found.extend(Record::read(&[&older, &newer]));
    }
    let last = |r: &Record| {
        let sample = r.samples.back().map_or(0, |s| s.time);
        r.end
            .as_ref()
            .map_or(sample, |end| end.time)
            .max(r.start.time)
    };
    found
        .into_iter()
        .max_by_key(last)
        .ok_or_else(|| format!("{} holds no record", path.display()))
}

fn verdict(path: &Path) -> Result<ExitCode, String> {
    let record = newest(path)?;
    let Some(verdict) = record.verdict() else {
        println!("{}", words::no_end(&record));
        return Ok(ExitCode::from(3));
    };
    print!("{}", words::verdict(&record, &verdict));
    Ok(match verdict.cause {
        Cause::CleanExit => ExitCode::SUCCESS,
        Cause::Unknown => ExitCode::from(3),
        _ => ExitCode::FAILURE,
    })
}

fn watch(rest: &[&str]) -> Result<ExitCode, String> {
    let (mut folder, mut port, mut once) = (PathBuf::from("."), None, false);
    let mut rest = rest.iter();
    while let Some(&argument) = rest.next() {
        match argument {
            "--once" => once = true,
            "--metrics" => {
                let number = rest.next().and_then(|n| n.parse::<u16>().ok());
                port = Some(number.ok_or("--metrics wants a port, 0 for any")?);
            }
            path => folder = PathBuf::from(path),
        }
    }
    if let Some(port) = port {
        let listener = metrics::listen(port).map_err(|e| format!("port {port}: {e}"))?;
        let address = listener.local_addr().map_err(|e| e.to_string())?;
        eprintln!("nbmedic-probe: http://{address}/metrics");
        let folder = folder.clone();
        std::thread::spawn(move || metrics::serve(&listener, || newest(&folder).ok()));
    }
    let terminal = std::io::stdout().is_terminal() && !once;
    let width = std::env::var("COLUMNS")
        .ok()
        .and_then(|c| c.parse().ok())
        .unwrap_or(80);
    loop {
        let text = match newest(&folder) {
            Ok(record) if terminal => words::screen(&record, width),
            Ok(record) => words::line(&record) + "\n",
            Err(why) if once => return Err(why),
            Err(why) => why + "\n",
        };
        let mut out = std::io::stdout().lock();
        // Cursor home, the text with the rest of each line cleared, then everything below cleared.
        let text = if terminal {
            format!("\x1b[H{}\x1b[J", text.replace('\n', "\x1b[K\n"))
        } else {
            text
        };
        // The reader may have closed the pipe.
        if out
            .write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .is_err()
            || once
        {
            return Ok(ExitCode::SUCCESS);
        }
        drop(out);
        std::thread::sleep(Duration::from_secs(1));
    }
}
