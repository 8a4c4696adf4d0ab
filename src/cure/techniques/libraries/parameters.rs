//! Arguments that a library function rejects: renamed, removed, misspelled, or no longer positional.

use super::library::{called, libraries, library, newer, Library};
use crate::case::Case;
use crate::closest::{closest, is_slip};
use crate::edit::Change;
use crate::find::{callee, name, one_line, only, receiver, said, Spot};
use crate::same;
use crate::sized::{Sources, MAX_STEPS};
use crate::takes::{meant, takes};
use nbmedic_facts::{Basis, Cure};
use nbmedic_libraries::{Param, ParamKind};
use nbmedic_python::ast::{Expr, ExprCall, Keyword};
use nbmedic_python::{calls, keyword, Ranged};
use nbmedic_values::Model;

/// Properties of all Matplotlib artists: `matplotlib.artist.Artist` of 3.11, which isn't in its
/// table.
const OF_ARTISTS: &[&str] = &[
    "agg_filter",
    "alpha",
    "animated",
    "clip_box",
    "clip_on",
    "clip_path",
    "figure",
    "gid",
    "in_layout",
    "label",
    "mouseover",
    "path_effects",
    "picker",
    "rasterized",
    "sketch_params",
    "snap",
    "transform",
    "url",
    "visible",
    "zorder",
];

/// Maximum number of parameters listed.
const MAX_LISTED: usize = 12;

/// The called function: its library and path.
fn target(case: &Case<'_>, call: &ExprCall) -> Option<(Library, String)> {
    let found = |path: String| {
        let module = path.split('.').next()?.to_owned();
        let library = library(case, &module)?;
        library.table.find(&path)?;
        Some((library, path))
    };
    if let Some(path) = case.path_of(&call.func) {
        return found(path);
    }
    let method = callee(call)?;
    let on = receiver(call)?;
    // `model = LogisticRegression()`, then `model.fit(…)`.
    if let Some((_, value)) = name(on).and_then(|n| case.value(n)) {
        let class = value.as_call_expr().and_then(|c| case.path_of(&c.func));
        if let Some(found) = class.and_then(|c| found(format!("{c}.{method}"))) {
            return Some(found);
        }
    }
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let sources = Sources(case);
    let kind = Model::new(&sources, MAX_STEPS).of(cell, on).kind;
    let class = match kind.strip_prefix("Polars") {
        Some(of) => Some(format!("polars.{of}")),
        None if matches!(&*kind, "DataFrame" | "Series") => Some(format!("pandas.{kind}")),
        None => None,
    };
    if let Some(found) = class.and_then(|class| found(format!("{class}.{method}"))) {
        return Some(found);
    }
    // `DataFrame.drop() got …`
    let head = case.message().split_once("() ")?.0;
    let (class, of) = head.rsplit_once('.')?;
    let short = class.rsplit('.').next().unwrap_or(class);
    if of != method {
        return None;
    }
    libraries(case).find_map(|l| {
        let path = format!("{}.{method}", l.table.classes(short).first()?);
        l.table.find(&path)?;
        Some((l, path))
    })
}

fn rename(case: &Case<'_>, spot: &Spot<'_>, k: &Keyword, new: &str, why: String) -> Option<Cure> {
    let old = k.arg.as_ref()?;
    case.edits(
        said(
            "rename-argument",
            Basis::Assumed,
            format!("Rename `{old}=` to `{new}=`"),
            why,
        ),
        vec![Change::replace(spot.cell, old, new)],
    )
}

/// `drop(columns=["a"])` for `drop(*columns)`: `drop("a")`.
fn by_position(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    function: &str,
) -> Option<Cure> {
    if !call.arguments.args.is_empty() {
        return None;
    }
    let text = match &k.value {
        Expr::List(l) => {
            let all = l.elts.iter().map(|e| spot.text(e));
            all.collect::<Vec<_>>().join(", ")
        }
        value => spot.text(value).to_owned(),
    };
    if text.is_empty() || call.arguments.keywords.first()?.range != k.range {
        return None;
    }
    case.edits(
        said(
            "by-position",
            Basis::Assumed,
            format!(
                "Write `{}` for `{}`",
                one_line(&text),
                one_line(spot.text(k))
            ),
            format!("`{function}` takes any number of these, by position."),
        ),
        vec![Change::replace(spot.cell, k, text)],
    )
}

