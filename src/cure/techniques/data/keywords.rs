//! `got an unexpected keyword argument`: renamed, removed, or misspelled.

use super::parameters::KNOWN;
use super::synonyms::synonym;
use crate::case::Case;
use crate::closest::closest;
use crate::edit::Change;
use crate::find::{callee, only, quoted_after, said, Spot};
use crate::rules;
use crate::techniques::libraries;
use nbmedic_catalog::renamed;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{ExprCall, Keyword, Stmt};
use nbmedic_python::{keyword, Cell};
use nbmedic_wordings::python;

/// The rename tables, by the first part of a module.
const LIBRARIES: &[(&str, &str)] = &[
    ("sklearn", "sklearn"),
    ("imblearn", "sklearn"),
    ("pandas", "pandas"),
    ("seaborn", "seaborn"),
    ("matplotlib", "matplotlib"),
    ("numpy", "numpy"),
    ("scipy", "scipy"),
    ("librosa", "librosa"),
    ("keras", "keras"),
    ("tensorflow", "keras"),
    ("gensim", "gensim"),
    ("transformers", "transformers"),
    ("torch", "torch"),
    ("skimage", "skimage"),
    ("xgboost", "boosting"),
    ("lightgbm", "boosting"),
    ("catboost", "boosting"),
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if !matches!(case.class(), "TypeError" | "AttributeError" | "ValueError") {
        return;
    }
    let refused = python::UNEXPECTED_ARGUMENT
        .read(message)
        .or_else(|| python::REFUSED_ARGUMENT.read(message));
    let of_grid = || message.strip_prefix("keyword grid_")?.split(' ').next();
    let Some(argument) = refused.map(|[name]| name).or_else(of_grid) else {
        return;
    };
    let spots = case.spots();
    let found = spots.iter().find_map(|spot| {
        let mut all = spot.calls().filter(|c| keyword(c, argument).is_some());
        let first = all.next()?;
        match all.next() {
            None => Some((spot, first)),
            // If there are several, the one that the message names.
            Some(_) => {
                let named = spot.calls().filter(|c| {
                    keyword(c, argument).is_some()
                        && callee(c).is_some_and(|n| {
                            message.contains(&format!("{n}(")) || message.contains(&format!("{n}."))
                        })
                });
                only(named).map(|c| (spot, c))
            }
        }
    });
    let Some((spot, call)) = found else { return };
    let Some(k) = keyword(call, argument) else {
        return;
    };
    let cure = suggested(case, spot, k, message)
        .or_else(|| rules::first(case, "removed"))
        .or_else(|| renamed_one(case, spot, call, k, argument))
        .or_else(|| own_function(case, spot, call, k, argument))
        .or_else(|| libraries::changed(case, spot, call, k, argument))
        .or_else(|| known(case, spot, call, k, argument))
        .or_else(|| synonym(case, spot, call, k, argument))
        .or_else(|| libraries::of_namesakes(case, spot, call, k, argument))
        .or_else(|| libraries::untaken(case, spot, call, k, argument));
    out.extend(cure);
}

