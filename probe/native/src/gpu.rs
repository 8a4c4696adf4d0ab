//! NVIDIA's management library, in a thread of its own: it may take long to begin and hang for
//! good, and then everything else goes on.
//!
//! The library is opened while running, and of every function whose form changed the newest that
//! is there is called. Structures and numbers after `nvml.h` of NVIDIA's go-nvml (API 13). What
//! the thread finds stands in [`SHARED`].

use crate::sys::{now, pause, ticks, Path};
use core::cell::UnsafeCell;
use core::ffi::{c_char, c_void, CStr};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering::*};
use nbmedic_probe::bytes::NONE;
use nbmedic_probe::nvml::{MIG, NO_PROCESS_LIST};

/// GPUs, or instances of them, that are looked at.
pub const MAX_GPUS: usize = 16;
/// Processes of ours that are told from others'.
pub const MAX_OWN: usize = 64;
/// Figures of a GPU, in the order of the record's `g`.
pub const FIGURES: usize = 8;
/// The figures that may be missing, with their names in `na`. Total goes with used.
pub const NAMES: [(usize, &str); 8] = [
    (USED, "mem"),
    (UTILISATION, "util"),
    (TEMPERATURE, "temp"),
    (POWER, "watt"),
    (THROTTLE, "why"),
    (ECC, "ecc"),
    (OWN, "own"),
    (XID, "xid"),
];

pub const USED: usize = 0;
pub const TOTAL: usize = 1;
const UTILISATION: usize = 2;
const TEMPERATURE: usize = 3;
const POWER: usize = 4;
const THROTTLE: usize = 5;
const ECC: usize = 6;
const OWN: usize = 7;
const XID: usize = 8;

const LOST: i32 = 15;

type Device = *mut c_void;
type Text<'a> = &'a mut [u8; 96];

macro_rules! api {
    ($($name:ident $field:ident($($arg:ident: $type:ty),*) = $symbols:literal;)*) => {
        #[allow(non_camel_case_types, reason = "they number the functions")]
        enum Index { $($name,)* }

        /// The functions' names without what all begin with: the ladder of each, newest first.
        const SYMBOLS: &[u8] = concat!($($symbols, ";",)*).as_bytes();
        const COUNT: usize = [$(Index::$name,)*].len();

        impl Api {
            $(#[inline(always)]
            fn $field(&self, $($arg: $type),*) -> i32 {
                let place = self.0[Index::$name as usize];
                if place.is_null() {
                    return 13;
                }
                // SAFETY: the symbol has this form in every version of the library that has it.
                unsafe {
                    let call: extern "C" fn($($type),*) -> i32 = core::mem::transmute(place);
                    call($($arg),*)
                }
            })*
        }
    };
}

struct Api([*mut c_void; COUNT]);

api! {
    Init init() = "Init_v2,Init";
    Driver driver(text: *mut u8, len: u32) = "SystemGetDriverVersion";
    Count count(n: &mut u32) = "DeviceGetCount_v2,DeviceGetCount";
    Handle handle(i: u32, device: &mut Device) = "DeviceGetHandleByIndex_v2,DeviceGetHandleByIndex";
    Uuid uuid(device: Device, text: *mut u8, len: u32) = "DeviceGetUUID";
    Name name(device: Device, text: *mut u8, len: u32) = "DeviceGetName";
    Pci pci(device: Device, info: *mut u8) = "DeviceGetPciInfo_v3,DeviceGetPciInfo_v2";
    Memory2 memory_2(device: Device, memory: &mut [u64; 5]) = "DeviceGetMemoryInfo_v2";
    Memory1 memory_1(device: Device, memory: &mut [u64; 5]) = "DeviceGetMemoryInfo";
    Utilisation utilisation(device: Device, rates: &mut [u32; 2]) = "DeviceGetUtilizationRates";
    Temperature temperature(device: Device, sensor: u32, celsius: &mut u32) = "DeviceGetTemperature";
    Power power(device: Device, milliwatts: &mut u32) = "DeviceGetPowerUsage";
    Throttle throttle(device: Device, mask: &mut u64)
        = "DeviceGetCurrentClocksEventReasons,DeviceGetCurrentClocksThrottleReasons";
    Ecc ecc(device: Device, kind: u32, since: u32, n: &mut u64) = "DeviceGetTotalEccErrors";
    Processes3 processes_3(device: Device, n: &mut u32, list: *mut u64)
        = "DeviceGetComputeRunningProcesses_v3,DeviceGetComputeRunningProcesses_v2";
    Processes1 processes_1(device: Device, n: &mut u32, list: *mut u64)
        = "DeviceGetComputeRunningProcesses";
    Mig mig(device: Device, now: &mut u32, later: &mut u32) = "DeviceGetMigMode";
    MigCount mig_count(device: Device, n: &mut u32) = "DeviceGetMaxMigDeviceCount";
    MigHandle mig_handle(device: Device, i: u32, instance: &mut Device)
        = "DeviceGetMigDeviceHandleByIndex";
    Virtual virtual_mode(device: Device, mode: &mut u32) = "DeviceGetVirtualizationMode";
    EventTypes event_types(device: Device, types: &mut u64) = "DeviceGetSupportedEventTypes";
    EventSet event_set(set: &mut *mut c_void) = "EventSetCreate";
    Register register(device: Device, types: u64, set: *mut c_void) = "DeviceRegisterEvents";
    Wait event(set: *mut c_void, event: &mut Event, millis: u32) = "EventSetWait_v2,EventSetWait";
}

