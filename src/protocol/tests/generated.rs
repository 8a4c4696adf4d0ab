//! The generated files are the ones that this room generates. `NBMEDIC_BLESS=1` writes them.
// Tests read files.
#![allow(clippy::disallowed_methods)]

use std::fs;

fn same(file: &str, wanted: &str) {
    let path = format!("{}/../../extension/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("NBMEDIC_BLESS").is_some() {
        fs::write(&path, wanted).expect("the file can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "{file} is not what src/protocol generates: \
         NBMEDIC_BLESS=1 cargo test -p nbmedic-protocol --all-features writes it"
    );
}

#[test]
fn the_types_are_those_of_this_room() {
    same("protocol.d.ts", &nbmedic_protocol::generated::types());
}

#[test]
fn the_requests_are_those_of_this_room() {
    same("requests.d.ts", &nbmedic_protocol::generated::requests());
}

#[test]
fn the_slots_and_bounds_are_those_of_this_room() {
    same("protocol.js", &nbmedic_protocol::generated::values());
}
