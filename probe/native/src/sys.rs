//! The system calls, as safe functions. `None` stands for any error; what a caller needs to know
//! about one is asked for by name.

use core::ffi::{c_int, c_void, CStr};
use core::mem::MaybeUninit;

/// A path in the making, with room for its NUL. What does not fit opens nothing.
pub struct Path {
    text: [u8; 512],
    len: usize,
}

impl Path {
    /// The path that these parts make together.
    #[inline(never)]
    pub fn of(front: &[u8], back: &[u8]) -> Path {
        let mut path = Path {
            text: [0; 512],
            len: 0,
        };
        path.push(front);
        path.push(back);
        path
    }

    /// Appends to it.
    #[inline(never)]
    pub fn push(&mut self, part: &[u8]) {
        for &byte in part {
            if let Some(place) = self.text.get_mut(self.len) {
                *place = byte;
            }
            self.len = self.len.saturating_add(1);
        }
    }

    /// Appends a number.
    pub fn push_number(&mut self, number: u32) {
        let mut unit = 1_000_000_000;
        while unit > 0 {
            if number >= unit || unit == 1 {
                self.push(&[b'0' + (number / unit % 10) as u8]);
            }
            unit /= 10;
        }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or(b"")
    }

    /// The same, for the system. Empty where it did not fit.
    pub fn c(&self) -> &CStr {
        if self.len >= self.text.len() {
            return c"";
        }
        // SAFETY: behind what was pushed are zeros, and there is at least one.
        unsafe { CStr::from_ptr(self.text.as_ptr().cast()) }
    }
}

/// An open file. It stays open: there are few, and they are used to the end. One that could not be
/// opened reads as empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct File(pub c_int);

/// No file.
pub const NO_FILE: File = File(-1);

impl File {
    /// Opens it for reading, without waiting for anything.
    #[inline(never)]
    pub fn open(path: &CStr) -> File {
        Self::with(path, libc::O_RDONLY | libc::O_NONBLOCK)
    }

    /// Opens it for appending.
    pub fn append(path: &CStr) -> File {
        Self::with(path, libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT)
    }

    #[inline(never)]
    fn with(path: &CStr, flags: c_int) -> File {
        // SAFETY: the path ends with a NUL.
        File(unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, 0o644) })
    }

    /// Whether it is one.
    pub fn is_open(self) -> bool {
        self.0 >= 0
    }

    /// Reads from the beginning, as the files in `/proc` want it, until the buffer is full.
    #[inline(never)]
    pub fn whole(self, buffer: &mut [u8]) -> &[u8] {
        self.from(0, buffer)
    }

    /// Reads from a place on, until the buffer is full.
    #[inline(never)]
    pub fn from(self, offset: u64, buffer: &mut [u8]) -> &[u8] {
        let mut len = 0;
        while let Some(room) = buffer.get_mut(len..) {
            let at = offset as i64 + len as i64;
            // SAFETY: the buffer is as long as is said.
            let got = unsafe { libc::pread(self.0, room.as_mut_ptr().cast(), room.len(), at) };
            if got <= 0 {
                break;
            }
            len += got as usize;
        }
        buffer.get(..len).unwrap_or(b"")
    }

    /// Reads what is there next.
    pub fn next(self, buffer: &mut [u8]) -> &[u8] {
        // SAFETY: the buffer is as long as is said.
        let got = unsafe { libc::read(self.0, buffer.as_mut_ptr().cast(), buffer.len()) };
        buffer.get(..got as usize).unwrap_or(b"")
    }

    /// Writes it all in one call.
    pub fn write(self, text: &[u8]) {
        // SAFETY: the text is as long as is said.
        unsafe { libc::write(self.0, text.as_ptr().cast(), text.len()) };
    }

    /// Goes to the end.
    pub fn to_end(self) {
        // SAFETY: no memory is involved.
        unsafe { libc::lseek(self.0, 0, libc::SEEK_END) };
    }

    /// Its number on the file system and its size; zeros where it is none.
    pub fn identity(self) -> (u64, u64) {
        let stat = status(|stat| {
            // SAFETY: the system fills the structure in.
            unsafe { libc::fstat(self.0, stat) };
        });
        (stat.st_ino, stat.st_size as u64)
    }

    /// Whether it is a pipe or a socket: somebody may say something there.
    pub fn is_pipe(self) -> bool {
        let stat = status(|stat| {
            // SAFETY: as above.
            unsafe { libc::fstat(self.0, stat) };
        });
        matches!(stat.st_mode & libc::S_IFMT, libc::S_IFIFO | libc::S_IFSOCK)
    }

    /// Locks it for as long as it is open, unless somebody else has.
    pub fn lock(self) {
        // SAFETY: no memory is involved.
        unsafe { libc::flock(self.0, libc::LOCK_EX | libc::LOCK_NB) };
    }

    /// Closes it.
    pub fn close(self) {
        // SAFETY: no memory is involved.
        unsafe { libc::close(self.0) };
    }
}

