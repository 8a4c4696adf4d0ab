//! Records what can be observed at the kernel's end. The reader of the record judges it.

use crate::host::{proc, Figures, GROUP, NO_SPACE, RAM, RSS, SPACE};
use crate::sys::{identity, now, pause, pidfd_status, ticks, File};
use crate::watch::Watch;
use nbmedic_probe::bytes::{after, NONE};

/// How long the drivers and Colab's monitor may take to report, ms.
const PATIENCE: u64 = 250;
const COLAB_PATIENCE: u64 = 1_300;
/// How long a server may take to reap its kernel, ms.
const REAPING: u64 = 4_000;

/// How full this memory was, in thousandths.
fn fuller(figures: &Figures, at: usize) -> u64 {
    figures[at]
        .checked_mul(1000)
        .and_then(|used| used.checked_div(figures[at + 1]))
        .unwrap_or(0)
}

impl Watch {
    /// Records the end. If `pidfd` is open, it gives the status of a kernel that was already reaped.
    pub fn end(&mut self, pidfd: File) {
        let gone = now();
        let before = self.host.now;
        self.host.space();
        let mut left = NO_SPACE;
        left.copy_from_slice(&self.host.now[SPACE..SPACE + 6]);
        self.host.now = before;
        if self.out.renew() {
            self.start(true);
        }
        // The last sample may not have been written, because too little had changed.
        self.say();
        let time = if self.dying == 0 { gone } else { self.dying };
        let mut via: &[u8] = b"zombie";
        let there = self.host.look(&mut self.buffer) && self.host.kernel.is_zombie();
        // For another user's process the system reports 0 here, which means nothing.
        let mut status = self.host.kernel.status.filter(|_| there && self.open);
        if status.is_none() {
            via = b"pidfd";
            // Once the kernel is reaped, everybody can read the status. That may still happen: a
            // server checks its kernels every three seconds.
            let until = ticks() + if there { REAPING } else { PATIENCE };
            while status.is_none() && pidfd.is_open() && ticks() < until {
                pause(5);
                status = pidfd_status(pidfd);
            }
        }
        // If the server ended first, its kernel has another parent. While one reaps it, Linux shows 0 for it.
        let shown = if there { self.host.kernel.parent } else { 0 };
        let parent =
            shown == self.parent || shown == 0 && identity(proc(self.parent, b"/stat").c()).0 != 0;
        if status.is_none() {
            via = b"gone";
        }
        let killed = status == Some(9);
        let until = ticks() + PATIENCE;
        let until_colab = ticks() + COLAB_PATIENCE;
        let mut risen = [NONE; 3];
        loop {
            let kills = self.host.kills(&mut self.buffer);
            let mut quiet = true;
            for i in 0..3 {
                let (new, old) = (kills[i], self.well[i]);
                risen[i] = if new == NONE || old == NONE {
                    NONE
                } else {
                    new.saturating_sub(old)
                };
                quiet &= matches!(risen[i], 0 | NONE);
            }
            let waits = killed && risen[2] != NONE && quiet;
            if ticks() >= if waits { until_colab } else { until } {
                break;
            }
            pause(20);
        }
        self.log.refill();
        self.news();
        let last = self.host.now;
        let killed_for_memory = risen.iter().any(|n| !matches!(*n, 0 | NONE));
        // A guard may watch either.
        let group = last[GROUP + 1] != NONE
            && (killed_for_memory || fuller(&last, GROUP) >= fuller(&last, RAM));
        let i = if group { GROUP } else { RAM };
        let memory = [last[i], last[i + 1]];
        // What was in a file without a name is free by now.
        let mut room = left;
        for (i, place) in room.iter_mut().enumerate() {
            *place = (*place).min(last[SPACE + i]).min(self.brim[i]);
        }
        let shm = [room[4], room[5]];
        let kept = left[5].wrapping_sub(left[4]);
        // The file system with less room: `NONE` is most.
        let i = 2 * usize::from(room[2] < room[0]);
        let disk = [room[i], room[i + 1]];
        let spent = self.host.kernel.ticks / 100 + 1 >= self.host.allowed;

        let mut raw = [0; 16384];
        let (_, size) = self.fault.identity();
        let text = self.fault.from(self.fault_size, &mut raw);
        // The fault handler writes a hundred frames, and dots for further ones.
        let deep = after(text, b"\n  ...\n").is_some();
        let fault = Some(text)
            .filter(|_| size > self.fault_size)
            .and_then(|text| after(text, b"Fatal Python error: "))
            .and_then(|text| text.split(|&b| b == b'\n').next());
        let lost = self.gpu_lost();

        self.begin("end", time);
        let line = &mut self.line;
        if let Some(status) = status {
            line.number("st", status.into());
        }
        line.number("took", gone - time);
        line.text("via", via);
        line.number("par", parent.into());
        line.numbers("oom", &risen);
        line.number("exact", self.host.group.exact.into());
        if let Some(kill) = &self.log.kill {
            line.text("oomline", kill.text());
            line.flag("oomother", kill.ours == Some(false));
            line.flag("oommaybe", kill.ours.is_none());
        }
        if let Some(fault) = fault {
            line.text("fault", fault.get(..160).unwrap_or(fault));
            line.flag("deep", deep);
        }
        if memory[0] != NONE {
            line.numbers("last", &memory);
        }
        if shm[0] != NONE {
            line.numbers("shm", &shm);
        }
        if disk[0] != NONE {
            line.numbers("disk", &disk);
        }
        if left[5] != NONE && kept > 0 {
            line.number("kept", kept);
        }
        line.flag("spent", spent);
        line.known("own", last[RSS]);
        line.flag("lost", lost);
        self.write();
    }
}
