//! `nbmedic fix --write`: whatever happens, the notebook is the old one or the new one, whole, and no save is lost.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

const WRITE: [&str; 4] = ["fix", "--write", "--applicability", "maybe"];
const SOURCE: &str = "table = table.drop('price', 1)";
const FIXED: &str = "table = table.drop('price', axis=1)";

/// A notebook whose second cell fails, with so many bytes of another output.
fn notebook(source: &str, bytes: usize) -> String {
    let message = "DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given";
    format!(
        r#"{{"cells":[{{"cell_type":"code","execution_count":1,"metadata":{{}},"outputs":[{{"name":"stdout","output_type":"stream","text":"{}"}}],"source":"import pandas as pd\ntable = pd.DataFrame({{'price': [1]}})"}},
{{"cell_type":"code","execution_count":2,"metadata":{{}},"outputs":[{{"ename":"TypeError","evalue":"{message}","output_type":"error","traceback":["TypeError                                 Traceback (most recent call last)","Cell In[2], line 1\n----> 1 {SOURCE}\n","TypeError: {message}"]}}],"source":["{source}"]}}],"metadata":{{}},"nbformat":4,"nbformat_minor":5}}"#,
        "x".repeat(bytes)
    )
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nbmedic"));
    command.args(WRITE).stdin(Stdio::null());
    command
}

fn fix(path: &Path) -> Output {
    program().arg(path).output().expect("the program runs")
}

/// A folder with a notebook of these rights.
fn folder(mode: u32, text: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("a.ipynb");
    fs::write(&path, text).expect("a file");
    fs::set_permissions(&path, Permissions::from_mode(mode)).expect("rights");
    (dir, path)
}

