//! Records as they are written, by either sampler.

use nbmedic_probe::{Cause, Certainty, Evidence, Record};

const RECORD: &str = r#"{"k":"start","v":1,"t":1000,"mode":"native","me":9,"pid":7,"born":55,"boot":"b","id":"k-1","cpus":2,"ram":100,"cg":"v2","lim":80,"st":1}
{"k":"gpus","t":1001,"drv":"580.82.07","gpus":[{"u":"GPU-1","n":"Tesla T4","tot":50,"na":{"ecc":"not-supported"}},{"u":"MIG-2","mig":1}]}
{"k":"s","t":2000,"r":[10,100],"cg":[9,80],"oom":[4,0,null],"psi":[1,2,3,4,5],"d":[["/",7,9],["/dev/shm",3,6]],"cpu":[1,2,3,4],"rss":[5,6],"up":90,"g":[[20,50,97,64,70,4,null,18],null]}
{"k":"run","t":2100,"n":3,"c":"id","h":"ab","l":"model.fit()"}
{"k":"s","t":3000,"r":[70,100],"cg":[75,80],"rss":[60,6]}
not a line
{"k":"xid","t":3100,"x":45,"u":"GPU-1","via":"nvml"}
{"k":"later","t":3150,"x":[{"y":1}]}
{"k":"end","t":3200,"st":9,"via":"zombie","par":1,"oom":[1,1,null],"last":[75,80],"shm":[3,6],"own":60}
"#;

#[test]
fn a_record_is_read_whole() {
    let record = Record::read(&[RECORD.as_bytes()]).pop().unwrap();
    let start = &record.start;
    assert_eq!((start.pid, start.born, start.boot.as_str()), (7, 55, "b"));
    assert_eq!(
        (start.limit, start.id.as_deref(), start.native),
        (Some(80), Some("k-1"), true)
    );
    assert_eq!(
        record.gpus[0].missing,
        [("ecc".to_owned(), "not-supported".to_owned())]
    );
    assert!(record.gpus[1].mig);
    assert_eq!(record.samples.len(), 2);
    let last = record.samples.back().unwrap();
    // A figure that the second line omits still holds.
    assert_eq!(
        (last.ram, last.group, last.up),
        (Some((70, 100)), Some((75, Some(80))), Some(90))
    );
    assert_eq!(
        (last.oom, last.pressure.io_some),
        ([Some(4), Some(0), None], Some(3))
    );
    let gpu = last.gpus[0].unwrap();
    assert_eq!((gpu.used, gpu.ecc, gpu.own), (Some(20), None, Some(18)));
    assert_eq!(last.gpus[1], None);
    assert_eq!(record.space[1].name, "/dev/shm");
    let cell = record.running().unwrap();
    assert_eq!((cell.count, cell.line.as_deref()), (3, Some("model.fit()")));
    let verdict = record.verdict().unwrap();
    assert_eq!(
        (verdict.cause, verdict.certainty),
        (Cause::HostOom, Certainty::Certain)
    );
    assert!(
        verdict.evidence.has(Evidence::OomCgroup) && verdict.evidence.has(Evidence::MemoryHigh)
    );
    assert_eq!(record.end.unwrap().parent, Some(true));
}

#[test]
fn a_kernel_that_lives_has_no_verdict() {
    let text = RECORD.replace("\"end\"", "\"other\"");
    let record = Record::read(&[text.as_bytes()]).pop().unwrap();
    assert_eq!(record.verdict(), None);
}

#[test]
fn every_kernel_has_its_record_and_a_rotation_does_not_end_one() {
    let again = r#"{"k":"start","v":1,"t":1000,"mode":"native","pid":7,"born":55,"boot":"b","again":1}
{"k":"s","t":2500,"r":[12,100]}
{"k":"ran","t":2600,"n":3,"ok":true}
{"k":"start","v":1,"t":9000,"mode":"python","pid":8,"born":66,"boot":"b"}
{"k":"s","t":9100,"r":[1,100],"na":{"cg":"no-file"}}
{"k":"stop","t":9200,"why":"asked"}
"#;
    let first = RECORD.lines().take(4).collect::<Vec<_>>().join("\n");
    let records = Record::read(&[first.as_bytes(), again.as_bytes()]);
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].samples.len(), 2);
    assert_eq!(records[0].cells[0].done, Some((2600, true)));
    assert_eq!(records[0].running(), None);
    assert!(!records[1].start.native && records[1].samples[0].group.is_none());
    assert_eq!(records[1].stop, Some((9200, "asked".to_owned())));
}

#[test]
fn a_tail_without_its_start_still_tells() {
    let tail = RECORD.lines().skip(4).collect::<Vec<_>>().join("\n");
    let record = Record::read(&[tail.as_bytes()]).pop().unwrap();
    assert_eq!(record.samples.len(), 1);
    assert_eq!(record.verdict().unwrap().cause, Cause::HostOom);
}
