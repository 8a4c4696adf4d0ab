//! A simulation of `libnvidia-ml.so.1`: GPUs that do what the script says.
//!
//! The script is the environment variable `FAKE_NVML`, a comma-separated list:
//! `init=18` (what `nvmlInit` returns), `gpus=2`, `grow` (memory fills up in half a second), `xid=31`
//! (an event after 0.3 s), `lost` (after 0.3 s the first GPU returns 15, with an Xid 79), `mig`
//! (two instances), `virtual`, `bare` (only memory is supported), `hang` (calls for memory never
//! return after 0.3 s), `hang-init`, `pid=7:1048576` (a process and its bytes).
//! Without a script there is one GPU. Source of signatures and numbers: `nvml.h`.

use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const GIB: u64 = 1 << 30;
const SUCCESS: i32 = 0;
const NOT_SUPPORTED: i32 = 3;
const INSUFFICIENT_SIZE: i32 = 7;
const TIMEOUT: i32 = 10;
const LOST: i32 = 15;
/// A handle is the GPU's number plus this; an instance's adds 100 for each instance.
const HANDLE: usize = 0x1000;

struct Script {
    words: Vec<String>,
    began: Instant,
    told: AtomicBool,
}

fn script() -> &'static Script {
    static SCRIPT: OnceLock<Script> = OnceLock::new();
    SCRIPT.get_or_init(|| Script {
        words: std::env::var("FAKE_NVML")
            .unwrap_or_default()
            .split(',')
            .map(str::to_owned)
            .collect(),
        began: Instant::now(),
        told: AtomicBool::new(false),
    })
}

impl Script {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.words
            .iter()
            .find_map(|w| w.strip_prefix(key)?.strip_prefix('='))
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.value(key)?.parse().ok()
    }

    fn is_late(&self) -> bool {
        self.began.elapsed() > Duration::from_millis(300)
    }

    /// The result that every call about a GPU returns before anything else.
    fn answer(&self, device: usize) -> i32 {
        if self.has("lost") && self.is_late() && device == HANDLE {
            LOST
        } else {
            SUCCESS
        }
    }

    fn bare(&self, device: usize) -> i32 {
        match self.answer(device) {
            SUCCESS if self.has("bare") => NOT_SUPPORTED,
            answer => answer,
        }
    }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1000));
    }
}

/// Writes a value to the caller's pointer.
///
/// # Safety
/// The pointer must be valid for this type.
unsafe fn put<T>(place: *mut T, value: T) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { place.write(value) };
    SUCCESS
}

/// The same for a string with its NUL.
unsafe fn put_text(place: *mut c_char, len: u32, text: &str) -> i32 {
    for (i, byte) in text.bytes().chain([0]).take(len as usize).enumerate() {
        // SAFETY: there is room for `len`.
        unsafe { place.add(i).write(byte as c_char) };
    }
    SUCCESS
}

