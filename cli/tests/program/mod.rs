//! Runs the program.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// What PyTorch prints when a GPU's memory is full.
#[allow(dead_code)] // Not every test file needs it.
pub const OOM: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity \
    of 14.70 GiB of which 1.10 GiB is free. Of the allocated memory 13.20 GiB is allocated by PyTorch, and 110.00 MiB is \
    reserved by PyTorch but unallocated.\n";

/// Starts it with pipes.
pub fn started(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_nbmedic"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Runs it on an input.
pub fn nbmedic(args: &[&str], input: &[u8]) -> Output {
    let mut child = started(args);
    let mut to = child.stdin.take().expect("stdin is piped");
    let input = input.to_vec();
    // A program that refuses its input closes it early.
    let writer = std::thread::spawn(move || {
        let _ = to.write_all(&input);
    });
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the input is written");
    output
}

/// Its standard output.
#[allow(dead_code)]
pub fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Its standard error.
#[allow(dead_code)]
pub fn complaint(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Numbered lines of a run that goes well, of about so many bytes.
#[allow(dead_code)]
pub fn quiet(bytes: usize) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(bytes + 100);
    let mut n = 0_u32;
    while out.len() < bytes {
        n += 1;
        let _ = writeln!(
            out,
            "step {n}: loss 0.{:04}, {} samples seen, learning rate 3e-05",
            n % 9973,
            n * 32
        );
    }
    out
}
