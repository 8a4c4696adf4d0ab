//! A few things that a cell does: it ends its kernel, installs packages, saves.

use crate::plain;
use nbmedic_ask::{may_save, Installer, KernelEnd};
use nbmedic_python::ast::visitor::{self, Visitor};
use nbmedic_python::ast::{Alias, Expr, ExprCall, Keyword, Parameter, Stmt};
use nbmedic_python::{calls, name_of, Cell, Ranged};

/// The call with which a cell ends its kernel: the first one that is reached in any case, or the first.
pub(crate) fn ends_kernel(cell: &Cell, installs: bool) -> Option<KernelEnd> {
    let ends = Ends::of(cell);
    let mut found: Option<KernelEnd> = None;
    plain::each(cell.body(), &mut |stmt, is_plain| {
        if found.is_some_and(|f| f.surely || !is_plain) || !ends.by(stmt, is_plain) {
            return;
        }
        found = Some(KernelEnd {
            line: cell.line_of(stmt.start()),
            surely: is_plain,
            last: false,
        });
    });
    let last = ends.last(cell.body()).map(|s| cell.line_of(s.start()));
    // `if on_colab:` before the restart that follows an install.
    if let Some(line) = last.filter(|_| installs && found.is_none_or(|f| !f.surely)) {
        return Some(KernelEnd {
            line,
            surely: true,
            last: true,
        });
    }
    found.map(|f| KernelEnd {
        last: last == Some(f.line),
        ..f
    })
}

/// What ends the kernel in a cell.
struct Ends<'a> {
    cell: &'a Cell,
    /// Names that hold the kernel's process number.
    own: Vec<&'a str>,
    /// Functions of the cell that end the kernel.
    functions: Vec<&'a str>,
}

impl<'a> Ends<'a> {
    fn of(cell: &'a Cell) -> Ends<'a> {
        let mut ends = Ends {
            cell,
            own: Vec::new(),
            functions: Vec::new(),
        };
        nbmedic_python::each_stmt(cell.body(), &mut |stmt| {
            if let Stmt::Assign(a) = stmt {
                if let ([Expr::Name(name)], true) = (&a.targets[..], ends.is_own(&a.value)) {
                    ends.own.push(name.id.as_str());
                }
            }
        });
        let mut functions = Vec::new();
        for stmt in cell.body() {
            if let Stmt::FunctionDef(f) = stmt {
                let mut does = false;
                plain::each(&f.body, &mut |s, is_plain| {
                    does |= is_plain && ends.by(s, true)
                });
                if does {
                    functions.push(f.name.as_str());
                }
            }
        }
        ends.functions = functions;
        ends
    }

    /// The kernel's own process number.
    fn is_own(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(c) => name_of(&c.func)
                .is_some_and(|n| matches!(n.rsplit('.').next(), Some("getpid" | "getpgrp"))),
            Expr::Name(n) => self.own.contains(&n.id.as_str()),
            _ => false,
        }
    }

    /// Whether a statement ends the kernel, apart from the statements in it.
    fn by(&self, stmt: &Stmt, is_plain: bool) -> bool {
        if let Stmt::IpyEscapeCommand(c) = stmt {
            return kills(&c.value);
        }
        let alone = match stmt {
            Stmt::Expr(e) => e.value.as_call_expr().filter(|_| is_plain),
            _ => None,
        };
        let leaves = |c: &ExprCall| match name_of(&c.func).as_deref() {
            Some("exit" | "quit") => true,
            Some(name) => self.functions.contains(&name),
            None => false,
        };
        let mut ends = alone.is_some_and(leaves);
        plain::each_expr(stmt, &mut |e| {
            ends |= e.as_call_expr().is_some_and(|c| self.is_end(c))
        });
        ends
    }

    /// Whether a call ends the kernel.
    fn is_end(&self, call: &ExprCall) -> bool {
        let Expr::Attribute(a) = &*call.func else {
            let name = name_of(&call.func);
            return match name.as_deref() {
                Some("_exit") => true,
                Some("kill") => self.kills_own(call),
                _ => false,
            };
        };
        match a.attr.as_str() {
            "do_shutdown" | "ask_exit" => true,
            "kill" | "killpg" => self.kills_own(call),
            "system" => kills(self.cell.slice(call)),
            _ => matches!(
                name_of(&call.func).as_deref(),
                Some("os._exit" | "os.abort" | "signal.raise_signal" | "condacolab.install")
            ),
        }
    }

    /// A signal to the kernel itself that ends it: neither the check whether it lives nor an interrupt.
    fn kills_own(&self, call: &ExprCall) -> bool {
        let harmless =
            |e: &Expr| matches!(self.cell.slice(e), "0" | "2" | "signal.SIGINT" | "SIGINT");
        let args = &call.arguments.args;
        args.first().is_some_and(|e| self.is_own(e)) && !args.get(1).is_some_and(harmless)
    }

    /// The statement that ends the kernel and after which nothing is left to do.
    fn last<'b>(&self, body: &'b [Stmt]) -> Option<&'b Stmt> {
        let idle = |s: &&Stmt| match s {
            Stmt::Pass(_) => false,
            Stmt::Expr(e) => !e.value.is_string_literal_expr(),
            _ => true,
        };
        let stmt = body.iter().rfind(idle)?;
        if self.by(stmt, true) {
            // A crash is not how anybody restarts a kernel.
            let text = self.cell.slice(stmt);
            let crashes = ["abort", "SIGABRT", "SIGSEGV", "SIGBUS"];
            return Some(stmt).filter(|_| !crashes.iter().any(|c| text.contains(c)));
        }
        match stmt {
            Stmt::With(w) => self.last(&w.body),
            Stmt::If(i) => self
                .last(&i.body)
                .or_else(|| i.elif_else_clauses.iter().find_map(|c| self.last(&c.body))),
            Stmt::Try(t) => {
                let handlers = t.handlers.iter().filter_map(|h| h.as_except_handler());
                self.last(&t.finalbody)
                    .or_else(|| self.last(&t.orelse))
                    .or_else(|| self.last(&t.body))
                    .or_else(|| handlers.map(|h| &h.body).find_map(|b| self.last(b)))
            }
            _ => None,
        }
    }
}

