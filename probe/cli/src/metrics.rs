//! The record's current state for Prometheus (text format 0.0.4), on the loopback address only.

use nbmedic_probe::Record;
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

/// Listens on the loopback address; port 0 selects a free one.
pub fn listen(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// Answers requests, one after the other, forever.
pub fn serve(listener: &TcpListener, record: impl Fn() -> Option<Record>) {
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else { continue };
        // A client that sends nothing must not block the others.
        let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
        let _ = stream.set_write_timeout(Some(Duration::from_secs(2)));
        let mut request = Vec::new();
        let mut part = [0; 1024];
        while request.len() < 8192 && !request.windows(4).any(|w| w == b"\r\n\r\n") {
            match stream.read(&mut part) {
                Ok(n) if n > 0 => request.extend_from_slice(&part[..n]),
                _ => break,
            }
        }
        let (status, body) = match request.starts_with(b"GET /metrics ") {
            true => ("200 OK", record().map_or(String::new(), |r| text(&r))),
            false => ("404 Not Found", String::new()),
        };
        let kind = "text/plain; version=0.0.4; charset=utf-8";
        let length = body.len();
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
    }
}

/// A record's current state, without unknown figures.
pub fn text(record: &Record) -> String {
    let mut out = String::new();
    let Some(now) = record.samples.back() else {
        return out;
    };
    let mut put = |name: &str, kind: &str, help: &str, rows: &[(String, Option<u64>)]| {
        if rows.iter().all(|(_, value)| value.is_none()) {
            return;
        }
        let _ = writeln!(
            out,
            "# HELP nbmedic_{name} {help}\n# TYPE nbmedic_{name} {kind}"
        );
        for (labels, value) in rows {
            if let Some(value) = value {
                let _ = writeln!(out, "nbmedic_{name}{labels} {value}");
            }
        }
    };
    let one = |value: Option<u64>| [(String::new(), value)];
    type One = fn(&nbmedic_probe::Sample) -> Option<u64>;
    let single: [(&str, &str, One); 9] = [
        ("memory_used_bytes", "Memory in use.", |s| Some(s.ram?.0)),
        ("memory_total_bytes", "Memory there is.", |s| Some(s.ram?.1)),
        ("swap_used_bytes", "Swap in use.", |s| Some(s.swap?.0)),
        (
            "group_used_bytes",
            "Memory in use in the control group.",
            |s| Some(s.group?.0),
        ),
        ("group_limit_bytes", "The control group's limit.", |s| {
            s.group?.1
        }),
        ("kernel_resident_bytes", "Memory of the kernel.", |s| {
            s.rss[0]
        }),
        (
            "children_resident_bytes",
            "Memory of the kernel's descendants.",
            |s| s.rss[1],
        ),
        ("cpu_busy_percent", "Of all processors.", |s| s.cpu[0]),
        ("up_seconds", "Age of the runtime.", |s| s.up),
    ];
    for (name, help, figure) in single {
        put(name, "gauge", help, &one(figure(now)));
    }
    let counters = ["machine", "group", "colab"].map(|c| format!("{{counter=\"{c}\"}}"));
    let rows: Vec<_> = counters.into_iter().zip(now.oom).collect();
    put(
        "oom_kills_total",
        "counter",
        "Processes killed for want of memory.",
        &rows,
    );
    type Part = fn(&nbmedic_probe::Space) -> u64;
    let parts: [(&str, &str, Part); 2] = [
        ("space_free_bytes", "Free on the file system.", |s| s.free),
        ("space_total_bytes", "Size of the file system.", |s| s.total),
    ];
    for (name, help, part) in parts {
        let path = |s: &nbmedic_probe::Space| format!("{{path=\"{}\"}}", label(&s.name));
        let rows: Vec<_> = record
            .space
            .iter()
            .map(|s| (path(s), Some(part(s))))
            .collect();
        put(name, "gauge", help, &rows);
    }
    type Figure = fn(&nbmedic_probe::GpuUse) -> Option<u64>;
    let figures: [(&str, &str, Figure); 7] = [
        ("gpu_memory_used_bytes", "Memory of the GPU in use.", |g| {
            g.used
        }),
        ("gpu_memory_total_bytes", "Memory of the GPU.", |g| g.total),
        (
            "gpu_utilisation_percent",
            "Time in which something ran on it.",
            |g| g.utilisation,
        ),
        ("gpu_clock_megahertz", "Clock of its processors.", |g| {
            g.clock
        }),
        ("gpu_temperature_celsius", "Its temperature.", |g| {
            g.temperature
        }),
        ("gpu_power_watts", "Its power.", |g| g.power),
        (
            "gpu_kernel_bytes",
            "Memory of it in use by the kernel.",
            |g| g.own,
        ),
    ];
    for (name, help, figure) in figures {
        let rows: Vec<_> = record
            .gpus
            .iter()
            .zip(&now.gpus)
            .map(|(gpu, figures)| {
                (
                    format!("{{uuid=\"{}\"}}", label(&gpu.uuid)),
                    figures.as_ref().and_then(figure),
                )
            })
            .collect();
        put(name, "gauge", help, &rows);
    }
    put(
        "xids_total",
        "counter",
        "Faults that the GPUs' driver reported.",
        &one(Some(record.xids.len() as u64)),
    );
    put(
        "kernel_ended",
        "gauge",
        "1 when the kernel has ended.",
        &one(Some(record.end.is_some().into())),
    );
    out
}

/// A label's value: backslashes, quotes and line ends are escaped.
fn label(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