/// An argument that a different release of the library takes.
pub(crate) fn changed(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    if let Some(cure) = property(case, spot, call, k, argument) {
        return Some(cure);
    }
    let (library, path) = target(case, call)?;
    let (table, release) = (&library.table, library.release);
    let function = callee(call)?;
    let params = table.params(&path, release)?;
    let lib = called(table.library());
    let known = params.iter().find(|p| p.name == argument);
    if known.is_some_and(|p| p.kind == ParamKind::Rest) {
        return by_position(case, spot, call, k, function);
    }
    if known.is_some() {
        // The installed release is older than the table's newest.
        if library.certain {
            return None;
        }
        let before = table.param(&path, argument)?.0.earliest()?;
        let since = table.version(before);
        let older = table
            .versions()
            .zip(0..)
            .find(|(v, _)| *v == since)
            .and_then(|(_, at)| {
                let last = table.versions().nth(usize::checked_sub(at, 1)?)?;
                table.older_param(&path, argument, table.release(last)?)
            });
        if let Some(old) = older.filter(|o| keyword(call, o).is_none()) {
            return rename(case, spot, k, old, format!("`{function}` has `{argument}` since {lib} {since}; the installed release is older, and calls it `{old}`."));
        }
        return newer(case, &library, &format!("{argument}="), since);
    }
    if let Some(r) = table.renamed_param(&path, argument, release) {
        if keyword(call, r.new).is_none() {
            let since = r.gone.map_or(r.from, |g| g.first_without);
            return rename(case, spot, k, r.new, format!("{lib} {since} took `{argument}` away; `{}` came in its place in {}. Check that its values mean the same.", r.new, r.from));
        }
    }
    let gone = table.param(&path, argument).and_then(|(_, gone)| gone);
    if let Some(gone) = gone {
        let change = spot.editor().remove(call, k);
        return case.edits(
            said(
                "drop-argument",
                Basis::Assumed,
                format!("Remove `{}` from `{function}(…)`", one_line(spot.python.slice(k))),
                format!("{lib} {} removed it from `{function}`; {} was the last release that took it. Nothing took its place.", gone.first_without, gone.last),
            ),
            vec![change],
        );
    }
    None
}

/// An argument that no release of the called function takes: suggests the closest one, or lists
/// what it takes.
pub(crate) fn untaken(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    let (library, path) = target(case, call)?;
    let function = callee(call)?;
    let params = library.table.params(&path, library.release)?;
    let taken = |p: &&Param<'_>| p.by_name() && keyword(call, p.name).is_none();
    let names = || params.iter().filter(taken).map(|p| p.name);
    if let Some(new) = closest(argument, names()) {
        let why =
            format!("`{function}` has no `{argument}`; `{new}` is the closest of what it takes.");
        let cure = rename(case, spot, k, new, why)?;
        return Some(Cure {
            basis: match is_slip(argument, new, names()) {
                true => Basis::Spelled,
                false => cure.basis,
            },
            ..cure
        });
    }
    let begins = |p: &&Param<'_>| argument.len() > 2 && p.name.starts_with(argument);
    if let Some(p) = only(params.iter().filter(taken).filter(begins)) {
        let why = format!("`{function}` has no `{argument}`; `{}` begins so.", p.name);
        return rename(case, spot, k, p.name, why);
    }
    // Arguments that are passed on go beyond what the table shows.
    if params.iter().any(|p| p.kind == ParamKind::Named) {
        return None;
    }
    let all: Vec<String> = params
        .iter()
        .filter(taken)
        .map(|p| format!("`{}`", p.name))
        .collect();
    let more = if all.len() > MAX_LISTED { ", …" } else { "" };
    let list = all[..all.len().min(MAX_LISTED)].join(", ");
    let why = match list.is_empty() {
        true => format!("`{function}` takes no further arguments by name."),
        false => format!("What `{function}` takes besides those given: {list}{more}."),
    };
    let text = one_line(spot.python.slice(k));
    let change = spot.editor().remove(call, k);
    case.edits(
        said(
            "no-such-argument",
            Basis::Guessed,
            format!("Remove `{text}` from `{function}(…)`, or name another of its arguments"),
            why,
        ),
        vec![change],
    )
}

