//! The system calls, as safe functions. `None` stands for any error; if a caller must know which, a
//! separate function says so.
//!
//! The calls are made directly, because each function of the C library that a program uses takes
//! room in five of its tables.

use core::arch::asm;
use core::ffi::{c_int, c_long, c_void, CStr};
use core::mem::MaybeUninit;

/// A system call with four arguments. Returns its result, or a negative number.
///
/// # Safety
/// The arguments must be valid for the call.
#[inline(always)]
unsafe fn call(number: c_long, a: usize, b: usize, c: usize, d: usize) -> isize {
    let answer: isize;
    // SAFETY: the caller's; these are the registers of the system's calling convention.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => answer, in("rdi") a, in("rsi") b, in("rdx") c,
            in("r10") d, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") a as isize => answer, in("x1") b, in("x2") c, in("x3") d,
            options(nostack));
    }
    answer
}

/// Paths are relative to the working folder.
const HERE: usize = libc::AT_FDCWD as usize;

/// A path being built, with room for its NUL. A path that does not fit opens no file.
pub struct Path {
    text: [u8; 512],
    len: usize,
}

impl Path {
    /// The path that consists of these parts.
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

    /// The path's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or(b"")
    }

    /// The path as a C string. Empty if it did not fit.
    pub fn c(&self) -> &CStr {
        if self.len >= self.text.len() {
            return c"";
        }
        // SAFETY: zeros follow what was pushed, at least one.
        unsafe { CStr::from_ptr(self.text.as_ptr().cast()) }
    }
}

/// An open file. It stays open: there are few, and they are used until the end. A file that could not
/// be opened reads as empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct File(pub c_int);

/// No file.
pub const NO_FILE: File = File(-1);

impl File {
    /// Opens a file for reading, without blocking.
    #[inline(never)]
    pub fn open(path: &CStr) -> File {
        Self::with(path, libc::O_RDONLY | libc::O_NONBLOCK)
    }

    /// Opens a file for appending. What is there can be read, too.
    pub fn append(path: &CStr) -> File {
        let flags = libc::O_RDWR | libc::O_APPEND | libc::O_CREAT;
        // A link or a pipe with this name was put there by somebody else.
        Self::with(path, flags | libc::O_NOFOLLOW | libc::O_NONBLOCK)
    }

    #[inline(never)]
    fn with(path: &CStr, flags: c_int) -> File {
        // SAFETY: the path ends with a NUL.
        File(unsafe {
            call(
                libc::SYS_openat,
                HERE,
                path.as_ptr() as usize,
                (flags | libc::O_CLOEXEC) as usize,
                0o600,
            )
        } as c_int)
    }

    /// Whether it is open.
    pub fn is_open(self) -> bool {
        self.0 >= 0
    }

    /// Reads from the beginning, as files in `/proc` require, until the buffer is full.
    #[inline(never)]
    pub fn whole(self, buffer: &mut [u8]) -> &[u8] {
        self.from(0, buffer)
    }

    /// Reads from an offset, until the buffer is full.
    #[inline(never)]
    pub fn from(self, offset: u64, buffer: &mut [u8]) -> &[u8] {
        let mut len = 0;
        while let Some(room) = buffer.get_mut(len..) {
            let at = offset as usize + len;
            // SAFETY: the buffer has the given length.
            let got = unsafe {
                call(
                    libc::SYS_pread64,
                    self.0 as usize,
                    room.as_mut_ptr() as usize,
                    room.len(),
                    at,
                )
            };
            if got <= 0 {
                break;
            }
            len += got as usize;
        }
        buffer.get(..len).unwrap_or(b"")
    }

    /// Reads the next data.
    pub fn next(self, buffer: &mut [u8]) -> &[u8] {
        // SAFETY: the buffer has the given length.
        let got = unsafe {
            call(
                libc::SYS_read,
                self.0 as usize,
                buffer.as_mut_ptr() as usize,
                buffer.len(),
                0,
            )
        };
        buffer.get(..got as usize).unwrap_or(b"")
    }

    /// Writes all of it in one call.
    pub fn write(self, text: &[u8]) {
        // SAFETY: the text has the given length.
        unsafe {
            call(
                libc::SYS_write,
                self.0 as usize,
                text.as_ptr() as usize,
                text.len(),
                0,
            )
        };
    }

    /// Seeks to the end.
    pub fn to_end(self) {
        // SAFETY: no memory is involved.
        unsafe {
            call(
                libc::SYS_lseek,
                self.0 as usize,
                0,
                libc::SEEK_END as usize,
                0,
            )
        };
    }

    /// Its inode and its size; zeros if it is not open.
    pub fn identity(self) -> (u64, u64) {
        let stat = status(self.0, c"");
        (stat.st_ino, stat.st_size as u64)
    }

    /// Whether it is a regular file that has no second name, such as another user's.
    pub fn is_plain(self) -> bool {
        let stat = status(self.0, c"");
        stat.st_mode & libc::S_IFMT == libc::S_IFREG && stat.st_nlink == 1
    }

