//! A few things that a cell does: it ends its kernel, installs packages, saves.

use crate::install::Installer;
use crate::plain;
use nbmedic_python::ast::visitor::{self, Visitor};
use nbmedic_python::ast::{Alias, Expr, ExprCall, Keyword, Parameter, Stmt};
use nbmedic_python::{calls, name_of, Cell, Ranged};

/// What a cell that ends its kernel contains.
pub(crate) const ENDS: &[&str] = &[
    "_exit",
    "abort",
    "kill",
    "do_shutdown",
    "condacolab",
    "exit",
    "quit",
];

/// What a cell that installs packages contains.
pub(crate) const INSTALLS: &[&str] = &["install", "update", "upgrade", "add"];

pub(crate) fn ends_kernel(cell: &Cell) -> Option<(u32, bool)> {
    let mut found = None;
    plain::each(cell.body(), &mut |stmt, is_plain| {
        if found.is_some() {
            return;
        }
        let alone = match stmt {
            Stmt::Expr(e) => e.value.as_call_expr().filter(|_| is_plain),
            _ => None,
        };
        let leaves = |c: &ExprCall| matches!(name_of(&c.func).as_deref(), Some("exit" | "quit"));
        let mut ends = alone.is_some_and(leaves);
        plain::each_expr(stmt, &mut |e| ends |= e.as_call_expr().is_some_and(is_end));
        if ends {
            found = Some((cell.line_of(stmt.start()), is_plain));
        }
    });
    found
}

/// Whether a call ends the kernel.
fn is_end(call: &ExprCall) -> bool {
    let own = |e: &Expr| match e {
        Expr::Call(c) => name_of(&c.func).as_deref() == Some("os.getpid"),
        _ => false,
    };
    let name = name_of(&call.func);
    match name.as_deref() {
        Some("os._exit" | "os.abort" | "condacolab.install") => true,
        Some("os.kill") => call.arguments.args.first().is_some_and(own),
        _ => match &*call.func {
            Expr::Attribute(a) => a.attr.as_str() == "do_shutdown",
            _ => false,
        },
    }
}

pub(crate) fn installer(cell: &Cell) -> Option<Installer> {
    let mut found = None;
    let mut shell = |line: &str| {
        found = found.or_else(|| Installer::of(line));
    };
    nbmedic_python::each_stmt(cell.body(), &mut |stmt| {
        if let Stmt::IpyEscapeCommand(c) = stmt {
            shell(&c.value);
        }
    });
    nbmedic_python::each_expr(cell.body(), &mut |expr| {
        if let Expr::IpyEscapeCommand(c) = expr {
            shell(&c.value);
        }
    });
    // `subprocess.run([…, "pip", "install", …])`, `get_ipython().system("pip install …")`.
    for call in calls(cell.body()) {
        let name = cell.slice(&*call.func);
        if name.starts_with("subprocess.") || name == "os.system" || name.starts_with("get_ipython")
        {
            shell(cell.slice(call));
        }
    }
    found
}

/// The installer of a cell that is not Python.
pub(crate) fn shell_installer(source: &str) -> Option<Installer> {
    let source = source.trim_start();
    let shell = ["%%bash", "%%sh", "%%script", "%%system", "%%!"];
    if !shell.iter().any(|s| source.starts_with(s)) {
        return None;
    }
    let mut lines = source.lines().skip(1).take(2000).map(str::trim_start);
    lines.find_map(|line| Installer::of(line).filter(|_| !line.starts_with('#')))
}

/// Parts of names and texts by which a cell writes checkpoints or results.
pub(crate) const SAVES: &[&str] = &[
    "save",
    "dump",
    "to_csv",
    "to_parquet",
    "to_pickle",
    "to_hdf",
    "to_feather",
    "checkpoint",
    "Checkpoint",
    "output_dir",
    "write",
    "push_to_hub",
    "Trainer",
    "callbacks",
];

pub(crate) fn saves(cell: &Cell) -> bool {
    let mut words = Words(false);
    words.visit_body(cell.body());
    words.0
}

/// Looks for a word in the names and texts of a tree.
struct Words(bool);