impl Api {
    fn of(library: *mut c_void) -> Api {
        let mut api = Api([null_mut(); COUNT]);
        for (place, ladder) in api.0.iter_mut().zip(SYMBOLS.split(|&b| b == b';')) {
            for name in ladder.split(|&b| b == b',') {
                if !place.is_null() {
                    break;
                }
                let path = Path::of(&[b"nvml", name]);
                // SAFETY: the library is open, and the name ends with a NUL.
                *place = unsafe { libc::dlsym(library, path.c().as_ptr()) };
            }
        }
        api
    }
}

/// nvmlEventData_t; the first version ends before the instances.
#[repr(C)]
struct Event {
    device: Device,
    kind: u64,
    data: u64,
    instance: u32,
    compute: u32,
}

/// What does not change about a GPU.
#[derive(Clone, Copy)]
pub struct Info {
    pub uuid: [u8; 96],
    pub name: [u8; 96],
    pub bus: [u8; 96],
    /// The UUID of the GPU that this is an instance of; empty where it is a whole one.
    pub of: [u8; 96],
    pub virtual_: bool,
    /// Only the call that counts the driver's reserve as used is there.
    pub old: bool,
    device: usize,
}

/// A GPU's figures, each with all bits inverted so that 0 stands for `NONE` and the whole begins
/// as zeros, and why those are missing that are.
pub struct Figures {
    pub values: [AtomicU64; FIGURES],
    pub why: [AtomicI32; FIGURES + 1],
}

/// An Xid that NVML reported.
#[derive(Clone, Copy)]
pub struct Seen {
    pub time: u64,
    pub number: u64,
    pub uuid: [u8; 96],
    pub instance: u32,
    pub compute: u32,
}

const QUEUE: usize = 16;
const NO_TEXT: [u8; 96] = [0; 96];

/// What the thread tells and is told.
pub struct Shared {
    infos: UnsafeCell<[Info; MAX_GPUS]>,
    driver: UnsafeCell<[u8; 96]>,
    queue: UnsafeCell<[Seen; QUEUE]>,
    pub figures: [Figures; MAX_GPUS],
    /// 0 before the GPUs are known, then 1 more than how many there are.
    ready: AtomicU32,
    /// NVML's answer when there are none.
    pub answer: AtomicI32,
    /// Rises whenever a reason in `why` changes.
    pub changes: AtomicU32,
    /// When the call that is being waited for began, ms; 0 between calls.
    pub began: AtomicU64,
    written: AtomicU32,
    taken: AtomicU32,
    /// Milliseconds between samples.
    pub period: AtomicU64,
    /// The processes of ours.
    pub own: [AtomicU32; MAX_OWN],
}

// SAFETY: `infos` and `driver` are written before `ready` is, and never again; a place in `queue`
// is written before `written` passes it and read before `taken` does.
unsafe impl Sync for Shared {}