    /// Whether it is a pipe or a socket, through which someone may write.
    pub fn is_pipe(self) -> bool {
        let stat = status(self.0, c"");
        matches!(stat.st_mode & libc::S_IFMT, libc::S_IFIFO | libc::S_IFSOCK)
    }

    /// Locks it for as long as it is open. Fails if another process holds the lock.
    pub fn lock(self) {
        // SAFETY: no memory is involved.
        unsafe {
            call(
                libc::SYS_flock,
                self.0 as usize,
                (libc::LOCK_EX | libc::LOCK_NB) as usize,
                0,
                0,
            )
        };
    }

    /// Closes it.
    pub fn close(self) {
        // SAFETY: no memory is involved.
        unsafe { call(libc::SYS_close, self.0 as usize, 0, 0, 0) };
    }
}

/// The metadata of an open file or, with a path, of the file at that path.
#[inline(never)]
fn status(file: c_int, path: &CStr) -> libc::stat {
    let mut stat = MaybeUninit::zeroed();
    // SAFETY: the path ends with a NUL, and the system fills in the struct, for which zeros are valid.
    unsafe {
        call(
            libc::SYS_newfstatat,
            file as usize,
            path.as_ptr() as usize,
            stat.as_mut_ptr() as usize,
            libc::AT_EMPTY_PATH as usize,
        );
        stat.assume_init()
    }
}

/// Reads a file that is not kept open.
#[inline(never)]
pub fn read<'a>(path: &CStr, buffer: &'a mut [u8]) -> &'a [u8] {
    let file = File::open(path);
    let text = file.whole(buffer);
    file.close();
    text
}

/// The inode and size of the file at this path; zeros if there is none.
#[inline(never)]
pub fn identity(path: &CStr) -> (u64, u64) {
    let stat = status(libc::AT_FDCWD, path);
    (stat.st_ino, stat.st_size as u64)
}

/// Makes a folder that nobody else may use. Returns whether it was made.
pub fn make_folder(path: &CStr) -> bool {
    // SAFETY: the path ends with a NUL.
    unsafe { call(libc::SYS_mkdirat, HERE, path.as_ptr() as usize, 0o700, 0) == 0 }
}

/// Reports every write to a file, until the end. Not open if the system can't.
pub fn writes(path: &CStr) -> File {
    // SAFETY: no memory is involved.
    let file = File(unsafe {
        call(
            libc::SYS_inotify_init1,
            (libc::IN_NONBLOCK | libc::IN_CLOEXEC) as usize,
            0,
            0,
            0,
        )
    } as c_int);
    // SAFETY: the path ends with a NUL.
    unsafe {
        call(
            libc::SYS_inotify_add_watch,
            file.0 as usize,
            path.as_ptr() as usize,
            libc::IN_MODIFY as usize,
            0,
        )
    };
    file
}

/// Renames a file.
pub fn rename(from: &CStr, to: &CStr) {
    // SAFETY: both paths end with a NUL.
    unsafe {
        call(
            libc::SYS_renameat,
            HERE,
            from.as_ptr() as usize,
            HERE,
            to.as_ptr() as usize,
        )
    };
}

/// The file system at this path: its id, bytes free to the user, bytes in total.
pub fn space(path: &CStr) -> Option<(u64, u64, u64)> {
    let mut found = MaybeUninit::<libc::statfs>::zeroed();
    // SAFETY: the path ends with a NUL; the system fills in the struct, for which zeros are valid.
    let found = unsafe {
        call(
            libc::SYS_statfs,
            path.as_ptr() as usize,
            found.as_mut_ptr() as usize,
            0,
            0,
        );
        found.assume_init()
    };
    let block = found.f_frsize as u64;
    let device = status(libc::AT_FDCWD, path).st_dev;
    (found.f_blocks > 0).then_some((device, found.f_bavail * block, found.f_blocks * block))
}

/// The time of one of the system's clocks, in milliseconds.
pub fn clock(which: libc::clockid_t) -> u64 {
    let mut time = [0_u64; 2];
    // SAFETY: the two numbers of a timespec are ours.
    unsafe {
        call(
            libc::SYS_clock_gettime,
            which as usize,
            time.as_mut_ptr() as usize,
            0,
            0,
        )
    };
    time[0] * 1000 + time[1] / 1_000_000
}

/// Unix time, ms.
pub fn now() -> u64 {
    clock(libc::CLOCK_REALTIME)
}

/// Monotonic clock, ms.
pub fn ticks() -> u64 {
    clock(libc::CLOCK_MONOTONIC)
}

/// Sleeps.
pub fn pause(millis: u64) {
    wait([NO_FILE; 4], millis);
}

/// Number of online processors.
pub fn processors() -> u64 {
    // SAFETY: no memory is involved.
    unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }.max(1) as u64
}

/// Page size in bytes.
pub fn page() -> u64 {
    // SAFETY: no memory is involved.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as u64
}

/// A process's pidfd, which reports its end to non-parents too (Linux 5.3).
pub fn pidfd(pid: u32) -> File {
    // SAFETY: no memory is involved.
    File(unsafe { call(libc::SYS_pidfd_open, pid as usize, 0, 0, 0) } as c_int)
}