/// The names of a folder's files, in order.
fn names(dir: &Path) -> Vec<String> {
    let files = fs::read_dir(dir).expect("a folder");
    let mut names: Vec<String> = files
        .map(|f| {
            f.expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o7777
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// How often to repeat what depends on chance: more than usual if the variable says so.
fn times(variable: &str, usual: usize) -> usize {
    let asked = std::env::var(variable).ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn the_backup_is_as_private_as_the_notebook() {
    for rights in [0o600, 0o640, 0o664] {
        let (dir, path) = folder(rights, &notebook(SOURCE, 0));
        assert_eq!(fix(&path).status.code(), Some(0));
        let backup = dir.path().join("a.ipynb.bak");
        assert_eq!((mode(&path), mode(&backup)), (rights, rights));
        assert_eq!(
            fs::read_to_string(&backup).expect("it"),
            notebook(SOURCE, 0)
        );
        assert_eq!(fs::read_to_string(&path).expect("it"), notebook(FIXED, 0));
        assert_eq!(names(dir.path()), ["a.ipynb", "a.ipynb.bak"]);
    }
}

#[test]
fn what_is_written_once_is_not_written_again() {
    let missing = notebook("d = json.loads('{}')", 0)
        .replace(SOURCE, "d = json.loads('{}')")
        .replace("TypeError", "NameError")
        .replace(
            "DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given",
            "name 'json' is not defined",
        );
    for text in [notebook(SOURCE, 0), missing] {
        let (dir, path) = folder(0o644, &text);
        assert_eq!(fix(&path).status.code(), Some(0));
        let after = fs::read_to_string(&path).expect("it");
        assert_ne!(after, text);
        for _ in 0..2 {
            let output = fix(&path);
            // The old output is still there, and there is nothing left to repair.
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            assert_eq!(fs::read_to_string(&path).expect("it"), after);
        }
        assert_eq!(names(dir.path()), ["a.ipynb", "a.ipynb.bak"]);
        // The old notebook again: its backup is there.
        fs::write(&path, &text).expect("a file");
        assert_eq!(fix(&path).status.code(), Some(0));
        assert_eq!(names(dir.path()), ["a.ipynb", "a.ipynb.bak"]);
    }
}

#[test]
fn what_its_owner_protects_is_left_alone() {
    let text = notebook(SOURCE, 0);
    let (dir, path) = folder(0o444, &text);
    let output = fix(&path);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("is read-only"), "{output:?}");
    assert_eq!(names(dir.path()), ["a.ipynb"]);

    let (dir, path) = folder(0o644, &text);
    fs::hard_link(&path, dir.path().join("b.ipynb")).expect("a link");
    let output = fix(&path);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("2 names"), "{output:?}");
    assert_eq!(names(dir.path()), ["a.ipynb", "b.ipynb"]);
    assert_eq!(fs::read_to_string(&path).expect("it"), text);

    // A link is followed, and stays.
    let (dir, path) = folder(0o644, &text);
    let link = dir.path().join("link.ipynb");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    assert_eq!(fix(&link).status.code(), Some(0));
    assert!(fs::symlink_metadata(&link).expect("it").is_symlink());
    assert_eq!(names(dir.path()), ["a.ipynb", "a.ipynb.bak", "link.ipynb"]);
}

#[test]
fn another_users_notebook_is_left_alone_and_root_keeps_its_owner() {
    let text = notebook(SOURCE, 0);
    let (dir, path) = folder(0o666, &text);
    if fs::metadata(dir.path()).expect("it").uid() != 0 {
        // Only root can make a file that belongs to somebody else.
        return;
    }
    fs::set_permissions(dir.path(), Permissions::from_mode(0o777)).expect("rights");
    // Somebody who may write both the notebook and the folder, but may not give a file away.
    let program_copy = dir.path().join("nbmedic");
    fs::copy(env!("CARGO_BIN_EXE_nbmedic"), &program_copy).expect("a copy");
    let mut command = Command::new(&program_copy);
    command.args(WRITE).arg(&path).uid(65534).gid(65534);
    // A process that another test starts just now holds the copy open for writing until it becomes its program.
    let busy = |e: &std::io::Error| e.kind() == std::io::ErrorKind::ExecutableFileBusy;
    let mut output = command.output();
    while output.as_ref().is_err_and(busy) {
        thread::sleep(Duration::from_millis(20));
        output = command.output();
    }
    let output = output.expect("the program runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(complaint(&output).contains("another user"), "{output:?}");
    assert_eq!(names(dir.path()), ["a.ipynb", "nbmedic"]);
    assert_eq!(fs::read_to_string(&path).expect("it"), text);

    std::os::unix::fs::chown(&path, Some(65534), Some(65534)).expect("an owner");
    assert_eq!(fix(&path).status.code(), Some(0));
    for name in ["a.ipynb", "a.ipynb.bak"] {
        let about = fs::metadata(dir.path().join(name)).expect("it");
        assert_eq!((about.uid(), about.gid()), (65534, 65534), "{name}");
    }
}

#[test]
fn half_of_a_character_is_kept() {
    let text = notebook(SOURCE, 0).replace(
        "\"metadata\":{},\"nbformat\"",
        "\"metadata\":{\"x\":\"\\ud800\"},\"nbformat\"",
    );
    let (_dir, path) = folder(
        0o644,
        &text.replace(
            &format!("[\"{SOURCE}\"]"),
            &format!("[\"s = '\\ud800'\\n\",\"{SOURCE}\"]"),
        ),
    );
    let before = fs::read_to_string(&path).expect("it");
    assert_eq!(fix(&path).status.code(), Some(0));
    let after = fs::read_to_string(&path).expect("it");
    let old = format!("\"{SOURCE}\"]");
    assert_eq!(after, before.replace(&old, &format!("\"{FIXED}\"]")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let text = notebook(SOURCE, 60_000);
    let (dir, path) = folder(0o600, &text);
    // A file may have 16 KiB; writing more is an error, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" fix --write --applicability maybe \"$1\"";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_nbmedic")])
        .arg(&path)
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(complaint(&output).contains("can't write"), "{output:?}");
    assert_eq!(names(dir.path()), ["a.ipynb"]);
    assert_eq!(fs::read_to_string(&path).expect("it"), text);
}

/// NBMEDIC_SAVE_KILLS: how often it is killed.
#[test]
fn killed_at_any_moment_it_leaves_the_old_or_the_new_notebook() {
    let (old, new) = (notebook(SOURCE, 300_000), notebook(FIXED, 300_000));
    let (dir, path) = folder(0o644, &old);
    let began = std::time::Instant::now();
    assert_eq!(fix(&path).status.code(), Some(0));
    let usual = began.elapsed();
    let (mut olds, mut news) = (0, 0);
    let kills = times("NBMEDIC_SAVE_KILLS", 25);
    for n in 0..kills {
        for name in names(dir.path()) {
            fs::remove_file(dir.path().join(name)).expect("a file");
        }
        fs::write(&path, &old).expect("a file");
        let quiet = || Stdio::null();
        let mut child = program()
            .arg(&path)
            .stdout(quiet())
            .stderr(quiet())
            .spawn()
            .expect("the program starts");
        // The last fifth of its time is when it writes.
        let share = 0.75 + 0.35 * (n as f64 / kills as f64);
        thread::sleep(usual.mul_f64(share));
        let _ = child.kill();
        let _ = child.wait();
        let now = fs::read_to_string(&path).expect("a notebook");
        match now {
            _ if now == old => olds += 1,
            _ if now == new => {
                news += 1;
                let kept = names(dir.path())
                    .into_iter()
                    .any(|name| fs::read_to_string(dir.path().join(name)).expect("a file") == old);
                assert!(kept, "the old notebook is gone");
            }
            _ => panic!("neither the old nor the new notebook: {} bytes", now.len()),
        }
    }
    println!("killed {kills} times: {olds} old, {news} new");
}

/// NBMEDIC_SAVES: how often it is saved against.
#[test]
fn a_save_at_the_same_time_is_never_lost() {
    let (old, new) = (notebook(SOURCE, 300_000), notebook(FIXED, 300_000));
    let (dir, path) = folder(0o644, &old);
    let began = std::time::Instant::now();
    assert_eq!(fix(&path).status.code(), Some(0));
    let usual = began.elapsed();
    let saves = times("NBMEDIC_SAVES", 16);
    let (mut refused, mut before, mut after) = (0, 0, 0);
    for n in 0..saves {
        for name in names(dir.path()) {
            fs::remove_file(dir.path().join(name)).expect("a file");
        }
        fs::write(&path, &old).expect("a file");
        let child = program()
            .arg(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        thread::sleep(
            usual.mul_f64(1.1 * n as f64 / saves as f64) + Duration::from_micros(n as u64),
        );
        let saved = old.replace(
            "import pandas as pd",
            &format!("import pandas as pd  # {n}"),
        );
        // In place and by another file, as editors do.
        if n % 2 == 0 {
            fs::write(&path, &saved).expect("a save");
        } else {
            let other = dir.path().join("saving");
            fs::write(&other, &saved).expect("a save");
            fs::rename(&other, &path).expect("a save");
        }
        let output = child.wait_with_output().expect("it ends");
        let now = fs::read_to_string(&path).expect("a notebook");
        let fixed = saved.replace(&format!("[\"{SOURCE}\"]"), &format!("[\"{FIXED}\"]"));
        match output.status.code() {
            // It read what was saved, or wrote before.
            Some(0) if now == fixed => before += 1,
            Some(0) if now == saved => after += 1,
            // Saved in place between the look and the exchange: the save is what was kept.
            Some(0) => {
                let backup = fs::read_to_string(dir.path().join("a.ipynb.bak"));
                assert!(
                    now == new && backup.is_ok_and(|b| b == saved),
                    "a save was lost"
                );
                after += 1;
            }
            _ => {
                refused += 1;
                assert_eq!(now, saved, "a save was lost: {output:?}");
                assert_eq!(names(dir.path()), ["a.ipynb"]);
            }
        }
    }
    println!("saved {saves} times: {before} before it, {after} after it, {refused} refused");
}