/// The message's own suggestion: `Did you mean 'x'?`
fn suggested(case: &Case<'_>, spot: &Spot<'_>, k: &Keyword, message: &str) -> Option<Cure> {
    let [new] = python::DID_YOU_MEAN.read(message)?;
    let new = quoted_after(new, "")?;
    rename(
        case,
        spot,
        k,
        new,
        Basis::Named,
        "The message names it.".to_owned(),
    )
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn rename(
    case: &Case<'_>,
    spot: &Spot<'_>,
    k: &Keyword,
    new: &str,
    basis: Basis,
    why: String,
) -> Option<Cure> {
    let old = k.arg.as_ref()?;
    is_name(new).then_some(())?;
    case.edits(
        said(
            "rename-argument",
            basis,
            format!("Rename `{old}=` to `{new}=`"),
            why,
        ),
        vec![Change::replace(spot.cell, old, new)],
    )
}

/// An argument in the rename tables.
fn renamed_one(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    let called = callee(call)?;
    let message = case.message();
    // The library of a method is given by the frames, that of a function by its import.
    let path = case.path_of(&call.func);
    let module = path.as_deref().and_then(|p| p.split('.').next());
    let files = case.error().frames.iter().rev();
    let of_file = files
        .filter_map(|f| {
            let at = f.file.find("-packages/")?;
            f.file[at + 10..].split('/').next()
        })
        .next();
    let library = module.or(of_file)?;
    let (_, table) = LIBRARIES.iter().find(|(m, _)| *m == library)?;
    let entry = only(renamed(table, argument).filter(|r| {
        matches!(r.kind, nbmedic_catalog::NameKind::Argument)
            && (r.of.is_empty() || r.of.split(' ').any(|o| o == called || message.contains(o)))
    }))?;
    if entry.new.is_empty() {
        return None;
    }
    let why = crate::told::why(entry, argument);
    if is_name(entry.new) && keyword(call, entry.new).is_none() {
        return rename(case, spot, k, entry.new, Basis::Library, why);
    }
    // `on_bad_lines="skip"`: an argument together with its value.
    let whole = entry
        .new
        .split_once('=')
        .is_some_and(|(n, v)| is_name(n) && (v.starts_with(['"', '\'', 'r'])));
    if whole {
        return case.edits(
            said(
                "rename-argument",
                Basis::Assumed,
                format!("Replace `{}` by `{}`", spot.python.slice(k), entry.new),
                why,
            ),
            vec![Change::replace(spot.cell, k, entry.new)],
        );
    }
    None
}

/// A misspelled argument of a function in the notebook.
fn own_function(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    let called = callee(call)?;
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        if let Some(parameters) = parameters(python, called) {
            let given = |p: &&str| keyword(call, p).is_none();
            let near = closest(argument, parameters.iter().copied().filter(given))?;
            return rename(
                case,
                spot,
                k,
                near,
                Basis::Assumed,
                format!("`{called}` has `{near}`, not `{argument}`."),
            );
        }
    }
    None
}

/// The parameters of a function, or of a class's `__init__`.
fn parameters<'c>(python: &'c Cell, called: &str) -> Option<Vec<&'c str>> {
    let mut found = None;
    nbmedic_python::each_stmt(python.body(), &mut |s| {
        let function = match s {
            Stmt::FunctionDef(f) if f.name.as_str() == called => Some(f),
            Stmt::ClassDef(c) if c.name.as_str() == called => c.body.iter().find_map(|s| {
                s.as_function_def_stmt()
                    .filter(|f| f.name.as_str() == "__init__")
            }),
            _ => None,
        };
        if let Some(f) = function {
            found = Some(f.parameters.iter().map(|p| p.name().as_str()).collect());
        }
    });
    found
}