/// All keyword arguments taken by a library's functions and methods with this name.
fn taken_by(library: &Library, function: &str) -> Vec<String> {
    let (table, release) = (&library.table, library.release);
    let paths = table.everywhere(function).into_iter();
    let params = paths.flat_map(|p| table.params(&p, release).unwrap_or_default());
    let named = params.filter(Param::by_name);
    named.map(|p| p.name.to_owned()).collect()
}

/// An argument of a method on an unknown object: the closest argument of any method with this name
/// in the libraries that the notebook uses, or of those that the notebook passes elsewhere.
pub(crate) fn of_namesakes(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    if target(case, call).is_some() {
        return None;
    }
    let function = callee(call)?;
    let mut names: Vec<String> = Vec::new();
    for cell in case.seen() {
        for other in case
            .python(cell)
            .map(|p| calls(p.body()))
            .unwrap_or_default()
        {
            if callee(other) == Some(function) {
                let given = other
                    .arguments
                    .keywords
                    .iter()
                    .filter_map(|k| k.arg.as_ref());
                names.extend(given.map(ToString::to_string));
            }
        }
    }
    for l in libraries(case) {
        names.extend(taken_by(&l, function));
    }
    names.retain(|n| n != argument && keyword(call, n).is_none());
    let new = closest(argument, names.iter().map(String::as_str))?;
    let why = format!("`{function}` has no `{argument}`; `{new}` is the closest of what functions of this name take.");
    rename(case, spot, k, new, why)
}

/// `Line2D.set() got an unexpected keyword argument`: properties of Matplotlib artists.
fn property(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    let class = case.message().split_once(".set() got an unexpected")?.0;
    let library = library(case, "matplotlib")?;
    let (table, release) = (&library.table, library.release);
    let path = *table.classes(class).first()?;
    let members = table.members(path, release).into_iter();
    let own = members.filter_map(|(n, _)| Some(n.strip_prefix("set_")?.to_owned()));
    let mut names: Vec<String> = own.collect();
    names.extend(OF_ARTISTS.iter().map(|n| (*n).to_owned()));
    // The function's own parameters.
    names.extend(taken_by(&library, callee(call)?));
    names.retain(|n| keyword(call, n).is_none());
    let all = || names.iter().map(String::as_str);
    let others = same::arguments(argument);
    let mut alike: Vec<&str> = all().filter(|n| others.contains(n)).collect();
    alike.sort_unstable();
    alike.dedup();
    let new = closest(argument, all()).or_else(|| only(alike.into_iter()))?;
    let old = k.arg.as_ref()?;
    case.edits(
        said(
            "rename-argument",
            Basis::Assumed,
            format!("Rename `{argument}=` to `{new}=`"),
            format!("A `{class}` has no `{argument}`; `{new}` is the closest of its properties."),
        ),
        vec![Change::replace(spot.cell, old, new)],
    )
}

/// Whether a library's function takes the named arguments of a call, by its table; none where that, or the call, does not show
/// it. Of those by position a table does not know all forms.
pub(crate) fn accepts(case: &Case<'_>, call: &ExprCall) -> Option<bool> {
    let (args, keywords) = (&call.arguments.args, &call.arguments.keywords);
    if args.iter().any(Expr::is_starred_expr) || keywords.iter().any(|k| k.arg.is_none()) {
        return None;
    }
    let (library, path) = target(case, call)?;
    let params = library.table.params(&path, library.release)?;
    let further = params.iter().any(|p| p.kind == ParamKind::Named);
    let named = keywords.iter().filter_map(|k| k.arg.as_ref());
    Some(named.map(|n| n.as_str()).all(|name| {
        let places = params.iter().filter(|p| p.by_position());
        let mut given = places.take(args.len()).filter(|p| p.by_name());
        let taken = params.iter().any(|p| p.by_name() && p.name == name);
        !given.any(|p| p.name == name) && (taken || further)
    }))
}

