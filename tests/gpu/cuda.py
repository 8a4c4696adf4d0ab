"""CUDA's driver API by ctypes: `cuda.py FAULT` does one thing wrong on the first GPU and says what the driver said.

The kernels are PTX text, which the driver compiles. Other programs use `launch` inside their own context (PyTorch's, say).
It changes no setting of the GPU."""

import ctypes
import os
import sys

# The driver compiles older PTX for newer GPUs. The oldest target goes first; which one it took is in `Driver.target`.
TARGETS = (("6.4", "sm_52"), ("6.4", "sm_70"), ("7.0", "sm_80"), ("8.0", "sm_90"))
HEAD = ".version {version}\n.target {target}\n.address_size 64\n"

# A store to an address that nothing was allocated at.
ILLEGAL = """
.visible .entry fault()
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<2>;
    mov.u64 %rd1, 4096;
    mov.u32 %r1, 7;
    st.global.u32 [%rd1], %r1;
    ret;
}
"""
# A store of four bytes to an odd address of the kernel's own memory.
MISALIGNED = """
.global .align 8 .b8 room[64];
.visible .entry fault()
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    mov.u64 %rd1, room;
    add.u64 %rd2, %rd1, 1;
    mov.u32 %r1, 7;
    st.volatile.global.u32 [%rd2], %r1;
    ret;
}
"""
TRAP = """
.visible .entry fault()
{
    trap;
    ret;
}
"""
# A function that calls itself and uses its frame afterwards, so that the call stays a call.
STACK = """
.func (.param .b32 result) deeper(.param .b32 level)
{
    .local .align 8 .b8 frame[512];
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    .reg .pred %p<2>;
    ld.param.u32 %r1, [level];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra LAST;
    mov.u64 %rd1, frame;
    cvta.local.u64 %rd1, %rd1;
    cvt.u64.u32 %rd2, %r1;
    and.b64 %rd2, %rd2, 504;
    add.u64 %rd3, %rd1, %rd2;
    st.volatile.u32 [%rd3], %r1;
    sub.u32 %r2, %r1, 1;
    {
        .param .b32 next;
        .param .b32 said;
        st.param.b32 [next], %r2;
        call.uni (said), deeper, (next);
        ld.param.b32 %r3, [said];
    }
    ld.volatile.u32 %r4, [%rd3];
    add.u32 %r5, %r3, %r4;
    st.param.b32 [result], %r5;
    ret;
LAST:
    st.param.b32 [result], %r1;
    ret;
}
.global .align 4 .b8 room[4];
.visible .entry fault()
{
    .reg .b32 %r<3>;
    mov.u32 %r1, 100000000;
    {
        .param .b32 level;
        .param .b32 said;
        st.param.b32 [level], %r1;
        call.uni (said), deeper, (level);
        ld.param.b32 %r2, [said];
    }
    st.volatile.global.u32 [room], %r2;
    ret;
}
"""


def text(name, value):
    """A constant string of a module."""
    data = value.encode() + b"\0"
    return f".global .align 1 .b8 {name}[{len(data)}] = {{{', '.join(map(str, data))}}};\n"


# What `assert` compiles to.
ASSERT = """
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
""" + text("message", "index < length") + text("file", "gather.cu") + text("function", "gather") + """
.visible .entry fault()
{
    .reg .b64 %rd<8>;
    .reg .b32 %r<2>;
    mov.u64 %rd1, message;
    cvta.global.u64 %rd2, %rd1;
    mov.u64 %rd3, file;
    cvta.global.u64 %rd4, %rd3;
    mov.u64 %rd5, function;
    cvta.global.u64 %rd6, %rd5;
    mov.u64 %rd7, 1;
    mov.u32 %r1, 41;
    {
        .param .b64 pa;
        .param .b64 pb;
        .param .b32 pc;
        .param .b64 pd;
        .param .b64 pe;
        st.param.b64 [pa], %rd2;
        st.param.b64 [pb], %rd4;
        st.param.b32 [pc], %r1;
        st.param.b64 [pd], %rd6;
        st.param.b64 [pe], %rd7;
        call.uni __assertfail, (pa, pb, pc, pd, pe);
    }
    ret;
}
"""
# Fine; launched with more threads than a block may have.
NOTHING = ".visible .entry fault()\n{\n    ret;\n}\n"
KERNELS = {
    "illegal": (ILLEGAL, 1), "misaligned": (MISALIGNED, 1), "trap": (TRAP, 1), "stack": (STACK, 1), "assert": (ASSERT, 1),
    "block": (NOTHING, 100000), "nothing": (NOTHING, 32),
}


class CudaError(RuntimeError):
    """What the driver said, with its number."""

    def __init__(self, call, code, name, words):
        super().__init__(f"{call} failed: {name} ({code}): {words}")
        self.code, self.name = code, name


class Driver:
    """libcuda. Raises OSError without the library, CudaError if it finds no GPU."""

    def __init__(self):
        self.lib, self.target = ctypes.CDLL("libcuda.so.1"), None
        self.call("cuInit", 0)

    def call(self, name, *args):
        code = getattr(self.lib, name)(*args)
        if code:
            said = [ctypes.c_char_p(), ctypes.c_char_p()]
            self.lib.cuGetErrorName(code, ctypes.byref(said[0]))
            self.lib.cuGetErrorString(code, ctypes.byref(said[1]))
            raise CudaError(name, code, *((s.value or b"unknown").decode() for s in said))

    def count(self):
        number = ctypes.c_int()
        self.call("cuDeviceGetCount", ctypes.byref(number))
        return number.value

    def name(self):
        said, device = ctypes.create_string_buffer(96), ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDeviceGetName", said, 96, device)
        return said.value.decode(errors="replace")

    def enter(self):
        """Makes the first GPU's primary context, the one that frameworks use too, this thread's."""
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def memory(self):
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    def allocate(self, size):
        place = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(size))
        return place.value

    def load(self, ptx):
        """Compiles a kernel for the first of TARGETS that the driver accepts, and returns it."""
        refused = None
        for version, target in TARGETS:
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            try:
                self.call("cuModuleLoadData", ctypes.byref(module), (HEAD.format(version=version, target=target) + ptx).encode() + b"\0")
            except CudaError as error:
                refused = refused or error
                continue
            self.target = target
            self.call("cuModuleGetFunction", ctypes.byref(function), module, b"fault")
            return function
        raise refused

    def launch(self, fault):
        """Starts the kernel; does not wait for it."""
        ptx, threads = KERNELS[fault]
        self.call("cuLaunchKernel", self.load(ptx), 1, 1, 1, threads, 1, 1, 0, None, None, None)

    def wait(self):
        self.call("cuCtxSynchronize")

    def fill(self, part=40, each=0.0):
        """Allocates until the memory is full, in pieces, `each` seconds apart. Ends with the driver's error."""
        import time

        size = max(self.memory()[1] // part, 1 << 20)
        while True:
            try:
                self.allocate(size)
            except CudaError:
                if size <= 1 << 20:
                    raise
                size //= 2
            time.sleep(each)


def real():
    """The first GPU's name, or why there is none."""
    try:
        driver = Driver()
        return (driver.name(), "") if driver.count() else ("", "the driver has no GPU")
    except OSError:
        return "", "no libcuda.so.1"
    except (CudaError, AttributeError) as error:
        return "", str(error)


def main(fault, end="raise"):
    driver = Driver()
    driver.enter()
    try:
        if fault == "memory":
            driver.fill()
        driver.launch(fault)
        driver.wait()
    except CudaError:
        if end != "abort":
            raise
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
        os.abort()


if __name__ == "__main__":
    main(*sys.argv[1:])
