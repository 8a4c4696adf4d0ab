//! The end of the kernel: how it ended, and why.

use crate::sys::{identity, pause, pidfd_status, ticks, File};
use crate::watch::Watch;
use nbmedic_probe::bytes::after;
use nbmedic_probe::verdict::{verdict, Facts};

const FAULT: &core::ffi::CStr = c"nbmedic-fault.log";

/// How long the drivers and Colab's monitor may take to report, ms.
const PATIENCE: u64 = 250;
const COLAB_PATIENCE: u64 = 1_300;

impl Watch {
    /// Writes down the end. `pidfd` is used to ask for the status when the kernel was reaped
    /// already; `None` leaves that out.
    pub fn end(&mut self, time: u64, pidfd: Option<File>) {
        let stat = self.host.look(&mut self.buffer);
        let mut via: &[u8] = b"zombie";
        let mut status = stat.filter(|s| s.is_zombie()).and_then(|s| s.status);
        if status.is_none() {
            via = b"pidfd";
            // The system keeps it from the moment of reaping on, which may be about to come.
            let until = ticks() + PATIENCE;
            while let Some(file) = pidfd.filter(|_| status.is_none() && ticks() < until) {
                status = pidfd_status(file);
                if status.is_none() {
                    pause(5);
                }
            }
        }
        // To a stranger the system says 0, which means nothing then.
        if !self.facts.native_status {
            status = None;
        }
        if status.is_none() {
            via = b"gone";
        }
        let killed = status == Some(9);
        let until = ticks() + PATIENCE;
        let until_colab = ticks() + COLAB_PATIENCE;
        let mut risen;
        loop {
            let kills = self.host.kills(&mut self.buffer);
            risen = [None; 3];
            for ((place, new), old) in risen.iter_mut().zip(kills).zip(self.well) {
                *place = new.zip(old).map(|(new, old)| new.saturating_sub(old));
            }
            let waits = killed && risen[2].is_some() && risen.iter().flatten().all(|&n| n == 0);
            if ticks() >= if waits { until_colab } else { until } {
                break;
            }
            pause(20);
        }
        self.log.refill();
        self.news();
        let last = self.host.now;
        let memory = if last.group[1].is_some() {
            last.group
        } else {
            last.ram
        };
        // What the kernel held in shared memory may be gone already.
        let shm = last.space[2];
        self.host.space();
        let shm = if self.host.now.space[2][0] < shm[0] {
            self.host.now.space[2]
        } else {
            shm
        };
        let pair = |two: [Option<u64>; 2]| two[0].zip(two[1]);

        let mut raw = [0; 4096];
        let fault = identity(FAULT)
            .filter(|&(_, size)| size > self.fault_size)
            .and_then(|_| File::open(FAULT)?.from(self.fault_size, &mut raw))
            .and_then(|text| after(text, b"Fatal Python error: "))
            .and_then(|text| text.split(|&b| b == b'\n').next());
        for (xid, at) in self
            .xids
            .iter_mut()
            .zip(&self.xid_times)
            .take(self.xid_count)
        {
            xid.before = time as i64 - *at as i64;
        }
        let lost = self.gpu_lost();
        let judged = verdict(&Facts {
            status,
            oom: risen,
            oom_log: self.log.kill.as_ref().map(|kill| kill.ours),
            fault: fault.is_some(),
            memory: pair(memory),
            shm: pair(shm),
            gpu_lost: lost,
            xids: self.xids.get(..self.xid_count).unwrap_or(&[]),
        });

        self.begin("end", time);
        let line = &mut self.line;
        if let Some(status) = status {
            line.number("st", status.into());
        }
        line.text("via", via);
        line.numbers("oom", &risen);
        if let Some(kill) = &self.log.kill {
            line.text("oomline", kill.text());
            if !kill.ours {
                line.number("oomother", 1);
            }
        }
        if let Some(fault) = fault {
            line.text("fault", fault.get(..160).unwrap_or(fault));
        }
        if memory[0].is_some() {
            line.numbers("last", &memory);
        }
        if shm[0].is_some() {
            line.numbers("shm", &shm);
        }
        if lost {
            line.number("lost", 1);
        }
        line.text("cause", judged.cause.id().as_bytes());
        line.text("sure", judged.certainty.id().as_bytes());
        for (name, set) in [("for", judged.evidence), ("not", judged.against)] {
            line.key(name);
            line.open(b'[');
            for evidence in set.iter() {
                line.quoted(evidence.code().as_bytes());
            }
            line.close(b']');
        }
        self.write();
    }
}