/// The wait status of a reaped process, from `PIDFD_GET_INFO` (Linux 6.15).
pub fn pidfd_status(file: File) -> Option<u32> {
    // struct pidfd_info of linux/pidfd.h: the mask, then 48 bytes, then the status.
    const GET_INFO: usize = 0xc040_ff0b;
    const EXIT: u64 = 8;
    let mut info = [0_u64; 8];
    info[0] = EXIT;
    // SAFETY: the request's number encodes 64 bytes, which is the struct's size.
    let answer = unsafe {
        call(
            libc::SYS_ioctl,
            file.0 as usize,
            GET_INFO,
            info.as_mut_ptr() as usize,
            0,
        )
    };
    (answer == 0 && info[0] & EXIT != 0).then_some((info[7] >> 32) as u32)
}

/// Reads the end of the kernel log; 0 bytes if that is not allowed.
pub fn log_tail(buffer: &mut [u8]) -> usize {
    const READ_ALL: usize = 3;
    // SAFETY: the buffer has the given length.
    unsafe {
        call(
            libc::SYS_syslog,
            READ_ALL,
            buffer.as_mut_ptr() as usize,
            buffer.len(),
            0,
        )
    }
    .max(0) as usize
}

/// Waits until one of the files has data or `millis` have passed. Returns which of them have data.
#[inline(never)]
pub fn wait(files: [File; 4], millis: u64) -> [bool; 4] {
    let mut polls = files.map(|file| libc::pollfd {
        fd: file.0,
        events: libc::POLLIN,
        revents: 0,
    });
    let time = [millis / 1000, millis % 1000 * 1_000_000];
    // SAFETY: the array has the given length, and the two numbers form a timespec.
    unsafe {
        call(
            libc::SYS_ppoll,
            polls.as_mut_ptr() as usize,
            polls.len(),
            time.as_ptr() as usize,
            0,
        )
    };
    polls.map(|poll| poll.revents != 0)
}

/// The names in a folder of `/proc` that are numbers.
pub fn numbers_in(path: &CStr, each: &mut dyn FnMut(u32)) {
    let folder = File::open(path);
    loop {
        let mut names = [0_u8; 2048];
        // SAFETY: the buffer has the given length.
        let got = unsafe {
            call(
                libc::SYS_getdents64,
                folder.0 as usize,
                names.as_mut_ptr() as usize,
                names.len(),
                0,
            )
        };
        if got <= 0 {
            break;
        }
        // struct linux_dirent64: the entry's length at 16, its name at 19. Zeros follow the last entry.
        let mut rest = &names[..];
        while let Some((&[low, high], name)) = rest
            .get(16..)
            .and_then(|rest| Some((rest.first_chunk()?, rest.get(3..)?)))
        {
            let len = usize::from(u16::from_le_bytes([low, high]));
            if len == 0 {
                break;
            }
            if let Some(n) = nbmedic_probe::bytes::number(name) {
                each(n as u32);
            }
            rest = rest.get(len..).unwrap_or(b"");
        }
    }
    folder.close();
}

/// Leaves the caller's process group, session and parent by forking twice. The caller itself exits
/// here, with status 0 on success.
pub fn detach() {
    // SAFETY: there is only one thread yet, so both sides of a fork are complete.
    unsafe {
        match libc::fork() {
            0 => {}
            child => {
                let mut status = 1;
                if child > 0 {
                    call(
                        libc::SYS_wait4,
                        child as usize,
                        &raw mut status as usize,
                        0,
                        0,
                    );
                }
                exit(c_int::from(status != 0));
            }
        }
        call(libc::SYS_setsid, 0, 0, 0, 0);
        match libc::fork() {
            0 => {}
            child => exit(c_int::from(child < 0)),
        }
        let null = File::with(c"/dev/null", libc::O_RDWR).0 as usize;
        call(libc::SYS_dup3, null, 1, 0, 0);
        call(libc::SYS_dup3, null, 2, 0, 0);
    }
}

/// Asks the system not to kill this process when memory runs out, and to run it at once when something happens. It grants that to
/// administrators.
pub fn spare() {
    // SAFETY: no memory is involved.
    unsafe {
        call(
            libc::SYS_setpriority,
            libc::PRIO_PROCESS as usize,
            0,
            -10_isize as usize,
            0,
        )
    };
    let file = File::with(c"/proc/self/oom_score_adj", libc::O_WRONLY);
    file.write(b"-1000");
    file.close();
}

/// Ends the process with all of its threads.
pub fn exit(status: c_int) -> ! {
    // SAFETY: it does not return.
    unsafe {
        call(libc::SYS_exit_group, status as usize, 0, 0, 0);
        core::hint::unreachable_unchecked()
    }
}

/// This process's id.
pub fn me() -> u32 {
    // SAFETY: no memory is involved.
    unsafe { call(libc::SYS_getpid, 0, 0, 0, 0) as u32 }
}

/// Changes the working folder.
pub fn enter(path: &CStr) -> bool {
    // SAFETY: the path ends with a NUL.
    unsafe { call(libc::SYS_chdir, path.as_ptr() as usize, 0, 0, 0) == 0 }
}

/// Sets a signal's handler.
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