impl Words {
    fn see(&mut self, text: &str) {
        self.0 |= SAVES.iter().any(|s| text.contains(s));
    }
}

impl<'a> Visitor<'a> for Words {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => self.see(f.name.as_str()),
            Stmt::ClassDef(c) => self.see(c.name.as_str()),
            Stmt::ImportFrom(i) => i.module.iter().for_each(|m| self.see(m.as_str())),
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(n) => self.see(n.id.as_str()),
            Expr::Attribute(a) => self.see(a.attr.as_str()),
            Expr::StringLiteral(s) => self.see(s.value.to_str()),
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_interpolated_string_element(
        &mut self,
        element: &'a nbmedic_python::ast::InterpolatedStringElement,
    ) {
        if let Some(literal) = element.as_literal() {
            self.see(&literal.value);
        }
        visitor::walk_interpolated_string_element(self, element);
    }

    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        keyword.arg.iter().for_each(|a| self.see(a.as_str()));
        visitor::walk_keyword(self, keyword);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.see(parameter.name.as_str());
        visitor::walk_parameter(self, parameter);
    }

    fn visit_alias(&mut self, alias: &'a Alias) {
        self.see(alias.name.as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reading;

    #[test]
    fn calls_that_end_the_kernel() {
        for (source, line) in [
            ("import os\nos._exit(0)", Some(2)),
            ("os.kill(os.getpid(), 9)", Some(1)),
            ("exit()", Some(1)),
            (
                "IPython.Application.instance().kernel.do_shutdown(True)",
                Some(1),
            ),
            ("import condacolab\ncondacolab.install()", Some(2)),
            ("with f() as x:\n    os.abort()", Some(2)),
            ("sys.exit()", None),
            ("if x:\n    exit()", None),
            ("later = lambda: os._exit(0)", None),
            ("# os._exit(0)", None),
            ("print('os._exit(0)')", None),
            ("os.kill(worker, 9)", None),
        ] {
            let found = Reading::of(source).ends_kernel();
            assert_eq!(found, line.map(|n| (n, true)), "{source}");
        }
        for maybe in [
            "import os\nif lost:\n    os._exit(1)\nos.getpid()",
            "import os\ntry:\n    os._exit(1)\nfinally:\n    pass",
            "import os\ndef end():\n    os._exit(1)",
        ] {
            assert_eq!(
                Reading::of(maybe).ends_kernel(),
                Some((3, false)),
                "{maybe}"
            );
        }
    }

    #[test]
    fn installers_and_saves() {
        for (source, found) in [
            ("!pip install -q numpy==1.26", Some(Installer::Pip)),
            ("%pip install x", Some(Installer::Pip)),
            ("!python -m pip install -U x", Some(Installer::Pip)),
            ("!uv pip install x", Some(Installer::Uv)),
            ("%conda install -y x", Some(Installer::Conda)),
            ("!mamba install x", Some(Installer::Conda)),
            ("if colab:\n    out = !pip install x", Some(Installer::Pip)),
            ("%%bash\napt-get -y install x", Some(Installer::Apt)),
            ("!sudo apt install x", Some(Installer::Apt)),
            ("import subprocess, sys\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', 'x'])", Some(Installer::Pip)),
            ("import subprocess, sys\nsubprocess.run([\n    sys.executable, '-m',\n    'pip', 'install', 'x'])", Some(Installer::Pip)),
            ("get_ipython().system('pip install x')", Some(Installer::Pip)),
            ("!pip list", None),
            ("# !pip install x", None),
            ("s = 'pip install x'", None),
            ("%%html\npip install x", None),
        ] {
            assert_eq!(Reading::of(source).installer(), found, "{source}");
        }
        for source in [
            "torch.save(model, p)",
            "Trainer(args, output_dir='x')",
            "open(f'{x}/checkpoint.pt', mode)",
            "from m import save_all",
            "fit(callbacks=c)",
        ] {
            assert!(Reading::of(source).saves(), "{source}");
        }
        assert!(!Reading::of("for x in y:\n    train(x)  # save").saves());
    }
}