pub static SHARED: Shared = Shared {
    infos: UnsafeCell::new(
        [Info {
            uuid: NO_TEXT,
            name: NO_TEXT,
            bus: NO_TEXT,
            of: NO_TEXT,
            virtual_: false,
            old: false,
            device: 0,
        }; MAX_GPUS],
    ),
    driver: UnsafeCell::new(NO_TEXT),
    queue: UnsafeCell::new(
        [Seen {
            time: 0,
            number: 0,
            uuid: NO_TEXT,
            instance: 0,
            compute: 0,
        }; QUEUE],
    ),
    figures: [const {
        Figures {
            values: [const { AtomicU64::new(0) }; FIGURES],
            why: [const { AtomicI32::new(0) }; FIGURES + 1],
        }
    }; MAX_GPUS],
    ready: AtomicU32::new(0),
    answer: AtomicI32::new(0),
    changes: AtomicU32::new(0),
    began: AtomicU64::new(0),
    written: AtomicU32::new(0),
    taken: AtomicU32::new(0),
    period: AtomicU64::new(0),
    own: [const { AtomicU32::new(0) }; MAX_OWN],
};

impl Shared {
    /// The GPUs, once they are known.
    pub fn gpus(&self) -> Option<&[Info]> {
        let count = self.ready.load(Acquire).checked_sub(1)?;
        // SAFETY: `ready` was written after them.
        unsafe { (*self.infos.get()).get(..count as usize) }
    }

    /// The driver's version.
    pub fn driver(&self) -> &[u8] {
        if self.ready.load(Acquire) == 0 {
            return b"";
        }
        // SAFETY: as above.
        text(unsafe { &*self.driver.get() })
    }

    /// The next Xid, of those not taken yet.
    pub fn take(&self) -> Option<Seen> {
        let taken = self.taken.load(Relaxed);
        if taken == self.written.load(Acquire) {
            return None;
        }
        // SAFETY: the place was written before `written` passed it.
        let seen = unsafe { (*self.queue.get()).get(taken as usize % QUEUE).copied() };
        self.taken.store(taken.wrapping_add(1), Release);
        seen
    }

    fn put(&self, seen: Seen) {
        let written = self.written.load(Relaxed);
        if written.wrapping_sub(self.taken.load(Acquire)) as usize >= QUEUE {
            return;
        }
        // SAFETY: the place has been taken, or never used.
        if let Some(place) = unsafe { (*self.queue.get()).get_mut(written as usize % QUEUE) } {
            *place = seen;
        }
        self.written.store(written.wrapping_add(1), Release);
    }
}

/// The text up to its NUL.
pub fn text(raw: &[u8]) -> &[u8] {
    let end = raw.iter().position(|&b| b == 0).unwrap_or(raw.len());
    raw.get(..end).unwrap_or(raw)
}

/// Where the library lies when it is not where the system looks: Colab, Debian, containers with
/// NVIDIA's toolkit, WSL.
const PLACES: [&CStr; 6] = [
    c"libnvidia-ml.so.1",
    c"/usr/lib64-nvidia/libnvidia-ml.so.1",
    #[cfg(target_arch = "aarch64")]
    c"/usr/lib/aarch64-linux-gnu/libnvidia-ml.so.1",
    #[cfg(not(target_arch = "aarch64"))]
    c"/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1",
    c"/usr/local/nvidia/lib64/libnvidia-ml.so.1",
    c"/usr/lib/wsl/lib/libnvidia-ml.so.1",
    c"/run/opengl-driver/lib/libnvidia-ml.so.1",
];

/// The path in place of the search, set before the thread starts.
pub static PATH: AtomicPtr<c_char> = AtomicPtr::new(null_mut());

fn open() -> *mut c_void {
    // SAFETY: paths end with a NUL; the library's own code at loading is NVIDIA's.
    let open = |path: *const c_char| unsafe { libc::dlopen(path, libc::RTLD_NOW) };
    let path = PATH.load(Acquire);
    if !path.is_null() {
        return open(path);
    }
    PLACES
        .iter()
        .map(|p| open(p.as_ptr()))
        .find(|l| !l.is_null())
        .unwrap_or(null_mut())
}

/// The thread.
pub extern "C" fn run(_: *mut c_void) -> *mut c_void {
    SHARED.began.store(ticks(), Release);
    let answer = begin();
    SHARED.began.store(0, Release);
    match answer {
        Ok((api, count, events)) => watch(&api, count, events),
        Err(answer) => {
            SHARED.answer.store(answer, Release);
            SHARED.ready.store(1, Release);
        }
    }
    null_mut()
}

