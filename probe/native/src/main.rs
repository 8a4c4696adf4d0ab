//! nbmedic's probe: records what the machine and its GPUs do while a notebook's kernel lives, and
//! how the kernel died. See [FORMAT.md](../../FORMAT.md).
//!
//! It ships inside a notebook's cell, so it must be small, and it uses only the system's C library.
//! The logic is in the crate `nbmedic-probe`; this crate makes the system calls.

#![no_std]
#![no_main]

mod api;
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
use sys::{File, Path, NO_FILE};
use watch::Watch;

/// Longest time that the line `start` waits for the GPUs, ms.
const GPU_PATIENCE: u64 = 40;

static TOLD_TO_END: AtomicBool = AtomicBool::new(false);

extern "C" fn told_to_end(_: c_int) {
    TOLD_TO_END.store(true, Relaxed);
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    sys::exit(70)
}

#[derive(Clone, Copy)]
struct Options {
    hz: u64,
    idle: u64,
    info: u64,
    pidfd: u64,
    foreground: u64,
    kmsg: &'static CStr,
    /// The number that distinguishes this record from others in the folder; may be empty.
    name: Option<&'static CStr>,
}

fn letter(text: &[u8], i: usize) -> u8 {
    text.get(i).copied().unwrap_or(0)
}

/// The program: `nbmedic-probe PID DIR [KEY=VALUE …]`.
///
/// # Safety
/// Only the system may call it, with its arguments.
#[no_mangle]
pub unsafe extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    // SAFETY: the system passes `argc` pointers to strings that end with a NUL and live as long as
    // the process.
    let argument =
        |i: usize| (i < argc as usize).then(|| unsafe { CStr::from_ptr::<'static>(*argv.add(i)) });
    let watch = Watch::get();
    let mut options = Options {
        hz: 10,
        idle: 10,
        info: 1,
        pidfd: 1,
        foreground: 0,
        kmsg: c"/dev/kmsg",
        name: None,
    };
    let pid = argument(1).and_then(|text| number(text.to_bytes()));
    let (Some(pid), Some(folder)) = (pid, argument(2)) else {
        return 2;
    };
    for i in 3.. {
        let Some(text) = argument(i) else { break };
        let text = text.to_bytes_with_nul();
        let at = text.iter().take_while(|&&b| b != b'=').count() + 1;
        let Some(value) = text.get(at..).filter(|rest| !rest.is_empty()) else {
            return 2;
        };
        let n = number(value).unwrap_or(0);
        // SAFETY: it is the rest of an argument, with its NUL.
        let path = unsafe { CStr::from_bytes_with_nul_unchecked(value) };
        // Two letters distinguish the keys.
        match (letter(text, 0), letter(text, 1)) {
            (b'h', b'z') => options.hz = n.clamp(1, 50),
            (b'i', b'd') if at == 5 => options.idle = n.clamp(1, 60),
            (b'i', b'd') => watch.id = Some(path),
            (b'i', b'n') => options.info = n,
            (b'p', b'i') => options.pidfd = n,
            (b'f', b'g') => options.foreground = n,
            (b'k', b'm') => options.kmsg = path,
            (b'n', b'a') => options.name = Some(path),
            (b'n', b'v') => api::PATH.store(path.as_ptr().cast_mut(), Relaxed),
            _ => return 2,
        }
    }
    watch.pid = pid as u32;
    record(watch, folder, options)
}

fn record(watch: &'static mut Watch, folder: &'static CStr, options: Options) -> c_int {
    let pid = watch.pid;
    let pidfd = if options.pidfd == 0 {
        NO_FILE
    } else {
        sys::pidfd(pid)
    };
    watch.pidfd = pidfd.is_open();
    watch.host.process = File::open(host::proc(pid, b"/stat").c());
    if !watch.host.look(&mut watch.buffer) {
        return 3;
    }
    watch.born = watch.host.kernel.born;
    watch.parent = watch.host.kernel.parent;
    watch.open = watch.host.kernel.is_open();
    let which = match options.name {
        Some(name) => Path::of(b"-", name.to_bytes()),
        None => Path::of(b"", b""),
    };
    let which = which.bytes();
    if !sys::enter(folder) || !watch.out.open(folder, which) {
        return 4;
    }
    let mut fault = Path::of(b"nbmedic-fault", which);
    fault.push(b".log");
    watch.fault = File::open(fault.c());
    watch.alarm = sys::writes(fault.c());
    (_, watch.fault_size) = watch.fault.identity();
    watch.fault_seen = watch.fault_size;
    watch.brim = host::NO_SPACE;
    watch.stack = watch.host.kernel.stack;
    if options.foreground == 0 {
        sys::detach();
    }
    sys::spare();
    sys::on_signal(libc::SIGTERM, Some(told_to_end));
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGPIPE] {
        sys::on_signal(signal, None);
    }
    if !sys::thread(gpu::run) {
        gpu::SHARED.answer.store(999, Relaxed);
    }
    watch.host.open(pid, &mut watch.buffer);
    watch.log.open(options.kmsg, pid);
    sys::read(c"/proc/sys/kernel/random/boot_id", &mut watch.boot);
    watch.time = sys::now();
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

fn run(watch: &mut Watch, pidfd: File, options: Options) -> ! {
    let mut talk = if File(0).is_pipe() { File(0) } else { NO_FILE };
    // Without hooks that say when a cell runs, a busy kernel counts as running one.
    let told = talk.is_open();
    let mut busy = false;
    let mut next = 0;
    let mut always = true;
    loop {
        let at = sys::ticks();
        if at >= next || always {
            let moved = watch.sample(always || told && !busy);
            if !told {
                busy = (6..NONE).contains(&watch.host.now[host::CPU + 2]);
            }
            let period = match (busy, told) {
                // A fast change may be over soon.
                (true, _) if moved => (250 / options.hz).max(20),
                (true, _) => 1000 / options.hz,
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
        let [ended, said, logged, wrote] =
            sys::wait([pidfd, talk, watch.log.file, watch.alarm], pause);
        if wrote {
            watch.crashes();
        }
        if TOLD_TO_END.load(Relaxed) {
            watch.stop("runtime");
            sys::exit(0);
        }
        let gone = !pidfd.is_open()
            && (!watch.host.look(&mut watch.buffer) || watch.host.kernel.is_zombie());
        if ended || gone {
            watch.end(if options.info != 0 { pidfd } else { NO_FILE });
            sys::exit(0);
        }
        if watch.is_replaced() {
            watch.replaced();
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
            if watch.log.kill.is_some() {
                // By then it is clear whether the kernel is dead.
                next = next.min(sys::ticks() + 50);
            }
        }
    }
}
