//! nbmedic's probe: records what the machine and its GPUs do while a notebook's kernel lives, and
//! how the kernel died. See [FORMAT.md](../../FORMAT.md).
//!
//! It travels inside a notebook's cell, so it is small: the system's C library and nothing else.
//! What thinks is in the crate `nbmedic-probe`; here are the system calls around it.

#![no_std]
#![no_main]

mod end;
mod gpu;
mod group;
mod host;
mod log;
mod out;
mod sys;
mod watch;

use core::ffi::{c_char, c_int, CStr};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use nbmedic_probe::bytes::number;
use nbmedic_probe::procfs::Stat;
use sys::File;
use watch::{Facts, Watch};

/// How long the line `start` waits for the GPUs, ms.
const GPU_PATIENCE: u64 = 40;

static TOLD_TO_END: AtomicBool = AtomicBool::new(false);

extern "C" fn told_to_end(_: c_int) {
    TOLD_TO_END.store(true, Relaxed);
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    sys::exit(70)
}

struct Options {
    hz: u64,
    idle: u64,
    info: bool,
    pidfd: bool,
    foreground: bool,
    kmsg: &'static CStr,
}

/// The value of an argument `key=value`. Arguments live as long as the process.
fn option(argument: &'static CStr, key: &[u8]) -> Option<&'static CStr> {
    let rest = argument.to_bytes_with_nul().strip_prefix(key)?;
    CStr::from_bytes_with_nul(rest).ok()
}

/// The program: `nbmedic-probe PID DIR [KEY=VALUE …]`.
#[no_mangle]
pub extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    // SAFETY: the system gives `argc` pointers to texts that end with a NUL.
    let argument =
        |i: usize| (i < argc as usize).then(|| unsafe { CStr::from_ptr::<'static>(*argv.add(i)) });
    let mut options = Options {
        hz: 10,
        idle: 10,
        info: true,
        pidfd: true,
        foreground: false,
        kmsg: c"/dev/kmsg",
    };
    let pid = argument(1).and_then(|text| number(text.to_bytes()));
    let (Some(pid), Some(folder)) = (pid, argument(2)) else {
        return 2;
    };
    for i in 3.. {
        let Some(text) = argument(i) else { break };
        let n = |key| option(text, key).and_then(|v| number(v.to_bytes()));
        if let Some(value) = n(b"hz=") {
            options.hz = value.clamp(1, 50);
        } else if let Some(value) = n(b"idle=") {
            options.idle = value.clamp(1, 60);
        } else if let Some(value) = n(b"info=") {
            options.info = value != 0;
        } else if let Some(value) = n(b"pidfd=") {
            options.pidfd = value != 0;
        } else if let Some(value) = n(b"fg=") {
            options.foreground = value != 0;
        } else if let Some(path) = option(text, b"kmsg=") {
            options.kmsg = path;
        } else if let Some(path) = option(text, b"nvml=") {
            gpu::PATH.store(path.as_ptr().cast_mut(), Relaxed);
        } else {
            return 2;
        }
    }
    record(pid as u32, folder, &options)
}

fn record(pid: u32, folder: &CStr, options: &Options) -> c_int {
    let mut buffer = [0; 32 * 1024];
    let pidfd = sys::pidfd(pid).filter(|_| options.pidfd);
    let Some(born) = sys::read(host::proc(pid, b"/stat").c(), &mut buffer).and_then(Stat::parse)
    else {
        return 3;
    };
    if !sys::enter(folder) {
        return 4;
    }
    let Some(out) = out::Out::open() else {
        return 4;
    };
    if !options.foreground {
        sys::detach();
    }
    sys::on_signal(libc::SIGTERM, Some(told_to_end));
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGPIPE] {
        sys::on_signal(signal, None);
    }
    if !sys::thread(gpu::run) {
        gpu::SHARED.answer.store(999, Relaxed);
    }

    let group = group::Group::of(pid, &mut buffer);
    let mut name = [0; 16];
    let name = sys::read(host::proc(pid, b"/comm").c(), &mut name)
        .unwrap_or(b"")
        .trim_ascii_end();
    let log = log::Log::open(options.kmsg, pid, name);
    let mut boot = [0; 36];
    sys::read(c"/proc/sys/kernel/random/boot_id", &mut boot);
    let facts = Facts {
        pid,
        born: born.born,
        boot,
        native_status: born.is_open(),
        pidfd: pidfd.is_some(),
        kmsg: log.is_readable(),
        group: group.version,
        limit: group.limit,
        time: sys::now(),
    };
    let host = host::Host::of(pid, group, &mut buffer);
    let mut watch = Watch::of(facts, host, out, log);
    watch.fault_size = sys::identity(c"nbmedic-fault.log").map_or(0, |(_, size)| size);
    watch.host.fast(&mut watch.buffer);
    let until = sys::ticks() + GPU_PATIENCE;
    while gpu::SHARED.gpus().is_none() && sys::ticks() < until {
        sys::pause(1);
    }
    watch.out.renew();
    watch.start(false);
    run(watch, pidfd, options)
}

fn run(mut watch: Watch, pidfd: Option<File>, options: &Options) -> ! {
    let mut talk = Some(File(0)).filter(File::is_pipe);
    // Without anybody who says when a cell runs, a kernel that works is taken to run one.
    let told = talk.is_some();
    let mut busy = false;
    let mut next = 0;
    let mut always = true;
    loop {
        let at = sys::ticks();
        if at >= next || always {
            watch.sample(always || told && !busy);
            if !told {
                busy = watch.host.now.cpu[2].is_some_and(|percent| percent > 5);
            }
            let period = match (busy, told) {
                (true, _) => 1000 / options.hz.max(1),
                (false, true) => options.idle * 1000,
                (false, false) => 1000,
            };
            gpu::SHARED.period.store(period.min(1000), Relaxed);
            next = at + period;
            always = false;
        }
        let mut pause = next.saturating_sub(sys::ticks());
        if pidfd.is_none() {
            pause = pause.min(100);
        }
        let [ended, said, logged] = sys::wait([pidfd, talk, watch.log.file], pause);
        if TOLD_TO_END.load(Relaxed) {
            watch.stop("runtime");
            sys::exit(0);
        }
        let gone = pidfd.is_none()
            && watch
                .host
                .look(&mut watch.buffer)
                .is_none_or(|s| s.is_zombie());
        if ended || gone {
            watch.end(sys::now(), pidfd.filter(|_| options.info));
            sys::exit(0);
        }
        if said {
            let mut words = [0; 64];
            let words = talk.and_then(|t| t.next(&mut words)).unwrap_or(b"");
            if words.is_empty() {
                talk = None;
            }
            for word in words {
                match word {
                    b'r' => busy = true,
                    b'd' => busy = false,
                    b'q' => {
                        watch.stop("asked");
                        sys::exit(0);
                    }
                    _ => continue,
                }
                always = true;
            }
        }
        if logged {
            watch.news();
        }
    }
}