fn begin() -> Result<(Api, usize, *mut c_void), i32> {
    let library = open();
    if library.is_null() {
        return Err(12);
    }
    let api = Api::of(library);
    check(api.init())?;
    // SAFETY: nobody reads them before `ready` is written.
    let (infos, driver) = unsafe { (&mut *SHARED.infos.get(), &mut *SHARED.driver.get()) };
    api.driver(driver.as_mut_ptr(), 95);
    let mut devices = 0;
    check(api.count(&mut devices))?;
    let mut events = null_mut();
    if api.event_set(&mut events) != 0 {
        events = null_mut();
    }
    let mut places = infos.iter_mut();
    let mut count = 0;
    for i in 0..devices.min(MAX_GPUS as u32) {
        let mut device = null_mut();
        // A GPU that is lost has no handle, and others may be well.
        let answer = api.handle(i, &mut device);
        let events_answer = if answer != 0 {
            answer
        } else {
            listen(&api, device, events)
        };
        let (mut mig, mut later, mut instances) = (0, 0, 0);
        if answer == 0 && api.mig(device, &mut mig, &mut later) == 0 && mig == 1 {
            api.mig_count(device, &mut instances);
        }
        let before = count;
        for j in 0..instances.min(8) {
            let mut instance = null_mut();
            if api.mig_handle(device, j, &mut instance) == 0 {
                let Some(info) = places.next() else { break };
                describe(&api, instance, info);
                api.uuid(device, info.of.as_mut_ptr(), 95);
                pci(&api, device, &mut info.bus);
                why(count, XID, events_answer);
                count += 1;
            }
        }
        if count == before {
            let Some(info) = places.next() else { break };
            if answer == 0 {
                describe(&api, device, info);
                pci(&api, device, &mut info.bus);
            } else {
                none(count, answer);
            }
            why(count, XID, events_answer);
            count += 1;
        }
    }
    if count == 0 {
        return Err(28);
    }
    Ok((api, count, events))
}

fn check(answer: i32) -> Result<(), i32> {
    if answer == 0 {
        Ok(())
    } else {
        Err(answer)
    }
}

/// Asks to be told of Xids (8) and uncorrectable memory errors (2), as far as the GPU can.
fn listen(api: &Api, device: Device, events: *mut c_void) -> i32 {
    if events.is_null() {
        return 3;
    }
    let mut types = 0;
    match api.event_types(device, &mut types) {
        0 if types & 8 == 0 => 3,
        0 => api.register(device, types & 0xa, events),
        answer => answer,
    }
}

fn describe(api: &Api, device: Device, info: &mut Info) {
    api.uuid(device, info.uuid.as_mut_ptr(), 95);
    api.name(device, info.name.as_mut_ptr(), 95);
    let mut mode = 0;
    info.virtual_ = api.virtual_mode(device, &mut mode) == 0 && mode == 2;
    info.old = api.0[Index::Memory2 as usize].is_null();
    info.device = device as usize;
}

/// nvmlPciInfo_t begins with the bus id in 16 bytes in both versions, and is 68 or 48 bytes long.
fn pci(api: &Api, device: Device, bus: Text) {
    if api.pci(device, bus.as_mut_ptr()) != 0 {
        *bus = NO_TEXT;
    }
    if let Some(rest) = bus.get_mut(16..) {
        rest.fill(0);
    }
}

#[inline(never)]
fn why(gpu: usize, figure: usize, answer: i32) {
    if let Some(place) = SHARED.figures.get(gpu).and_then(|f| f.why.get(figure)) {
        if place.swap(answer, AcqRel) != answer {
            SHARED.changes.fetch_add(1, AcqRel);
        }
    }
}

#[inline(never)]
fn set(gpu: usize, figure: usize, value: u64, answer: i32) {
    if let Some(place) = SHARED.figures.get(gpu).and_then(|f| f.values.get(figure)) {
        place.store(if answer == 0 { !value } else { !NONE }, Release);
    }
    why(gpu, figure, answer);
}

/// None of a GPU's figures is to be had.
fn none(gpu: usize, answer: i32) {
    for figure in 0..FIGURES {
        set(gpu, figure, NONE, answer);
    }
}

