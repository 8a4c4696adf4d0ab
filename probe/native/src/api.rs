//! Loads NVIDIA's library at run time. If a function has several versions, the newest available one
//! is used. Source of signatures and numbers: `nvml.h` in NVIDIA's go-nvml (API 13).

use crate::sys::Path;
use core::ffi::{c_char, c_void, CStr};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering::*};

pub type Device = *mut c_void;

macro_rules! api {
    ($($name:ident $field:ident($($arg:ident: $type:ty),*) = $symbols:literal;)*) => {
        #[allow(non_camel_case_types, reason = "they number the functions")]
        enum Index { $($name,)* }

        /// Each function's names without their common prefix: its versions, newest first.
        const SYMBOLS: &[u8] = concat!($($symbols, ";",)*).as_bytes();
        const COUNT: usize = [$(Index::$name,)*].len();

        impl Api {
            $(#[inline(always)]
            pub fn $field($($arg: $type),*) -> i32 {
                let place = TABLE[Index::$name as usize].load(Relaxed);
                // SAFETY: the symbol has this signature in every version of the library that has it; the
                // substitute for a missing one ignores its arguments.
                unsafe {
                    let call: extern "C" fn($($type),*) -> i32 = core::mem::transmute(place);
                    call($($arg),*)
                }
            })*
        }
    };
}

pub struct Api;

/// The library's functions, once it is open; `missing` replaces those that it does not have.
static TABLE: [AtomicPtr<c_void>; COUNT] = [const { AtomicPtr::new(null_mut()) }; COUNT];

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
    Clock clock(device: Device, kind: u32, megahertz: &mut u32) = "DeviceGetClockInfo";
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

/// Answers as NVML does for an unknown function.
extern "C" fn missing() -> i32 {
    13
}

pub fn find_symbols(library: *mut c_void) {
    for (place, ladder) in TABLE.iter().zip(SYMBOLS.split(|&b| b == b';')) {
        let mut found: *mut c_void = null_mut();
        for name in ladder.split(|&b| b == b',') {
            if found.is_null() {
                let path = Path::of(b"nvml", name);
                // SAFETY: the library is open, and the name ends with a NUL.
                found = unsafe { libc::dlsym(library, path.c().as_ptr()) };
            }
        }
        if found.is_null() {
            found = missing as *mut c_void;
        }
        place.store(found, Relaxed);
    }
}

/// nvmlEventData_t; the first version lacks the instances at the end.
#[repr(C)]
pub struct Event {
    pub device: Device,
    pub kind: u64,
    pub data: u64,
    pub instance: u32,
    pub compute: u32,
}

/// Where the library is if the system's search does not find it: Colab, Debian, containers with
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

/// A path that replaces the search, set before the thread starts.
pub static PATH: AtomicPtr<c_char> = AtomicPtr::new(null_mut());

pub fn open() -> *mut c_void {
    // SAFETY: paths end with a NUL; the code that runs while loading is NVIDIA's.
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

/// Whether the library has only the call that counts the driver's reserve as used.
pub fn is_old() -> bool {
    TABLE[Index::Memory2 as usize].load(Relaxed) == missing as *mut c_void
}
