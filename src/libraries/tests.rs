//! What a table answers, by a small table written by hand, and what bad ones do.

use super::*;

const SMALL: &str = "nbmedic-signatures 1
library small
imports small small_extra
releases 1.0 1.1 ~1.9 2.0
[small]
cFrame 0-1(data,index=,columns=,flag=) 2+(data,*,index=,columns=,mark=)
 ^~Base
 fappend 0-2(other)
 vstr =~Text
 fto_numpy 2+()
cOld 0-1=small.Frame 2+(x)
 fshine ()
vInf 0-1
fflip 0,2-3(a,b=,/,c=,*rest,d,**more)
mtools
vwarn 1
fzeros (shape)
fzeros_like (a)
[small.tools] 1+
fflip (a)
cFrame =small.Frame
fmerge (left,right,how=)
cSplit (X)
[small.tools.old] 0-1
fmerge (left)
[~]
cBase
 ^0-1~Root 2+small.Missing
 fappend 0-2()
 fhead (n=)
cRoot 0-1
 ftail (n=)
cText
 fcontains (pat,case=)
";

fn small() -> Table {
    Table::parse(SMALL).expect("a table")
}

fn find<'t>(table: &'t Table, path: &str) -> Name<'t> {
    table.find(path).unwrap_or_else(|| panic!("no {path}"))
}