fn status(fill: impl FnOnce(*mut libc::stat)) -> libc::stat {
    let mut stat = MaybeUninit::zeroed();
    fill(stat.as_mut_ptr());
    // SAFETY: zeros are a valid one.
    unsafe { stat.assume_init() }
}

/// Reads a file that is not kept open.
#[inline(never)]
pub fn read<'a>(path: &CStr, buffer: &'a mut [u8]) -> &'a [u8] {
    let file = File::open(path);
    let text = file.whole(buffer);
    file.close();
    text
}

/// The number and size of the file of this name; zeros where there is none.
#[inline(never)]
pub fn identity(path: &CStr) -> (u64, u64) {
    let stat = status(|stat| {
        // SAFETY: the path ends with a NUL; the system fills the structure in.
        unsafe { libc::stat(path.as_ptr(), stat) };
    });
    (stat.st_ino, stat.st_size as u64)
}

/// Renames a file.
pub fn rename(from: &CStr, to: &CStr) {
    // SAFETY: both end with a NUL.
    unsafe { libc::rename(from.as_ptr(), to.as_ptr()) };
}

/// Space on the file system that this lies on: its number, bytes free to the user, bytes there are.
pub fn space(path: &CStr) -> Option<(u64, u64, u64)> {
    let mut found = MaybeUninit::<libc::statvfs>::zeroed();
    let stat = status(|stat| {
        // SAFETY: the path ends with a NUL; the system fills the structure in.
        unsafe { libc::stat(path.as_ptr(), stat) };
    });
    // SAFETY: as above, and zeros are a valid one.
    let found = unsafe {
        libc::statvfs(path.as_ptr(), found.as_mut_ptr());
        found.assume_init()
    };
    let block = found.f_frsize;
    (found.f_blocks > 0).then_some((stat.st_dev, found.f_bavail * block, found.f_blocks * block))
}

/// Time by one of the system's clocks, in milliseconds.
pub fn clock(which: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(which, &mut time) };
    time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000
}

/// Unix time, ms.
pub fn now() -> u64 {
    clock(libc::CLOCK_REALTIME)
}

/// A clock that is never set, ms.
pub fn ticks() -> u64 {
    clock(libc::CLOCK_MONOTONIC)
}

/// Sleeps.
pub fn pause(millis: u64) {
    let time = libc::timespec {
        tv_sec: (millis / 1000) as i64,
        tv_nsec: (millis % 1000) as i64 * 1_000_000,
    };
    // SAFETY: the structure is ours; what is left of the time is not asked for.
    unsafe { libc::nanosleep(&time, core::ptr::null_mut()) };
}

/// Processors on line.
pub fn processors() -> u64 {
    // SAFETY: no memory is involved.
    unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }.max(1) as u64
}

/// Bytes of a page.
pub fn page() -> u64 {
    // SAFETY: no memory is involved.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as u64
}

/// A descriptor of a process, which tells of its end whoever its parent is (Linux 5.3).
pub fn pidfd(pid: u32) -> File {
    // SAFETY: no memory is involved.
    File(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) } as c_int)
}

