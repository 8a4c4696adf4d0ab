//! Reads numbers from resource widgets.
//!
//! Widgets are translated, so labels decide only if they are known. In every language, the shape is
//! `number unit / number unit`, memory first and disk second. Units are powers of 1024 whatever they
//! are called: Colab's "GB" is GiB (a runtime of 13.6·10⁹ bytes shows 12.67), and
//! jupyter-resource-usage divides by 1024 and writes "MB".

mod reading;
mod sample;
mod scan;
mod series;
pub mod trend;

pub use reading::{Reading, Reason};
pub use sample::Sample;
pub use series::Series;

#[cfg(test)]
mod tests {
    use super::*;
    use series::MAX_SAMPLES;

    const GIB: f64 = (1u64 << 30) as f64;

    fn gib(used: f64, total: f64) -> Reading {
        Reading::Known {
            used: (used * GIB).round() as u64,
            total: Some((total * GIB).round() as u64),
        }
    }

    #[test]
    fn reads_widgets_in_many_languages() {
        let colab = "Connected to\nPython 3 Google Compute Engine backend\n\
                     RAM: 1.08 GB/12.67 GB\nDisk: 21.20 GB/107.72 GB";
        let panel = "Python 3 Google Compute Engine backend (GPU)\n\
                     Showing resources from 8:42 PM to 8:44 PM\nSystem RAM\n1.8 / 12.7 GB\n\
                     GPU RAM\n0.0 / 15.0 GB\nDisk\n28.7 / 166.8 GB";
        let none = Reading::Missing(Reason::NotShown);
        for (text, ram, disk, gpu) in [
            (colab, gib(1.08, 12.67), gib(21.2, 107.72), none),
            (panel, gib(1.8, 12.7), gib(28.7, 166.8), gib(0.0, 15.0)),
            (
                "ОЗУ: 1,08 ГБ/12,67 ГБ\nДиск: 21,20 ГБ/107,72 ГБ",
                gib(1.08, 12.67),
                gib(21.2, 107.72),
                none,
            ),
            (
                "Disk : 21,2\u{202f}Go / 107,7\u{a0}Go\nRAM : 1,1\u{202f}Go / 12,7\u{a0}Go",
                gib(1.1, 12.7),
                gib(21.2, 107.7),
                none,
            ),
            (
                "接続済み\n1.08 GB/12.67 GB\nディスク: 21.20 GB/107.72 GB",
                gib(1.08, 12.67),
                gib(21.2, 107.72),
                none,
            ),
            (
                "xyz 512 MiB / 2 GiB qqq 1 / 2 TiB",
                gib(0.5, 2.0),
                gib(1024.0, 2048.0),
                none,
            ),
            (
                "qw: 1,1 Gt/12,7 Gt\ner: 21,2 Gt/1\u{a0}107,7 Gt",
                gib(1.1, 12.7),
                gib(21.2, 1107.7),
                none,
            ),
            (
                "1.1GB/12.7GB\n21.2GB/1'107.7GB",
                gib(1.1, 12.7),
                gib(21.2, 1107.7),
                none,
            ),
            ("System RAM:1.3 / 12.7 GB", gib(1.3, 12.7), none, none),
            (
                "内存：310.11 / 2048.00 MB",
                gib(310.11 / 1024.0, 2.0),
                none,
                none,
            ),
            (
                "Mem: 310.11 / 2048.00 MB",
                gib(310.11 / 1024.0, 2.0),
                none,
                none,
            ),
        ] {
            let s = Sample::read(text, 5);
            assert_eq!((s.ram, s.disk, s.gpu), (ram, disk, gpu), "{text}");
        }
    }

    #[test]
    fn a_labelled_number_needs_no_limit() {
        let s = Sample::read("Mem: 310.11 MB", 0);
        assert_eq!(
            s.ram,
            Reading::Known {
                used: (310.11 * 1024.0 * 1024.0_f64).round() as u64,
                total: None
            }
        );
    }

    #[test]
    fn missing_is_not_zero() {
        for text in [
            "",
            "Click to connect",
            "10/12 cells",
            "8:42 PM",
            "1/2",
            "RAM",
            "GB/GB",
            "3 /",
        ] {
            let s = Sample::read(text, 0);
            assert!(s.is_empty(), "{text}: {s:?}");
            assert_eq!(s.ram, Reading::Missing(Reason::NoNumbers), "{text}");
        }
    }

    #[test]
    fn a_series_is_bounded_and_knows_its_peak() {
        let mut series = Series::default();
        for i in 0..5000u64 {
            let used = if i == 4900 { 9.0 } else { 1.0 };
            series.push(Sample::read(&format!("RAM: {used} GB/12 GB"), i * 10_000));
        }
        assert_eq!(series.samples().count(), MAX_SAMPLES);
        assert_eq!(series.ram_peak(), Some(((9.0 * GIB) as u64, 49_000_000)));
    }

    #[test]
    fn the_accelerator_has_a_name() {
        let mut series = Series::default();
        for (widget, text, name) in [
            ("runtime", "Python 3", ""),
            (
                "connect",
                "Connected to\nPython 3 Google Compute Engine backend (GPU)\nRAM: 1 GB/12 GB",
                "GPU",
            ),
            ("runtime", "T4 (Python 3)", "T4"),
            ("runtime", "A100（Python 3）", "A100"),
            (
                "runtime",
                "Connected to Python 3 Google Compute Engine backend (GPU)",
                "GPU",
            ),
            ("connect", "Reconnect", "GPU"),
            ("accelerator", "L4\nHigh-RAM", "L4"),
            ("accelerator", "", "GPU"),
            ("runtime", "Python 3", ""),
        ] {
            series.read(widget, text, 1);
            assert_eq!(series.accelerator(), name, "{widget}: {text}");
        }
    }

    #[test]
    fn widgets_complete_each_other() {
        let mut series = Series::default();
        series.read("connect", "RAM: 1 GB/12 GB\nDisk: 20 GB/100 GB", 1);
        series.read("resources", "GPU RAM\n3.0 / 15.0 GB", 2);
        series.read("runtime", "T4 (Python 3)", 3);
        let last = series.last().unwrap();
        assert_eq!(
            (last.ram, last.disk, last.gpu),
            (gib(1.0, 12.0), gib(20.0, 100.0), gib(3.0, 15.0))
        );
        series.read("connect", "Reconnect", 4);
        assert_eq!(
            series.last().unwrap().ram,
            Reading::Missing(Reason::NotShown)
        );
    }
}