/// The names of parameters, with `=` for those with a default.
fn params(table: &Table, path: &str, version: &str) -> String {
    let release = table.release(version).expect("a release");
    let found = table
        .params(path, release)
        .unwrap_or_else(|| panic!("{path}"));
    let one = |p: &Param<'_>| format!("{}{}", p.name, if p.has_default { "=" } else { "" });
    found.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn names_of(members: Vec<(&str, Kind)>) -> Vec<&str> {
    members.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_table_has_a_library_and_releases() {
    let table = small();
    assert_eq!(table.library(), "small");
    assert_eq!(
        table.imports().collect::<Vec<_>>(),
        ["small", "small_extra"]
    );
    assert_eq!(
        table.versions().collect::<Vec<_>>(),
        ["1.0", "1.1", "1.9", "2.0"]
    );
    let version = |v| table.release(v).map(|r| table.version(r));
    assert_eq!(version("1.1.7"), Some("1.1"));
    assert_eq!(version("1.5"), Some("1.1"));
    assert_eq!(version("3.0.0+cpu"), Some("2.0"));
    assert_eq!(version("0.9"), None);
    assert_eq!(table.version(table.newest()), "2.0");
}

#[test]
fn a_name_has_its_releases() {
    let table = small();
    let inf = find(&table, "small.Inf");
    assert_eq!(
        (inf.kind(), inf.since(), inf.until()),
        (Kind::Value, None, Some("1.1"))
    );
    let gone = inf.gone().expect("gone");
    assert_eq!((gone.first_without, gone.exact), ("1.9", false));
    let append = find(&table, "small.Frame.append").gone().expect("gone");
    assert_eq!(
        (append.last, append.first_without, append.exact),
        ("1.9", "2.0", true)
    );
    let to_numpy = find(&table, "small.Frame.to_numpy");
    assert_eq!(
        (to_numpy.since(), to_numpy.since_exactly()),
        (Some("1.9"), false)
    );
    assert_eq!(to_numpy.until(), None);
    // It was missing in between.
    let flip = find(&table, "small.flip");
    assert_eq!((flip.until(), flip.gone()), (None, None));
    let middle = table.release("1.1").expect("a release");
    assert_eq!(flip.gone_in(middle).map(|g| g.last), Some("1.0"));
    assert_eq!(flip.gone_in(table.newest()), None);
    let ends = table.ends(flip.releases());
    assert_eq!(ends.iter().map(|g| g.last).collect::<Vec<_>>(), ["1.0"]);
    assert_eq!(table.everywhere("flip"), ["small.flip", "small.tools.flip"]);
    assert_eq!(table.everywhere("append"), ["small.Frame.append"]);
    assert_eq!(table.everywhere("head"), ["small.Frame.head"]);
    assert_eq!(find(&table, "small.tools").kind(), Kind::Module);
    assert_eq!(find(&table, "small").kind(), Kind::Module);
    for path in [
        "small.nothing",
        "small.Frame.nothing",
        "small.Inf.x",
        "",
        ".",
        "small.~Base",
        "other.x",
    ] {
        assert!(table.find(path).is_none(), "{path}");
    }
}

#[test]
fn bases_and_aliases_are_followed_release_by_release() {
    let table = small();
    assert_eq!(find(&table, "small.Frame.head").until(), None);
    assert_eq!(find(&table, "small.Frame.tail").until(), Some("1.1"));
    // The class's own method comes before its base's.
    assert_eq!(params(&table, "small.Frame.append", "1.0"), "other");
    assert_eq!(find(&table, "small.Old.append").until(), Some("1.1"));
    assert_eq!(find(&table, "small.Old.shine").since(), Some("1.9"));
    assert_eq!(
        params(&table, "small.Old", "1.0"),
        "data index= columns= flag="
    );
    assert_eq!(params(&table, "small.Old", "2.0"), "x");
    assert_eq!(
        params(&table, "small.Frame.str.contains", "2.0"),
        "pat case="
    );
    assert_eq!(
        params(&table, "small.tools.Frame", "2.0"),
        "data index= columns= mark="
    );
    let newest = table.newest();
    assert_eq!(
        find(&table, "small.tools.Frame").same_as(newest),
        Some("small.Frame")
    );
    assert_eq!(find(&table, "small.Frame").same_as(newest), None);
    let members = |path, at| names_of(table.members(path, table.release(at).expect("a release")));
    assert_eq!(
        members("small.Frame", "1.0"),
        ["append", "head", "str", "tail"]
    );
    assert_eq!(
        members("small.Frame", "1.9"),
        ["append", "head", "str", "to_numpy"]
    );
    assert_eq!(members("small.tools", "1.0"), [""; 0]);
    assert_eq!(
        members("small.tools", "1.1"),
        ["Frame", "Split", "flip", "merge"]
    );
}

#[test]
fn parameters_become_keyword_only_and_get_other_names() {
    let table = small();
    let newest = table.newest();
    assert_eq!(table.keyword("small.Frame", 1, newest), Some("index"));
    assert_eq!(table.keyword("small.Frame", 0, newest), Some("data"));
    assert_eq!(table.keyword("small.Frame", 3, newest), None, "it is gone");
    assert_eq!(
        table.keyword("small.flip", 0, newest),
        None,
        "by position only"
    );
    assert_eq!(
        table.keyword_only_since("small.Frame", "index"),
        Some("1.9")
    );
    assert_eq!(table.keyword_only_since("small.Frame", "data"), None);
    let renamed = table
        .renamed_param("small.Frame", "flag", newest)
        .expect("renamed");
    assert_eq!((renamed.new, renamed.from), ("mark", "1.9"));
    assert_eq!(renamed.gone.map(|g| g.last), Some("1.1"));
    assert_eq!(table.renamed_param("small.Frame", "data", newest), None);
    assert_eq!(table.renamed_param("small.Frame", "nothing", newest), None);
    let (_, gone) = table.param("small.Frame", "flag").expect("known");
    assert_eq!(gone.map(|g| g.first_without), Some("1.9"));
    assert!(table.param("small.Frame", "nothing").is_none());
}

#[test]
fn a_deprecated_parameter_beside_its_replacement_is_renamed() {
    let table = |lists: &str| {
        let text = format!(
            "nbmedic-signatures 1\nlibrary l\nimports l\nreleases 1 2 3\n[l]\nff {lists}\n"
        );
        Table::parse(&text).expect("a table")
    };
    let renamed = |t: &Table| {
        t.renamed_param("l.f", "sparse", t.newest())
            .map(|r| r.new.to_owned())
    };
    let beside = table("0(a,sparse=,b=) 1(a,sparse=,sparse_output=,b=) 2(a,sparse_output=,b=)");
    assert_eq!(renamed(&beside).as_deref(), Some("sparse_output"));
    let last = table("0(sparse=,b=) 1(output=,b=,sparse=) 2(output=,b=)");
    assert_eq!(renamed(&last).as_deref(), Some("output"));
    let elsewhere = table("0(a,sparse=,b=) 1+(a,b=,other=)");
    assert_eq!(renamed(&elsewhere), None);
    // Long beside it: only a name that is alike.
    let long = |new: &str| {
        let lists = format!("0(sparse=) 1-5({new}=,sparse=) 6+({new}=)");
        let text = format!(
            "nbmedic-signatures 1\nlibrary l\nimports l\nreleases 1 2 3 4 5 6 7\n[l]\nff {lists}\n"
        );
        renamed(&Table::parse(&text).expect("a table"))
    };
    assert_eq!(long("sparse_output").as_deref(), Some("sparse_output"));
    assert_eq!(long("drop"), None);
    let kept = table("0(a,sparse=,b=) 1+(a,sparse=,sparse_output=,b=)");
    assert_eq!(renamed(&kept), None, "both are there");
    let unrelated = table("0(a,sparse=,b=) 1(a,b=) 2(a,other=,b=)");
    assert_eq!(renamed(&unrelated), None, "it appeared later");
}

#[test]
fn a_misspelt_or_moved_name_is_found() {
    let table = small();
    let newest = table.newest();
    assert_eq!(
        table.closest("small", "zeros_lke", newest),
        [("zeros_like", 1)]
    );
    assert_eq!(table.closest("small", "frame", newest), [("Frame", 1)]);
    assert_eq!(table.closest("small.Frame", "haed", newest), [("head", 1)]);
    assert_eq!(
        table.closest("small.Frame.str", "contians", newest),
        [("contains", 1)]
    );
    assert_eq!(table.closest("small", "banana", newest), []);
    assert_eq!(
        table.moved("small.tools.old", "merge", newest),
        ["small.tools.merge"]
    );
    assert_eq!(table.moved("small.gone", "Frame", newest), ["small.Frame"]);
    assert_eq!(table.moved("small.tools", "merge", newest), [""; 0]);
    assert_eq!(table.moved("small", "Inf", newest), [""; 0]);
}

#[test]
fn bad_tables_are_errors() {
    let whole: Vec<&str> = SMALL.lines().collect();
    // Any part of a table is a table or an error, and answers.
    for cut in 0..SMALL.len() {
        if let Ok(table) = Table::parse(&SMALL[..cut]) {
            let _ = table
                .find("small.Frame.append")
                .map(|n| n.params(table.newest()));
            table.members("small.Frame", table.newest());
        }
    }
    let bad = [
        "[small",
        "[small] 9",
        "xname",
        "f",
        "ff 0-9(a)",
        "ff 1-0(a)",
        "ff (a",
        "ff nonsense",
        " fmember",
        "\u{e9}name",
    ];
    for line in bad {
        let text = format!("{}\n[m]\n{line}\n", whole[..4].join("\n"));
        let error = Table::parse(&text).expect_err(line);
        assert!(error.starts_with("line 6: "), "{error}");
    }
    let head = whole[..4].join("\n");
    assert!(Table::parse(&format!("{head}\nfearly ()\n")).is_err());
    assert!(Table::parse("").is_err());
    assert!(Table::parse(&SMALL.replace("signatures 1", "signatures 2")).is_err());
    let many = (0..65).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
    assert!(Table::parse(&SMALL.replace("1.0 1.1 ~1.9 2.0", &many)).is_err());
}

#[test]
fn circles_and_long_chains_end() {
    let mut text = String::from("nbmedic-signatures 1\nlibrary l\nimports l\nreleases 1\n[l]\n");
    text.push_str("cA ()\n ^l.B\n fa ()\ncB ()\n ^l.A\n fb ()\ncC =l.C\ncD =l.E\ncE =l.D\n[~]\n");
    for n in 0..5_000 {
        text.push_str(&format!(
            "cN{n}\n ^~N{},~N{},~N{n}\n fm{n} ()\n",
            n + 1,
            n + 2
        ));
    }
    let table = Table::parse(&text).expect("a table");
    let newest = table.newest();
    assert_eq!(names_of(table.members("l.A", newest)), ["a", "b"]);
    assert!(table.find("l.A.nothing").is_none());
    assert!(table.find("l.C.x").is_none());
    assert!(find(&table, "l.D").params(newest).is_none());
    let text = text.replace("fb ()", "fb ()\n vchain =~N0");
    let table = Table::parse(&text).expect("a table");
    assert_eq!(table.members("l.B.chain", newest).len(), 5_000);
    assert!(table.find("l.B.chain.m4999").is_some());
    assert!(table.find(&"l.".repeat(100_000)).is_none());
}

#[test]
fn a_module_belongs_to_a_library() {
    assert_eq!(library_of_module("sklearn.cluster"), Some("scikit-learn"));
    assert_eq!(library_of_module("numpy"), Some("numpy"));
    assert_eq!(library_of_module("numpydoc"), None);
    assert_eq!(library_of_module("PIL.Image"), Some("pillow"));
    assert_eq!(library_of_module(""), None);
    assert!(
        names().contains(&"pandas") && names().is_sorted(),
        "{:?}",
        names()
    );
}