/// Whether a shell command ends the kernel that started it: `kill -9 -1`, `pkill python3`.
fn kills(line: &str) -> bool {
    let words =
        line.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '(' | ')' | '`'));
    let mut command = "";
    let mut signal = false;
    for word in words.filter(|w| !w.is_empty()) {
        let name = word.rsplit('/').next().unwrap_or(word);
        match command {
            "kill" if word == "-1" && signal => return true,
            "kill" if word.contains("getpid") || word.contains("PPID") => return true,
            "kill" if name == "pgrep" || name == "pidof" => command = "pkill",
            "pkill" | "killall"
                if matches!(name, "python" | "python3" | "ipython")
                    || name.starts_with("ipykernel")
                    || name.starts_with("colab_kernel_launcher") =>
            {
                return true
            }
            "" if matches!(name, "kill" | "pkill" | "killall") => command = name,
            _ if matches!(word, ";" | "&&" | "||" | "|") => command = "",
            _ => {}
        }
        signal = word.starts_with('-');
    }
    false
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

pub(crate) fn saves(cell: &Cell) -> bool {
    let mut words = Words(false);
    words.visit_body(cell.body());
    words.0
}

/// Looks for a word in the names and texts of a tree.
struct Words(bool);

impl Words {
    fn see(&mut self, text: &str) {
        self.0 |= may_save(text);
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
            ("from os import _exit\n_exit(0)", Some(2)),
            ("os.kill(os.getpid(), 9)", Some(1)),
            ("import os\npid = os.getpid()\nos.kill(pid, 9)", Some(3)),
            ("from os import *\nkill(getpid(), signal.SIGKILL)", Some(2)),
            ("exit()", Some(1)),
            (
                "IPython.Application.instance().kernel.do_shutdown(True)",
                Some(1),
            ),
            ("get_ipython().kernel.do_shutdown(restart=True)", Some(1)),
            ("get_ipython().ask_exit()", Some(1)),
            ("import condacolab\ncondacolab.install()", Some(2)),
            ("with f() as x:\n    os.abort()", Some(2)),
            ("!kill -9 -1", Some(1)),
            ("!kill -9 {os.getpid()}", Some(1)),
            ("!pip install x\n!sudo pkill -9 python3", Some(2)),
            ("!kill -9 $(pgrep -f ipykernel_launcher)", Some(1)),
            ("os.system('kill -9 -1')", Some(1)),
            ("def again():\n    os._exit(0)\nagain()", Some(3)),
            ("sys.exit()", None),
            ("if x:\n    exit()", None),
            ("later = lambda: os._exit(0)", None),
            ("# os._exit(0)", None),
            ("print('os._exit(0)')", None),
            ("os.kill(worker, 9)", None),
            ("os.kill(os.getpid(), 0)", None),
            ("os.kill(os.getpid(), signal.SIGINT)", None),
            ("!kill -9 4711", None),
            ("!kill -1 4711", None),
            ("!pkill -f train.py", None),
            ("!pkill tensorboard && python train.py", None),
            ("!grep kill python", None),
            ("def kill(python):\n    pass", None),
        ] {
            let found = Reading::of(source).ends_kernel();
            let found = found.map(|e| (e.line, e.surely));
            assert_eq!(found, line.map(|n| (n, true)), "{source}");
        }
        for maybe in [
            "import os\nif lost:\n    os._exit(1)\nos.getpid()",
            "import os\ntry:\n    os._exit(1)\nfinally:\n    pass",
            "import os\ndef end():\n    os._exit(1)",
        ] {
            let found = Reading::of(maybe).ends_kernel().unwrap();
            assert_eq!((found.line, found.surely), (3, false), "{maybe}");
        }
    }

    #[test]
    fn a_restart_at_the_end_of_a_cell() {
        for (source, surely, last) in [
            ("import os\nos._exit(0)", true, true),
            ("os._exit(0)\n# restarted\n'done'\npass", true, true),
            ("os._exit(0)\nprint('never')", true, false),
            ("os.abort()", true, false),
            ("os.kill(os.getpid(), signal.SIGSEGV)", true, false),
            ("import condacolab\ncondacolab.install()", true, true),
            ("if lost:\n    os._exit(1)", false, true),
            ("if lost:\n    os._exit(1)\ntrain()", false, false),
            // An install is what restarts are for.
            ("!pip install x\nif on_colab:\n    os.kill(os.getpid(), 9)", true, true),
            ("%pip install x\nif on_colab:\n    exit()", true, true),
            ("try:\n    import x\nexcept ImportError:\n    !pip install x\n    os._exit(0)", true, true),
            ("try:\n    import condacolab\nexcept ImportError:\n    pass\nelse:\n    condacolab.install()", true, true),
            ("!pip install x\nif lost:\n    os._exit(1)\ntrain()", false, false),
            ("!pip install x\nfor i in y:\n    os._exit(1)", true, false),
            ("!pip install x\ndef end():\n    os._exit(1)", false, false),
        ] {
            let found = Reading::of(source).ends_kernel().unwrap();
            assert_eq!((found.surely, found.last), (surely, last), "{source}");
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
