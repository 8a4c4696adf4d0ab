//! NVIDIA's management library, in a thread of its own, because it may start slowly or hang forever
//! and must not stop everything else.
//!
//! The library is loaded at run time, and the newest available version of each function is called.
//! Source of structures and numbers: `nvml.h` in NVIDIA's go-nvml (API 13). The thread puts its
//! results into [`SHARED`].

use crate::api::{find_symbols, is_old, open, Api, Device, Event};
use crate::sys::{now, pause, ticks};
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering::*};
use nbmedic_probe::bytes::NONE;
use nbmedic_probe::nvml::{MIG, NO_PROCESS_LIST};

/// Maximum number of GPUs, or GPU instances, that are sampled.
pub const MAX_GPUS: usize = 16;
/// Maximum number of our processes that are distinguished from others.
pub const MAX_OWN: usize = 64;
/// Figures of a GPU, in the order of the record's `g`.
pub const FIGURES: usize = 9;
/// The figures that may be missing, with their names in `na`. Total is missing together with used.
pub const NAMES: [(usize, &str); 9] = [
    (USED, "mem"),
    (UTILISATION, "util"),
    (TEMPERATURE, "temp"),
    (POWER, "watt"),
    (THROTTLE, "why"),
    (ECC, "ecc"),
    (OWN, "own"),
    (CLOCK, "clock"),
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
const CLOCK: usize = 8;
const XID: usize = 9;

const LOST: i32 = 15;

type Text<'a> = &'a mut [u8; 96];

/// A GPU's constant properties.
#[derive(Clone, Copy)]
pub struct Info {
    pub uuid: [u8; 96],
    pub name: [u8; 96],
    pub bus: [u8; 96],
    /// The UUID of the GPU that this is an instance of; empty for a whole GPU.
    pub of: [u8; 96],
    pub virtual_: bool,
    /// Whether the library has only the call that counts the driver's reserve as used.
    pub old: bool,
    device: usize,
}

/// A GPU's figures, and the reasons for missing ones. All bits of a figure are inverted, so that 0
/// stands for `NONE` and the struct can start as zeros.
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

/// What the thread and the rest of the program exchange.
pub struct Shared {
    infos: UnsafeCell<[Info; MAX_GPUS]>,
    driver: UnsafeCell<[u8; 96]>,
    queue: UnsafeCell<[Seen; QUEUE]>,
    pub figures: [Figures; MAX_GPUS],
    /// 0 until the GPUs are known, then their number plus 1.
    ready: AtomicU32,
    /// NVML's return code if there are none.
    pub answer: AtomicI32,
    /// Incremented whenever a reason in `why` changes.
    pub changes: AtomicU32,
    /// When the current call began, ms; 0 between calls.
    pub began: AtomicU64,
    written: AtomicU32,
    taken: AtomicU32,
    /// Milliseconds between samples.
    pub period: AtomicU64,
    /// Our processes.
    pub own: [AtomicU32; MAX_OWN],
}

// SAFETY: `infos` and `driver` are written once, before `ready`; a slot of `queue` is written before
// `written` passes it and read before `taken` does.
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
        // SAFETY: `ready` was written after these.
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

    /// The next Xid that was not taken yet.
    pub fn take(&self) -> Option<Seen> {
        let taken = self.taken.load(Relaxed);
        if taken == self.written.load(Acquire) {
            return None;
        }
        // SAFETY: the slot was written before `written` passed it.
        let seen = unsafe { (*self.queue.get()).get(taken as usize % QUEUE).copied() };
        self.taken.store(taken.wrapping_add(1), Release);
        seen
    }

    fn put(&self, seen: Seen) {
        let written = self.written.load(Relaxed);
        if written.wrapping_sub(self.taken.load(Acquire)) as usize >= QUEUE {
            return;
        }
        // SAFETY: the slot was taken, or never used.
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

/// The thread.
pub extern "C" fn run(_: *mut c_void) -> *mut c_void {
    SHARED.began.store(ticks(), Release);
    let (mut count, mut events) = (0, null_mut());
    let answer = begin(&mut count, &mut events);
    SHARED.began.store(0, Release);
    if answer == 0 {
        watch(count, events);
    }
    SHARED.answer.store(answer, Release);
    SHARED.ready.store(1, Release);
    null_mut()
}

/// Opens the library and finds the GPUs. Stores their number in `count`; returns NVML's return code.
fn begin(count: &mut usize, events: &mut *mut c_void) -> i32 {
    let library = open();
    if library.is_null() {
        return 12;
    }
    find_symbols(library);
    let mut answer = Api::init();
    if answer != 0 {
        return answer;
    }
    // SAFETY: no other thread reads them before `ready` is written.
    let (infos, driver) = unsafe { (&mut *SHARED.infos.get(), &mut *SHARED.driver.get()) };
    Api::driver(driver.as_mut_ptr(), 95);
    let mut devices = 0;
    answer = Api::count(&mut devices);
    if answer != 0 {
        return answer;
    }
    if Api::event_set(events) != 0 {
        *events = null_mut();
    }
    let mut places = infos.iter_mut();
    for i in 0..devices.min(MAX_GPUS as u32) {
        let mut device = null_mut();
        // A lost GPU has no handle; others may work.
        answer = Api::handle(i, &mut device);
        let events_answer = if answer != 0 {
            answer
        } else {
            listen(device, *events)
        };
        let (mut mig, mut later, mut instances) = (0, 0, 0);
        if answer == 0 && Api::mig(device, &mut mig, &mut later) == 0 && mig == 1 {
            Api::mig_count(device, &mut instances);
        }
        let before = *count;
        for j in 0..instances.min(8) {
            let mut instance = null_mut();
            if Api::mig_handle(device, j, &mut instance) == 0 {
                let Some(info) = places.next() else { break };
                describe(instance, info);
                Api::uuid(device, info.of.as_mut_ptr(), 95);
                pci(device, &mut info.bus);
                why(*count, XID, events_answer);
                *count += 1;
            }
        }
        if *count == before {
            let Some(info) = places.next() else { break };
            if answer == 0 {
                describe(device, info);
                pci(device, &mut info.bus);
            } else {
                none(*count, answer);
            }
            why(*count, XID, events_answer);
            *count += 1;
        }
    }
    if *count == 0 {
        28
    } else {
        0
    }
}

/// Subscribes to Xids (8) and uncorrectable memory errors (2), as far as the GPU supports them.
fn listen(device: Device, events: *mut c_void) -> i32 {
    if events.is_null() {
        return 3;
    }
    let mut types = 0;
    match Api::event_types(device, &mut types) {
        0 if types & 8 == 0 => 3,
        0 => Api::register(device, types & 0xa, events),
        answer => answer,
    }
}

fn describe(device: Device, info: &mut Info) {
    Api::uuid(device, info.uuid.as_mut_ptr(), 95);
    Api::name(device, info.name.as_mut_ptr(), 95);
    let mut mode = 0;
    info.virtual_ = Api::virtual_mode(device, &mut mode) == 0 && mode == 2;
    info.old = is_old();
    info.device = device as usize;
}

/// Both versions of nvmlPciInfo_t begin with the bus id in 16 bytes; they have 68 and 48 bytes.
fn pci(device: Device, bus: Text) {
    if Api::pci(device, bus.as_mut_ptr()) != 0 {
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

/// Marks all figures of a GPU as missing.
fn none(gpu: usize, answer: i32) {
    for figure in 0..FIGURES {
        set(gpu, figure, NONE, answer);
    }
}

fn watch(count: usize, mut events: *mut c_void) {
    // SAFETY: they are no longer written.
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
                sample(gpu, info, full);
            }
        }
        // The first sample is taken before the rest of the program learns about the GPUs.
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
        match Api::event(events, &mut event, rest as u32) {
            0 => {
                let mut seen = Seen {
                    time: now(),
                    number: if event.kind == 8 { event.data } else { 48 },
                    uuid: NO_TEXT,
                    instance: event.instance,
                    compute: event.compute,
                };
                Api::uuid(event.device, seen.uuid.as_mut_ptr(), 95);
                SHARED.put(seen);
                // A flood of events must not become a busy loop.
                pause(10);
            }
            // Timed out.
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

fn sample(gpu: usize, info: &Info, full: bool) {
    let device = info.device as Device;
    let instance = info.of[0] != 0;
    let mut answer;
    if info.old {
        // total, free, used
        let mut memory = [0; 5];
        answer = Api::memory_1(device, &mut memory);
        set(gpu, TOTAL, memory[0], answer);
        set(gpu, USED, memory[2], answer);
    } else {
        // version and size, total, reserved, free, used
        let mut memory = [0x0200_0028, 0, 0, 0, 0];
        answer = Api::memory_2(device, &mut memory);
        set(gpu, TOTAL, memory[1], answer);
        set(gpu, USED, memory[4], answer);
    }
    if answer == LOST {
        none(gpu, LOST);
        return;
    }
    let mut rates = [0; 2];
    let mut value = 0_u32;
    let mut long = 0_u64;
    if instance {
        // The whole GPU's figures say nothing about its parts.
        for figure in [UTILISATION, TEMPERATURE, POWER, THROTTLE, CLOCK] {
            set(gpu, figure, 0, MIG);
        }
    } else {
        answer = Api::utilisation(device, &mut rates);
        set(gpu, UTILISATION, rates[0].into(), answer);
    }
    if !full {
        return;
    }
    if !instance {
        answer = Api::temperature(device, 0, &mut value);
        set(gpu, TEMPERATURE, value.into(), answer);
        answer = Api::power(device, &mut value);
        set(gpu, POWER, (value / 1000).into(), answer);
        answer = Api::clock(device, 1, &mut value);
        set(gpu, CLOCK, value.into(), answer);
        answer = Api::throttle(device, &mut long);
        set(gpu, THROTTLE, long, answer);
    }
    answer = Api::ecc(device, 1, 0, &mut long);
    set(gpu, ECC, long, answer);
    processes(gpu, device);
}

/// The memory that our processes use. If the driver uses the host's process numbers, none of them
/// matches ours, and the figure stays missing.
fn processes(gpu: usize, device: Device) {
    const LIST: usize = 64;
    // A process entry has 24 bytes (id, bytes, two instances), or 16 in the first version.
    let mut list = [0_u64; LIST * 3];
    let mut n = LIST as u32;
    let mut words = 3;
    let mut answer = Api::processes_3(device, &mut n, list.as_mut_ptr());
    if answer == 13 {
        n = LIST as u32;
        words = 2;
        answer = Api::processes_1(device, &mut n, list.as_mut_ptr());
    }
    let mut sum = NONE;
    for process in list.chunks_exact(words).take(n as usize) {
        let [pid, bytes, ..] = process else { continue };
        if SHARED
            .own
            .iter()
            .any(|own| u64::from(own.load(Relaxed)) == *pid & 0xffff_ffff)
        {
            // All bits set means that the driver does not know.
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