/// The arguments that the called library function takes, if a table has it.
pub(crate) fn accepted(case: &Case<'_>, call: &ExprCall) -> Option<Vec<String>> {
    let (library, path) = target(case, call)?;
    let params = library.table.params(&path, library.release)?;
    let named = params.iter().filter(|p| p.by_name());
    Some(named.map(|p| p.name.to_owned()).collect())
}

/// The first parameter after a given one that the call doesn't pass.
pub(crate) fn next_free(case: &Case<'_>, call: &ExprCall, after: &str) -> Option<String> {
    let (library, path) = target(case, call)?;
    let params = library.table.params(&path, library.release)?;
    let at = params.iter().position(|p| p.name == after)?;
    let free = |p: &&Param<'_>| p.by_name() && keyword(call, p.name).is_none();
    params[at + 1..]
        .iter()
        .find(free)
        .map(|p| p.name.to_owned())
}

/// The parameter that a literal is meant for: the first after `after` that the call doesn't pass
/// and whose name indicates that it takes such a literal, unless the literal itself shows its
/// meaning. A string may also be the next argument if that parameter's name doesn't indicate
/// anything.
pub(crate) fn free_for(
    case: &Case<'_>,
    call: &ExprCall,
    literal: &Expr,
    after: Option<&str>,
) -> Option<String> {
    let meant = meant(callee(call)?, literal).filter(|name| keyword(call, name).is_none());
    let Some((library, path)) = target(case, call) else {
        return meant.map(str::to_owned);
    };
    let params = library.table.params(&path, library.release)?;
    let has = |name: &&str| params.iter().any(|p| p.name == *name && p.by_name());
    if let Some(name) = meant.filter(has) {
        return Some(name.to_owned());
    }
    let after = after.and_then(|after| params.iter().position(|p| p.name == after));
    let from = after.map_or(0, |at| at + 1);
    // A literal after the other positional arguments isn't meant for one of the first parameters.
    let places = call.arguments.args.iter();
    let given = places.filter(|a| a.range() != literal.range()).count();
    let free = |(at, p): &(usize, &Param<'_>)| {
        let placed = p.by_position() && *at < given;
        p.by_name() && !placed && keyword(call, p.name).is_none()
    };
    // Artists take many more arguments than the function lists.
    let open = params.iter().any(|p| p.kind == ParamKind::Named);
    let drawn = open && matches!(library.table.library(), "matplotlib" | "seaborn");
    let text = literal.is_string_literal_expr() && takes("format", literal) == Some(false);
    let mut all = params.iter().enumerate().skip(from).filter(free);
    let fits = all.find(|(_, p)| takes(p.name, literal).unwrap_or(text && !drawn));
    let of_artists = || {
        let fits =
            |name: &&str| takes(name, literal) == Some(true) && keyword(call, name).is_none();
        ["alpha", "label"].into_iter().filter(|_| drawn).find(fits)
    };
    fits.map(|(_, p)| p.name)
        .or_else(of_artists)
        .map(str::to_owned)
}

/// The parameter of a library function at a position.
pub(crate) fn at_position(case: &Case<'_>, call: &ExprCall, at: usize) -> Option<String> {
    let (library, path) = target(case, call)?;
    let params = library.table.params(&path, library.release)?;
    let param = params.iter().filter(|p| p.by_position()).nth(at)?;
    param.by_name().then(|| param.name.to_owned())
}

/// The parameter names of a call from a position on, if a library's table has the function.
pub(crate) fn positional_names(
    case: &Case<'_>,
    call: &ExprCall,
    from: usize,
) -> Option<Vec<String>> {
    let (library, path) = target(case, call)?;
    let names = (from..call.arguments.args.len()).map(|at| {
        let name = library.table.keyword(&path, at, library.release)?;
        Some(name.to_owned())
    });
    names.collect()
}
