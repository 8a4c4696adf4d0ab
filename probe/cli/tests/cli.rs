//! The command, from outside.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const RECORD: &str = r#"{"k":"start","v":1,"t":1000,"mode":"native","pid":7,"born":55}
{"k":"gpus","t":1001,"gpus":[{"u":"GPU-\"1\\","n":"Tesla T4","tot":16106127360}]}
{"k":"s","t":2000,"r":[3221225472,13302912000],"oom":[4,0,null],"d":[["/",7,9]],"cpu":[52,0,98,104],"rss":[1850000000,0],"g":[[1610612736,16106127360,97,64,70,4,null,18]]}
{"k":"run","t":2100,"n":3,"l":"fit(\u001b[31m)"}
"#;
const END: &str =
    "{\"k\":\"end\",\"t\":3200,\"st\":9,\"oom\":[1,1,null],\"last\":[75,80],\"own\":60}\n";

struct Folder(PathBuf);

impl Folder {
    fn with(name: &str, record: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("nbmedic-probe-cli-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("nbmedic-flight.jsonl"), record).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_nbmedic-probe"))
}

fn said(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_verdict_and_its_status() {
    let folder = Folder::with("verdict", &format!("{RECORD}{END}"));
    let (status, out, _) = said(command().arg("verdict").arg(&folder.0).output().unwrap());
    assert_eq!(status, Some(1));
    assert!(
        out.starts_with("The system killed it because memory ran out.\n"),
        "{out}"
    );
    assert!(
        out.contains("host-oom (certain); status: signal 9, SIGKILL"),
        "{out}"
    );
    assert!(
        out.contains("while cell [3] ran: fit( [31m)"),
        "what a terminal obeys is gone: {out:?}"
    );
    let file = folder.0.join("nbmedic-flight.jsonl");
    let clean = format!(
        "{RECORD}{}{}",
        "{\"k\":\"ran\",\"t\":2200,\"n\":3,\"ok\":true}\n",
        END.replace("\"st\":9,\"oom\":[1,1", "\"st\":0,\"oom\":[0,0")
    );
    std::fs::write(&file, clean).unwrap();
    assert_eq!(
        said(command().arg("verdict").arg(&file).output().unwrap()).0,
        Some(0)
    );
    std::fs::write(&file, RECORD).unwrap();
    let (status, out, _) = said(command().arg("verdict").arg(&file).output().unwrap());
    assert!(
        status == Some(3) && out.starts_with("No end is recorded"),
        "{out}"
    );
    let (status, _, err) = said(
        command()
            .args(["verdict", "/nonexistent"])
            .output()
            .unwrap(),
    );
    assert!(status == Some(4) && err.contains("/nonexistent"), "{err}");
}

#[test]
fn the_present_state() {
    let folder = Folder::with("watch", RECORD);
    let (status, out, _) = said(
        command()
            .arg("watch")
            .arg(&folder.0)
            .arg("--once")
            .output()
            .unwrap(),
    );
    assert_eq!(status, Some(0));
    assert_eq!(
        out,
        "GPU 1.5 GiB of 15.0 GiB 97% · RAM 3.0 GiB of 12.4 GiB · kernel 1.7 GiB · CPU 52%\n"
    );
}

#[test]
fn prometheus_is_answered_on_the_loopback_only_when_asked_for() {
    let folder = Folder::with("metrics", RECORD);
    let mut child = command()
        .arg("watch")
        .arg(&folder.0)
        .args(["--metrics", "0"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line
        .trim()
        .rsplit_once("//")
        .unwrap()
        .1
        .strip_suffix("/metrics")
        .unwrap();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let ask = |path: &str| {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = ask("/metrics");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"));
    for line in [
        "# TYPE nbmedic_memory_used_bytes gauge\nnbmedic_memory_used_bytes 3221225472\n",
        "nbmedic_oom_kills_total{counter=\"machine\"} 4\n",
        "nbmedic_gpu_memory_used_bytes{uuid=\"GPU-\\\"1\\\\\"} 1610612736\n",
        "nbmedic_kernel_ended 0\n",
    ] {
        assert!(answer.contains(line), "{line}: {answer}");
    }
    assert!(!answer.contains("colab"), "what is not known is left out");
    assert!(ask("/other").starts_with("HTTP/1.1 404"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn it_starts_the_recorder_that_came_with_it() {
    let Some(program) = std::env::var_os("NBMEDIC_PROBE") else {
        panic!("NBMEDIC_PROBE has to name the recorder: ./build.sh test sets it");
    };
    let folder = Folder::with("run", "");
    let share = folder.0.join("share");
    std::fs::create_dir(&share).unwrap();
    let name = format!("nbmedic-probe-{}", std::env::consts::ARCH);
    // Installers may drop the permission to execute.
    std::fs::write(
        share.join(name),
        std::fs::read(Path::new(&program)).unwrap(),
    )
    .unwrap();
    std::fs::write(share.join("cell.py"), "# the cell\n").unwrap();
    let mut kernel = Command::new("sleep").arg("1000").spawn().unwrap();
    let mut run = command();
    run.env("NBMEDIC_PROBE_SHARE", &share);
    let (status, _, err) = said(
        run.args(["run", &kernel.id().to_string()])
            .arg(&folder.0)
            .output()
            .unwrap(),
    );
    assert_eq!(status, Some(0), "{err}");
    kernel.kill().unwrap();
    let began = std::time::Instant::now();
    let record = folder.0.join("nbmedic-flight.jsonl");
    while !std::fs::read_to_string(&record)
        .unwrap()
        .contains("\"st\":9")
    {
        assert!(began.elapsed().as_secs() < 30);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    kernel.wait().unwrap();
    let (status, _, err) = said(run.output().unwrap());
    assert!(
        status == Some(4) && err.contains("there is no process"),
        "{err}"
    );
    let cell = command()
        .arg("cell")
        .env("NBMEDIC_PROBE_SHARE", &share)
        .output()
        .unwrap();
    assert_eq!(said(cell).1, "# the cell\n");
    let missing = command()
        .arg("cell")
        .env("NBMEDIC_PROBE_SHARE", "/nonexistent")
        .output()
        .unwrap();
    assert!(said(missing).2.contains("not complete"));
}
