//! Judges flight records: `verdict FILE…`, each file a whole record. Prints cause and certainty of
//! every end in it, one to a line, as `FILE CAUSE CERTAINTY`.

use nbmedic_probe::Record;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let file = std::fs::read(&path)?;
        for verdict in Record::read(&[&file]).iter().filter_map(Record::verdict) {
            println!("{path} {} {}", verdict.cause.id(), verdict.certainty.id());
        }
    }
    Ok(())
}