/// The library's functions, each with the result that it returns unless its body returns another.
macro_rules! nvml {
    ($($(#[$attribute:meta])* fn $name:ident($($arg:ident: $type:ty),*) $body:block)*) => {
        $(
            $(#[$attribute])*
            /// As in `nvml.h`.
            ///
            /// # Safety
            /// Pointers must be as `nvml.h` says.
            #[no_mangle]
            #[allow(non_snake_case, reason = "NVML's names")]
            pub unsafe extern "C" fn $name($($arg: $type),*) -> i32 {
                // SAFETY: the caller's promise.
                #[allow(unused_unsafe, reason = "some have nothing to promise")]
                unsafe { $body }
            }
        )*
    };
}

fn init() -> i32 {
    if script().has("hang-init") {
        hang();
    }
    script().number("init").unwrap_or(0) as i32
}

fn memory() -> (u64, u64) {
    let script = script();
    if script.has("hang") && script.is_late() {
        hang();
    }
    let total = 15 * GIB;
    let used = if script.has("grow") {
        (GIB + script.began.elapsed().as_millis() as u64 * total / 500).min(total)
    } else {
        2 * GIB
    };
    (used, total)
}

fn processes() -> Vec<(u32, u64)> {
    let Some((pid, bytes)) = script().value("pid").and_then(|v| v.split_once(':')) else {
        return Vec::new();
    };
    vec![(pid.parse().unwrap_or(0), bytes.parse().unwrap_or(u64::MAX))]
}

nvml! {
    #[cfg(not(feature = "old"))]
    fn nvmlInit_v2() { init() }
    fn nvmlInit() { init() }
    // Other monitors ask for these; the probe does not.
    fn nvmlInitWithFlags(_flags: u32) { init() }
    fn nvmlShutdown() { SUCCESS }
    fn nvmlSystemGetCudaDriverVersion_v2(version: *mut i32) { put(version, 13_000) }
    fn nvmlSystemGetNVMLVersion(text: *mut c_char, len: u32) { put_text(text, len, "13.580.82.07") }
    fn nvmlSystemGetCudaDriverVersion(version: *mut i32) { put(version, 13_000) }
    fn nvmlDeviceGetCudaComputeCapability(_device: usize, major: *mut i32, minor: *mut i32) {
        put(minor, 5);
        put(major, 7)
    }
    fn nvmlDeviceGetEncoderUtilization(_device: usize, percent: *mut u32, micros: *mut u32) {
        put(micros, 1000);
        put(percent, 0)
    }
    fn nvmlDeviceGetDecoderUtilization(_device: usize, percent: *mut u32, micros: *mut u32) {
        put(micros, 1000);
        put(percent, 0)
    }
    fn nvmlDeviceGetClockInfo(_device: usize, _kind: u32, mhz: *mut u32) { put(mhz, 585) }
    fn nvmlDeviceGetMaxClockInfo(_device: usize, _kind: u32, mhz: *mut u32) { put(mhz, 1590) }
    fn nvmlDeviceGetPcieThroughput(_device: usize, _kind: u32, kib: *mut u32) { put(kib, 0) }
    fn nvmlDeviceGetPerformanceState(_device: usize, state: *mut u32) { put(state, 0) }
    fn nvmlDeviceGetPersistenceMode(_device: usize, mode: *mut u32) { put(mode, 0) }
    fn nvmlDeviceGetPowerManagementLimit(_device: usize, milliwatts: *mut u32) { put(milliwatts, 70_000) }
    fn nvmlDeviceGetComputeMode(_device: usize, mode: *mut u32) { put(mode, 0) }
    fn nvmlDeviceGetDisplayActive(_device: usize, is: *mut u32) { put(is, 0) }
    fn nvmlDeviceGetDisplayMode(_device: usize, mode: *mut u32) { put(mode, 0) }
    fn nvmlDeviceGetDriverModel(_device: usize, now: *mut u32, later: *mut u32) {
        let _ = (now, later);
        NOT_SUPPORTED
    }
    fn nvmlDeviceGetProcessUtilization(_device: usize, _list: *mut c_void, _count: *mut u32, _since: u64) { NOT_SUPPORTED }
    fn nvmlDeviceGetIndex(device: usize, index: *mut u32) { put(index, (device - HANDLE) as u32) }
    fn nvmlDeviceGetFanSpeed(_device: usize, _percent: *mut u32) { NOT_SUPPORTED }
    fn nvmlDeviceGetEnforcedPowerLimit(_device: usize, milliwatts: *mut u32) { put(milliwatts, 70_000) }
    fn nvmlDeviceGetGraphicsRunningProcesses_v3(_device: usize, count: *mut u32, _list: *mut [u64; 3]) { put(count, 0) }
    fn nvmlSystemGetDriverVersion(text: *mut c_char, len: u32) { put_text(text, len, "580.82.07") }
    fn nvmlDeviceGetCount_v2(count: *mut u32) { put(count, script().number("gpus").unwrap_or(1) as u32) }
    fn nvmlDeviceGetHandleByIndex_v2(index: u32, device: *mut usize) { put(device, HANDLE + index as usize) }
    fn nvmlDeviceGetUUID(device: usize, text: *mut c_char, len: u32) {
        let kind = if device < HANDLE + 100 { "GPU" } else { "MIG" };
        put_text(text, len, &format!("{kind}-00000000-0000-0000-0000-{:012}", device - HANDLE))
    }
    fn nvmlDeviceGetName(_device: usize, text: *mut c_char, len: u32) { put_text(text, len, "Tesla T4") }
    fn nvmlDeviceGetPciInfo_v3(device: usize, info: *mut c_char) {
        put_text(info, 16, &format!("0000:00:{:02}.0", 4 + (device - HANDLE) % 100))
    }
    #[cfg(not(feature = "old"))]
    fn nvmlDeviceGetMemoryInfo_v2(device: usize, memory: *mut [u64; 5]) {
        let (used, total) = self::memory();
        let version = (*memory)[0];
        if version & 0xffff_ffff != 0x0200_0028 {
            return 25;
        }
        *memory = [version, total, GIB / 4, total - used - GIB / 4, used];
        script().answer(device)
    }
    fn nvmlDeviceGetMemoryInfo(device: usize, memory: *mut [u64; 3]) {
        let (used, total) = self::memory();
        *memory = [total, total - used, used];
        script().answer(device)
    }
    fn nvmlDeviceGetUtilizationRates(device: usize, rates: *mut [u32; 2]) {
        *rates = [97, 40];
        script().bare(device)
    }
    fn nvmlDeviceGetTemperature(device: usize, _sensor: u32, celsius: *mut u32) {
        put(celsius, 64);
        script().bare(device)
    }
    fn nvmlDeviceGetPowerUsage(device: usize, milliwatts: *mut u32) {
        put(milliwatts, 70_400);
        script().bare(device)
    }
    fn nvmlDeviceGetCurrentClocksThrottleReasons(device: usize, mask: *mut u64) {
        put(mask, 4);
        script().bare(device)
    }
    fn nvmlDeviceGetTotalEccErrors(device: usize, _kind: u32, _since: u32, count: *mut u64) {
        put(count, 0);
        script().bare(device)
    }
    #[cfg(not(feature = "old"))]
    fn nvmlDeviceGetComputeRunningProcesses_v3(device: usize, count: *mut u32, list: *mut [u64; 3]) {
        let found = processes();
        if (*count as usize) < found.len() {
            put(count, found.len() as u32);
            return INSUFFICIENT_SIZE;
        }
        for (i, &(pid, bytes)) in found.iter().enumerate() {
            *list.add(i) = [pid.into(), bytes, u64::MAX];
        }
        put(count, found.len() as u32);
        script().answer(device)
    }
    fn nvmlDeviceGetComputeRunningProcesses(device: usize, count: *mut u32, list: *mut [u64; 2]) {
        let found = processes();
        if (*count as usize) < found.len() {
            put(count, found.len() as u32);
            return INSUFFICIENT_SIZE;
        }
        for (i, &(pid, bytes)) in found.iter().enumerate() {
            *list.add(i) = [pid.into(), bytes];
        }
        put(count, found.len() as u32);
        script().answer(device)
    }
    fn nvmlDeviceGetMigMode(_device: usize, now: *mut u32, later: *mut u32) {
        put(later, 0);
        put(now, u32::from(script().has("mig")));
        if script().has("mig") { SUCCESS } else { NOT_SUPPORTED }
    }
    fn nvmlDeviceGetMaxMigDeviceCount(_device: usize, count: *mut u32) { put(count, 7) }
    fn nvmlDeviceGetMigDeviceHandleByIndex(device: usize, index: u32, instance: *mut usize) {
        put(instance, device + 100 * (1 + index as usize));
        // The others do not exist.
        if index < 2 { SUCCESS } else { 6 }
    }
    fn nvmlDeviceGetVirtualizationMode(_device: usize, mode: *mut u32) {
        put(mode, if script().has("virtual") { 2 } else { 0 })
    }
    fn nvmlDeviceGetSupportedEventTypes(device: usize, types: *mut u64) {
        put(types, 0xb);
        script().bare(device)
    }
    fn nvmlEventSetCreate(set: *mut *mut c_void) { put(set, HANDLE as *mut c_void) }
    fn nvmlDeviceRegisterEvents(device: usize, types: u64, _set: *mut c_void) {
        if types & !0xb != 0 { 2 } else { script().bare(device) }
    }
    #[cfg(not(feature = "old"))]
    fn nvmlEventSetWait_v2(set: *mut c_void, event: *mut [u64; 4], millis: u32) {
        let answer = nvmlEventSetWait(set, event.cast(), millis);
        // Not an instance.
        (*event)[3] = u64::MAX;
        answer
    }
    fn nvmlEventSetWait(_set: *mut c_void, event: *mut [u64; 3], millis: u32) {
        let script = script();
        let xid = script.number("xid").or(script.has("lost").then_some(79));
        let Some(xid) = xid.filter(|_| !script.told.load(Ordering::Relaxed)) else {
            std::thread::sleep(Duration::from_millis(millis.into()));
            return TIMEOUT;
        };
        if !script.is_late() {
            std::thread::sleep(Duration::from_millis(millis.min(300).into()));
            return TIMEOUT;
        }
        script.told.store(true, Ordering::Relaxed);
        *event = [HANDLE as u64, 8, xid];
        SUCCESS
    }
}

/// As in `nvml.h`: the text of a return code.
#[no_mangle]
#[allow(non_snake_case, reason = "NVML's names")]
pub extern "C" fn nvmlErrorString(answer: i32) -> *const c_char {
    match answer {
        SUCCESS => c"Success".as_ptr(),
        NOT_SUPPORTED => c"Not Supported".as_ptr(),
        _ => c"Unknown Error".as_ptr(),
    }
}