fn known(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    let called = callee(call)?;
    let (_, names) = KNOWN.iter().find(|(f, _)| f.contains(&called))?;
    let free = names.iter().copied().filter(|n| keyword(call, n).is_none());
    let singular = |n: &&&str| {
        n.strip_suffix('s') == Some(argument) || argument.strip_suffix('s') == Some(**n)
    };
    let near = only(names.iter().filter(singular))
        .copied()
        .or_else(|| closest(argument, free.clone()))
        // `separator` is `sep`.
        .or_else(|| only(free.filter(|n| n.len() > 2 && argument.starts_with(n))))?;
    rename(
        case,
        spot,
        k,
        near,
        Basis::Assumed,
        format!("`{called}` has no `{argument}`; `{near}` is the nearest that it takes."),
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    fn at(cells: &[&str], function: &str, argument: &str) -> String {
        let line = cells[cells.len() - 1].lines().next().unwrap_or("");
        let count = i64::try_from(cells.len()).unwrap_or(0);
        let message = format!("{function}() got an unexpected keyword argument '{argument}'");
        repaired(cells, &ipython("TypeError", &[(count, 1, line)], &message))
    }

    #[test]
    fn a_misspelt_argument_of_a_builtin_is_replaced() {
        let said = |cell: &str, message: &str| {
            repaired(&[cell], &ipython("TypeError", &[(1, 1, cell)], message))
        };
        assert_eq!(
            said(
                "best = sorted(pairs, key=size, reversed=True)",
                "'reversed' is an invalid keyword argument for sort()"
            ),
            "best = sorted(pairs, key=size, reverse=True)"
        );
        assert_eq!(
            said(
                "print(a, b, seperator='')",
                "'seperator' is an invalid keyword argument for print()"
            ),
            "print(a, b, sep='')"
        );
    }

    #[test]
    fn a_removed_argument_is_replaced() {
        let sk = "from sklearn.metrics import mean_squared_error\nfrom sklearn.preprocessing import OneHotEncoder\nimport pandas as pd\nfrom sklearn.linear_model import Lasso";
        for (line, function, argument, after) in [
            (
                "r = mean_squared_error(a, b, squared=False)",
                "got",
                "squared",
                "r = mean_squared_error(a, b) ** 0.5",
            ),
            (
                "e = OneHotEncoder(sparse=False)",
                "OneHotEncoder.__init__",
                "sparse",
                "e = OneHotEncoder(sparse_output=False)",
            ),
            (
                "m = Lasso(alpha=2, normalize=True)",
                "Lasso.__init__",
                "normalize",
                "m = Lasso(alpha=2)",
            ),
            (
                "df = pd.read_csv('a', error_bad_lines=False, sep=';')",
                "read_csv",
                "error_bad_lines",
                "df = pd.read_csv('a', on_bad_lines=\"skip\", sep=';')",
            ),
            (
                "d = d.fillna(method='ffill')",
                "NDFrame.fillna",
                "method",
                "d = d.ffill()",
            ),
            (
                "ax = fig.gca(projection='3d')",
                "FigureBase.gca",
                "projection",
                "ax = fig.add_subplot(projection='3d')",
            ),
            (
                "df = pd.read_csv('a', index_cols=0)",
                "read_csv",
                "index_cols",
                "df = pd.read_csv('a', index_col=0)",
            ),
            (
                "df = df.drop(column='a')",
                "DataFrame.drop",
                "column",
                "df = df.drop(columns='a')",
            ),
        ] {
            assert_eq!(at(&[sk, line], function, argument), after, "{line}");
        }
        assert_eq!(
            at(&[sk, "m = Lasso(widgets=3)"], "Lasso.__init__", "widgets"),
            "m = Lasso()"
        );
    }

    #[test]
    fn the_messages_own_suggestion() {
        let line = "show(a, colour='k')";
        let error = ipython(
            "TypeError",
            &[(1, 1, line)],
            "show() got an unexpected keyword argument 'colour'. Did you mean 'color'?",
        );
        assert_eq!(repaired(&[line], &error), "show(a, color='k')");
        assert_eq!(
            at(
                &["def show(a, colour=1):\n    pass", "show(3, color=2)"],
                "show",
                "color"
            ),
            "show(3, colour=2)"
        );
    }

    #[test]
    fn boosted_trees_stop_early_elsewhere() {
        let cells = [
            "m = XGBClassifier(n_estimators=9)",
            "m.fit(X, y, eval_set=[(a, b)], early_stopping_rounds=5)",
        ];
        let error = ipython(
            "TypeError",
            &[(2, 1, cells[1])],
            "XGBClassifier.fit() got an unexpected keyword argument 'early_stopping_rounds'",
        );
        let cures = crate::tests::cures_of(&cells, &error);
        assert_eq!(cures[0].code, "m.fit(X, y, eval_set=[(a, b)])");
        assert_eq!(cures[0].edits.len(), 2);
        let cells = [
            "import lightgbm as lgb\nm = lgb.LGBMRegressor()",
            "m.fit(X, y, early_stopping_rounds=5, verbose=0)",
        ];
        assert_eq!(
            at(&cells, "fit", "early_stopping_rounds"),
            "m.fit(X, y, callbacks=[lgb.early_stopping(5)])"
        );
    }
}