fn watch(api: &Api, count: usize, mut events: *mut c_void) {
    // SAFETY: nobody writes them any more.
    let infos = unsafe { &*SHARED.infos.get() };
    let mut slow = 0;
    loop {
        let began = ticks();
        SHARED.began.store(began, Release);
        let full = began.wrapping_sub(slow) >= 1000;
        if full {
            slow = began;
        }
        for (gpu, info) in infos.iter().take(count).enumerate() {
            if info.device != 0 {
                sample(api, gpu, info, full);
            }
        }
        // The first look comes before the others learn that there are GPUs.
        SHARED.ready.store(count as u32 + 1, Release);
        SHARED.began.store(0, Release);
        let rest = SHARED
            .period
            .load(Acquire)
            .saturating_sub(ticks() - began)
            .clamp(10, 1000);
        if events.is_null() {
            pause(rest);
            continue;
        }
        let mut event = Event {
            device: null_mut(),
            kind: 0,
            data: 0,
            instance: !0,
            compute: !0,
        };
        match api.event(events, &mut event, rest as u32) {
            0 => {
                let mut seen = Seen {
                    time: now(),
                    number: if event.kind == 8 { event.data } else { 48 },
                    uuid: NO_TEXT,
                    instance: event.instance,
                    compute: event.compute,
                };
                api.uuid(event.device, seen.uuid.as_mut_ptr(), 95);
                SHARED.put(seen);
                // A flood of events must not make a busy loop.
                pause(10);
            }
            // The time is over.
            10 => {}
            answer => {
                for gpu in 0..count {
                    why(gpu, XID, answer);
                }
                events = null_mut();
            }
        }
    }
}

fn sample(api: &Api, gpu: usize, info: &Info, full: bool) {
    let device = info.device as Device;
    let instance = info.of[0] != 0;
    let mut answer;
    if info.old {
        // total, free, used
        let mut memory = [0; 5];
        answer = api.memory_1(device, &mut memory);
        set(gpu, TOTAL, memory[0], answer);
        set(gpu, USED, memory[2], answer);
    } else {
        // version and size, total, reserved, free, used
        let mut memory = [0x0200_0028, 0, 0, 0, 0];
        answer = api.memory_2(device, &mut memory);
        set(gpu, TOTAL, memory[1], answer);
        set(gpu, USED, memory[4], answer);
    }
    if answer == LOST {
        none(gpu, LOST);
        return;
    }
    let mut rates = [0; 2];
    answer = if instance {
        MIG
    } else {
        api.utilisation(device, &mut rates)
    };
    set(gpu, UTILISATION, rates[0].into(), answer);
    if !full {
        return;
    }
    let mut value = 0_u32;
    let mut long = 0_u64;
    answer = if instance {
        MIG
    } else {
        api.temperature(device, 0, &mut value)
    };
    set(gpu, TEMPERATURE, value.into(), answer);
    answer = if instance {
        MIG
    } else {
        api.power(device, &mut value)
    };
    set(gpu, POWER, (value / 1000).into(), answer);
    answer = if instance {
        MIG
    } else {
        api.throttle(device, &mut long)
    };
    set(gpu, THROTTLE, long, answer);
    answer = api.ecc(device, 1, 0, &mut long);
    set(gpu, ECC, long, answer);
    processes(api, gpu, device);
}

/// What our processes use. The driver may number processes as the host does; then none of them
/// is ours by number, and nothing is guessed.
fn processes(api: &Api, gpu: usize, device: Device) {
    const LIST: usize = 64;
    // A process is 24 bytes (its id, bytes, two instances), or 16 in the first version.
    let mut list = [0_u64; LIST * 3];
    let mut n = LIST as u32;
    let mut words = 3;
    let mut answer = api.processes_3(device, &mut n, list.as_mut_ptr());
    if answer == 13 {
        n = LIST as u32;
        words = 2;
        answer = api.processes_1(device, &mut n, list.as_mut_ptr());
    }
    let mut sum = NONE;
    for process in list.chunks_exact(words).take(n as usize) {
        let [pid, bytes, ..] = process else { continue };
        if SHARED
            .own
            .iter()
            .any(|own| u64::from(own.load(Relaxed)) == *pid & 0xffff_ffff)
        {
            // All ones is how the driver says that it does not know.
            if *bytes != NONE {
                sum = if sum == NONE { 0 } else { sum } + *bytes;
            }
        }
    }
    if n == 0 {
        sum = 0;
    } else if answer == 0 && sum == NONE {
        answer = NO_PROCESS_LIST;
    }
    set(gpu, OWN, sum, answer);
}