/// The wait status of a process that was reaped, by `PIDFD_GET_INFO` (Linux 6.15).
pub fn pidfd_status(file: File) -> Option<u32> {
    // struct pidfd_info of linux/pidfd.h: the mask, then 48 bytes, then the status.
    const GET_INFO: libc::Ioctl = 0xc040_ff0b_u32 as libc::Ioctl;
    const EXIT: u64 = 8;
    let mut info = [0_u64; 8];
    info[0] = EXIT;
    // SAFETY: the request's number says 64 bytes, and so long is the structure.
    let answer = unsafe { libc::ioctl(file.0, GET_INFO, info.as_mut_ptr()) };
    (answer == 0 && info[0] & EXIT != 0).then_some((info[7] >> 32) as u32)
}

/// Reads the tail of the kernel's log; 0 bytes where that is not allowed.
pub fn log_tail(buffer: &mut [u8]) -> usize {
    const READ_ALL: c_int = 3;
    // SAFETY: the buffer is as long as is said.
    unsafe { libc::klogctl(READ_ALL, buffer.as_mut_ptr().cast(), buffer.len() as c_int) }.max(0)
        as usize
}

/// Waits until one of the files has something to say or `millis` are over: which of them do.
pub fn wait(files: [File; 3], millis: u64) -> [bool; 3] {
    let mut polls = files.map(|file| libc::pollfd {
        fd: file.0,
        events: libc::POLLIN,
        revents: 0,
    });
    // SAFETY: the array is as long as is said.
    unsafe { libc::poll(polls.as_mut_ptr(), 3, millis.min(60_000) as c_int) };
    polls.map(|poll| poll.revents != 0)
}

/// The names in a folder of `/proc` that are numbers.
pub fn numbers_in(path: &CStr, each: &mut dyn FnMut(u32)) {
    // SAFETY: the path ends with a NUL; names that the system gives do too, and are used before
    // the next is asked for.
    unsafe {
        let folder = libc::opendir(path.as_ptr());
        if folder.is_null() {
            return;
        }
        loop {
            let entry = libc::readdir(folder);
            if entry.is_null() {
                break;
            }
            let name = CStr::from_ptr((*entry).d_name.as_ptr());
            if let Some(n) = nbmedic_probe::bytes::number(name.to_bytes()) {
                each(n as u32);
            }
        }
        libc::closedir(folder);
    }
}

/// Leaves the caller's process group, session and parent: forks twice. The caller itself ends
/// here, with status 0 where that worked.
pub fn detach() {
    // SAFETY: there is one thread yet, so that both sides of a fork are whole.
    unsafe {
        match libc::fork() {
            0 => {}
            child => {
                let mut status = 1;
                if child > 0 {
                    libc::waitpid(child, &mut status, 0);
                }
                libc::_exit(c_int::from(status != 0));
            }
        }
        libc::setsid();
        match libc::fork() {
            0 => {}
            child => libc::_exit(c_int::from(child < 0)),
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup2(null, 1);
        libc::dup2(null, 2);
    }
}

/// Ends the process, whatever its threads do.
pub fn exit(status: c_int) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(status) }
}

/// This process's id.
pub fn me() -> u32 {
    // SAFETY: no memory is involved.
    unsafe { libc::getpid() as u32 }
}

/// Goes to a folder.
pub fn enter(path: &CStr) -> bool {
    // SAFETY: the path ends with a NUL.
    unsafe { libc::chdir(path.as_ptr()) == 0 }
}

/// What is done at a signal.
pub fn on_signal(signal: c_int, handler: Option<extern "C" fn(c_int)>) {
    let action = handler.map_or(libc::SIG_IGN, |f| f as *const () as libc::sighandler_t);
    // SAFETY: the handler only sets a flag.
    unsafe { libc::signal(signal, action) };
}

/// Starts a thread that lives as long as the process.
pub fn thread(run: extern "C" fn(*mut c_void) -> *mut c_void) -> bool {
    let mut id = MaybeUninit::uninit();
    // SAFETY: the function takes no argument and never returns.
    unsafe {
        libc::pthread_create(
            id.as_mut_ptr(),
            core::ptr::null(),
            run,
            core::ptr::null_mut(),
        ) == 0
    }
}
