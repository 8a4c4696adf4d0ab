"""What ended a kernel, by its record. Follows sampler.py in the cell; the start cell asks it about the kernel before."""

# Kinds of Xids, as in probe/src/xid.rs: hardware, program, driver, mere consequence.
XIDS = {5: (48, 64, 74, 79, 94, 95, 140), 3: (13, 31, 43, 68, 109), 2: (8, 32, 38, 61, 62, 69, 119, 120), 1: (45,)}


# What a signal means that the kernel's own limits, alarms, pipes and calls cause; others send it as well.
OWN = {13: "a closed pipe", 24: "a limit of processor time", 25: "a limit of file size", 31: "a call that a sandbox forbade", **dict.fromkeys((14, 26, 27), "an alarm of its own")}


def judge(end, xids):
    """What ended a kernel, how certain that is, and in words: from its `end` line and the Xids before it, each as number,
    milliseconds before the end and whether an address was out of range. The rules are those of probe/src/verdict.rs, and the
    table in probe/FORMAT.md."""
    status, fault, lost = map(end.get, ("st", "fault", "lost"))
    used, total = end.get("last") or (0, 0)
    oom, signal = end["oom"], status and status & 127
    gpu = max(
        ((weight + (weight == 3 and (x == 31 or address)), before, x) for x, before, address in xids
         for weight, known in XIDS.items() if x in known and abs(before) <= 10000), default=(0,))
    low = total and used * 100 // total < 70
    log = "oomline" in end and "oommaybe" not in end and "oomother" not in end
    # The machine killed some process, and the kernel's own group counted none.
    elsewhere = end.get("exact") and oom[0] and oom[1] == 0 and not oom[2]
    other = "oomother" in end or elsewhere
    counted = not other and (oom[1] or oom[2])
    # Counters may have counted a child, but the system kills the largest process.
    largest = "certain" if total and 2 * end.get("own", -1) >= total else "likely"
    hardware = ("certain" if gpu[2] in (48, 64, 79, 95, 140) else "likely") if gpu[0] == 5 else lost and "likely"
    memory, crash = "host-oom", "native-crash"

    def full(name):
        free, size = end.get(name) or (1, 0)
        return free <= min(size // 50, 1 << 26)

    told = None
    if "exec" in end:
        return "kernel-died", "certain", "another program took its place (exec), so its variables are gone"
    if status is None:
        told = log and (memory, "certain") or fault and (crash, "likely") or counted and (memory, "likely")
    elif signal == 9:
        # Colab's monitor exists only on machines with a single user.
        host = oom[0] and not other and (memory, "likely" if oom[2] is None else largest)
        told = log and (memory, "certain") or counted and (memory, largest) or host or hardware and ("gpu-hardware-fault", "likely")
        # Some out-of-memory guards are ordinary processes, and their kills look like any other.
        unnamed = "oomline" not in end or "oommaybe" in end
        quiet = oom[0] == 0 and not any(oom) and unnamed and low
        told = told or not (elsewhere and unnamed) and ("kernel-died", "certain" if quiet and "spent" not in end else "likely")
    elif signal in (4, 5, 6, 7, 8, 11):
        told = hardware and ("gpu-hardware-fault", hardware) or signal == 6 and gpu[0] == 4 and ("cuda-illegal-access", "likely")
        # A mapped file that was cut off, or for which there was no room: which file is not known.
        bus = "shared-memory-exhausted" if full("shm") else "disk-full" if full("disk") else crash
        # Anybody may send these signals, and the fault handler writes the same for a signal that was sent.
        told = told or (bus if signal == 7 else crash, "likely")
    elif status:
        told = "kernel-died", "likely" if signal in OWN else "certain"
    # For another user's process, 0 is read in any case.
    elif not (fault or oom[1] or oom[2] or log):
        # A restart interrupts the cell first.
        told = ("kernel-died", "likely") if "n" in end else ("clean-exit", "certain")
    cause, sure = told or ("unknown", "unknown")
    if cause == "kernel-died":
        words = "its server or somebody told it to end"
        if not signal:
            words = "it ended itself " + ("with an error code" if status else "while a cell ran")
        if end.get("par") == 0:
            words = "its Jupyter server was gone"
        if signal in OWN:
            words = OWN[signal] + " ended it"
        if signal == 9:
            words = "it was killed" + (", but not for memory" if sure == "certain" else ", maybe for memory")
            if "spent" in end:
                words = OWN[24] + " ended it"
        return cause, sure, words
    native = "native code crashed it"
    if signal:
        native = "a mapped file was cut off or had no room, or " + native if signal == 7 else native + ", or somebody sent the signal" if fault else "a crash signal ended it; who sent it is not known"
    return cause, sure, {
        memory: "the system killed it because memory ran out",
        "shared-memory-exhausted": "shared memory, /dev/shm, was full",
        "disk-full": "the disk was full",
        crash: native,
        "cuda-illegal-access": "code on the GPU used a bad address",
        "gpu-hardware-fault": "a GPU failed",
        "clean-exit": "it ended without an error: a restart, a shutdown or an exit",
    }.get(cause, "nothing says how")
