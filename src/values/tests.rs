use crate::check;

#[test]
fn every_row_can_be_read() {
    match check() {
        Ok(rows) => assert!(rows.len() >= 600, "{} rows", rows.len()),
        Err(wrong) => panic!("{}", wrong.join("\n")),
    }
}

#[test]
fn a_wrong_row_is_named() {
    use crate::row::read;
    assert_eq!(
        read("f(x -> ndarray").unwrap_err(),
        "column 5: expected `,`"
    );
    assert_eq!(read("f(x) ndarray").unwrap_err(), "column 6: expected `->`");
    assert_eq!(
        read("f(x) -> ndarray[len(x)").unwrap_err(),
        "column 23: expected `,`"
    );
    assert_eq!(
        read("f(x) -> ndarray when").unwrap_err(),
        "column 17: expected the end of the line"
    );
}
