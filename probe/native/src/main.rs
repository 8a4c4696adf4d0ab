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
use nbmedic_probe::bytes::{number, NONE};
use nbmedic_probe::procfs::Stat;
use sys::{File, Path, NO_FILE};
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
    /// What tells this record from others in the folder: "" or "-2".
    which: Path,
    id: &'static [u8],
}

/// The program: `nbmedic-probe PID DIR [KEY=VALUE …]`.
///
/// # Safety
/// The system calls it, with its arguments.
#[no_mangle]
pub unsafe extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    // SAFETY: the system gives `argc` pointers to texts that end with a NUL and live as long as
    // the process.
    let argument =
        |i: usize| (i < argc as usize).then(|| unsafe { CStr::from_ptr::<'static>(*argv.add(i)) });
    let mut options = Options {
        hz: 10,
        idle: 10,
        info: true,
        pidfd: true,
        foreground: false,
        kmsg: c"/dev/kmsg",
        which: Path::of(&[]),
        id: b"",
    };
    let pid = argument(1).and_then(|text| number(text.to_bytes()));
    let (Some(pid), Some(folder)) = (pid, argument(2)) else {
        return 2;
    };
    for i in 3.. {
        let Some(text) = argument(i) else { break };
        let text = text.to_bytes_with_nul();
        let at = text.iter().take_while(|&&b| b != b'=').count();
        let Some(value) = text.get(at + 1..) else {
            return 2;
        };
        let n = number(value).unwrap_or(0);
        let path = CStr::from_bytes_until_nul(value).unwrap_or(c"");
        match text.get(..at).unwrap_or(b"") {
            b"hz" => options.hz = n.clamp(1, 50),
            b"idle" => options.idle = n.clamp(1, 60),
            b"info" => options.info = n != 0,
            b"pidfd" => options.pidfd = n != 0,
            b"fg" => options.foreground = n != 0,
            b"kmsg" => options.kmsg = path,
            b"name" => options.which = Path::of(&[b"-", path.to_bytes()]),
            b"id" => options.id = path.to_bytes(),
            b"nvml" => gpu::PATH.store(path.as_ptr().cast_mut(), Relaxed),
            _ => return 2,
        }
    }
    record(pid as u32, folder, &options)
}

fn record(pid: u32, folder: &CStr, options: &Options) -> c_int {
    let mut buffer = [0; 32 * 1024];
    let pidfd = if options.pidfd {
        sys::pidfd(pid)
    } else {
        NO_FILE
    };
    let Some(born) = Stat::parse(sys::read(host::proc(pid, b"/stat").c(), &mut buffer)) else {
        return 3;
    };
    if !sys::enter(folder) {
        return 4;
    }
    let Some(out) = out::Out::open(options.which.bytes()) else {
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
    let name = sys::read(host::proc(pid, b"/comm").c(), &mut name).trim_ascii_end();
    let log = log::Log::open(options.kmsg, pid, name);
    let mut boot = [0; 36];
    sys::read(c"/proc/sys/kernel/random/boot_id", &mut boot);
    let facts = Facts {
        pid,
        born: born.born,
        boot,
        native_status: born.is_open(),
        pidfd: pidfd.is_open(),
        kmsg: log.is_readable(),
        group: group.version,
        limit: group.limit,
        time: sys::now(),
        id: options.id,
        fault: Path::of(&[b"nbmedic-fault", options.which.bytes(), b".log"]),
        parent: born.parent,
        exact: group.exact,
    };
    let host = host::Host::of(pid, group, &mut buffer);
    let mut watch = Watch::of(facts, host, out, log);
    (_, watch.fault_size) = sys::identity(watch.facts.fault.c());
    watch.host.look(&mut watch.buffer);
    watch.host.fast(&mut watch.buffer);
    watch.well = watch.host.kills(&mut watch.buffer);
    let until = sys::ticks() + GPU_PATIENCE;
    while gpu::SHARED.gpus().is_none() && sys::ticks() < until {
        sys::pause(1);
    }
    watch.out.renew();
    watch.start(false);
    run(watch, pidfd, options)
}

fn run(mut watch: Watch, pidfd: File, options: &Options) -> ! {
    let mut talk = if File(0).is_pipe() { File(0) } else { NO_FILE };
    // Without anybody who says when a cell runs, a kernel that works is taken to run one.
    let told = talk.is_open();
    let mut busy = false;
    let mut next = 0;
    let mut always = true;
    loop {
        let at = sys::ticks();
        if at >= next || always {
            watch.sample(always || told && !busy);
            if !told {
                busy = (6..NONE).contains(&watch.host.now[host::CPU + 2]);
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
        if !pidfd.is_open() {
            pause = pause.min(100);
        }
        let [ended, said, logged] = sys::wait([pidfd, talk, watch.log.file], pause);
        if TOLD_TO_END.load(Relaxed) {
            watch.stop("runtime");
            sys::exit(0);
        }
        let gone = !pidfd.is_open()
            && (!watch.host.look(&mut watch.buffer) || watch.host.kernel.is_zombie());
        if ended || gone {
            watch.end(sys::now(), if options.info { pidfd } else { NO_FILE });
            sys::exit(0);
        }
        if said {
            let mut words = [0; 64];
            let words = talk.next(&mut words);
            if words.is_empty() {
                talk = NO_FILE;
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
