//! `nbmedic`: the engine as a command line, and what it does as functions, for the Python package.

mod cells;
mod death;
mod examples;
mod fix;
mod format;
mod forms;
pub mod functions;
mod input;
mod judge;
mod out;
mod outcome;
mod page;
mod print;
mod redact;
mod replay;
mod reports;
mod score;
mod stream;
mod terminal;
mod triage;
mod walk;

use clap::{CommandFactory, Parser, Subcommand};
use fix::{FixFormat, Least};
use format::{Format, ListFormat};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Explains why a notebook failed and what to do about it.
///
/// Sends nothing anywhere: all work happens on this machine. `nbmedic PATH…` is `nbmedic triage PATH…`.
#[derive(Parser)]
#[command(name = "nbmedic", version, arg_required_else_help = true, after_help = examples::ALL)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reads notebooks, logs and saved outputs and names what went wrong
    ///
    /// Text and JSON quote the input as it is, with any secret in it; with --redact, and in reports (Markdown, HTML, GitHub, SARIF, JUnit) always, secrets and
    /// personal data are taken out, of error messages too: what an input shows in one place goes from all. With --redact, text
    /// is printed at the end of each input. Inputs may be compressed with gzip. A log of any length is read to its end.
    ///
    /// In a folder, the files that end in .ipynb, .log, .txt and .out are read, but none that a .gitignore or .ignore names; one that
    /// can't be read is a warning.
    ///
    /// Exit status: 0 nothing wrong found, 1 at least one diagnosis, 2 an input could not be read.
    #[command(after_help = examples::TRIAGE)]
    Triage {
        /// Notebooks (.ipynb), logs, saved outputs or folders; `-` is standard input
        #[arg(default_value = "-")]
        paths: Vec<PathBuf>,
        /// How to print
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
        /// Take secrets and personal data out of text and JSON too
        #[arg(long)]
        redact: bool,
        /// Also show which rules were tried, matched and lost, and why
        #[arg(long)]
        why: bool,
    },
    /// Follows a log that grows and names each new failure once
    ///
    /// The file need not be there yet; when it is rotated or truncated, the new one is followed. Ctrl+C ends it, with how often
    /// each failure was there.
    ///
    /// Exit status: 130 ended by Ctrl+C, 2 the file could not be read.
    #[command(after_help = examples::WATCH)]
    Watch {
        /// The log
        log: PathBuf,
    },
    /// Shows the repair of each failing cell, or writes it into the notebook
    ///
    /// Runs no cell. Exit status: 0 nothing to repair, or every repair is shown or written; 1 a failure has no repair,
    /// or with --write it was not written; 2 the notebook could not be read or written.
    #[command(after_help = examples::FIX)]
    Fix {
        /// The notebook (.ipynb), with the outputs of its run
        notebook: PathBuf,
        /// Show the differences (this is the default without --write)
        #[arg(long)]
        diff: bool,
        /// Write the repairs; the notebook as it was is kept beside it (NOTEBOOK.bak)
        #[arg(long)]
        write: bool,
        /// How sure a repair must be to be written
        #[arg(long, value_enum, default_value = "sure")]
        applicability: Least,
        /// How to print
        #[arg(long, value_enum, default_value = "text")]
        format: FixFormat,
    },
    /// Tells how a notebook's kernel died, in order of time
    ///
    /// Joins the flight record that the probe wrote (the folder nbmedic-flight), the notebook, and the logs beside them:
    /// Jupyter's server, Colab's runtime logs (the table as CSV, app.log), Kaggle's log of a run, the system's log (dmesg,
    /// journalctl -k), docker events, docker inspect and kubectl describe. Secrets and personal data are taken out.
    ///
    /// Exit status: 0 the kernel ended without an error, 1 it died, 2 nothing there says anything of a kernel.
    #[command(after_help = examples::DEATH)]
    Death {
        /// Folders with them, or the files
        #[arg(default_value = ".")]
        paths: Vec<PathBuf>,
        /// How to print
        #[arg(long, value_enum, default_value = "text")]
        format: ListFormat,
        /// The time zone of logs that name none, such as Europe/Paris; this machine's own if none is given
        #[arg(long, value_name = "ZONE")]
        zone: Option<String>,
    },
    /// Prints a text without secrets and personal data
    ///
    /// Each one becomes [redacted-KIND], wherever it occurs, whole, wrapped or in pieces. A file of any length is read twice: what
    /// its end shows to be a secret goes from its beginning, too. Standard input is read once, and printed as it comes. The
    /// text may be compressed with gzip.
    ///
    /// Exit status: 0 the text was printed, 2 it could not be read.
    #[command(after_help = examples::REDACT)]
    Redact {
        /// The text, a log or a notebook; `-` is standard input
        #[arg(default_value = "-")]
        file: PathBuf,
    },
    /// Prints a diagnosis in full
    #[command(after_help = examples::EXPLAIN)]
    Explain {
        /// The diagnosis, for example gpu-oom
        id: String,
    },
    /// Lists the diagnoses
    #[command(after_help = examples::RULES)]
    Rules {
        /// How to print
        #[arg(long, value_enum, default_value = "text")]
        format: ListFormat,
    },
    /// Replays a recorded event log (JSON Lines) and prints the cards
    #[command(after_help = examples::REPLAY)]
    Replay {
        /// The event log; `-` is standard input
        file: PathBuf,
    },
    /// Scores labelled cases (JSON Lines: id, label, also, text, facts) in a folder
    #[command(after_help = examples::SCORE)]
    Score {
        /// The folder
        dir: PathBuf,
        /// Print every case that is wrong
        #[arg(long)]
        misses: bool,
        /// Score what is right as printed in each form in which people hand on a text: quoted, wrapped, logged
        ///
        /// Exit status: 1 if a form keeps less than its goal.
        #[arg(long)]
        forms: bool,
    },
    /// Prints the completions for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Writes the manual pages, one for each command
    #[command(after_help = examples::MANUAL)]
    Manual {
        /// The folder; created if it is missing
        dir: PathBuf,
    },
}

/// Runs a command line, program name first, and returns the exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(with_command(arguments.into_iter().collect())) {
        Ok(cli) => cli,
        Err(e) => return usage(&e),
    };
    let result = match cli.command {
        Command::Triage {
            paths,
            format,
            redact,
            why,
        } => triage::run(&triage::Asked {
            paths,
            format,
            redact,
            why,
            follow: false,
        }),
        Command::Watch { log } => {
            out::complain_as_is(&format!(
                "watching {}; end with Ctrl+C\n",
                out::shown(&log.display().to_string())
            ));
            triage::run(&triage::Asked {
                paths: vec![log],
                format: Format::Text,
                redact: false,
                why: false,
                follow: true,
            })
        }
        Command::Fix {
            notebook: path,
            diff,
            write,
            applicability: least,
            format,
        } => fix::run(&fix::Asked {
            path,
            diff,
            write,
            least,
            format,
        }),
        Command::Death {
            paths,
            format,
            zone,
        } => death::run(&death::Asked {
            paths,
            format,
            zone,
        }),
        Command::Redact { file } => redact::run(&file),
        Command::Explain { id } => page::explain(&id),
        Command::Rules { format } => page::rules(format),
        Command::Replay { file } => replay::run(&file),
        Command::Score {
            dir,
            misses,
            forms: true,
        } => score::forms(&dir, misses),
        Command::Score { dir, misses, .. } => score::run(&dir, misses),
        Command::Completions { shell } => {
            out::bytes(&completions(shell));
            Ok(0)
        }
        Command::Manual { dir } => manual(&dir),
    };
    match result {
        Ok(code) => {
            out::flush();
            code
        }
        Err(message) => {
            out::flush();
            out::complain(&message);
            2
        }
    }
}

/// The arguments with `triage` before a first one that is a path and no command.
fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let Some(first) = arguments.get(1) else {
        return arguments;
    };
    let text = first.to_string_lossy();
    let is_command = || {
        text == "help"
            || Cli::command()
                .get_subcommands()
                .any(|c| c.get_name() == text)
    };
    // A path that is not there is one too: the complaint should be about the file.
    let is_path = || text.contains(['.', '/', '\\']) || Path::new(first).exists();
    if text == "-" || (!text.starts_with('-') && !is_command() && is_path()) {
        arguments.insert(1, "triage".into());
    }
    arguments
}

fn completions(shell: clap_complete::Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "nbmedic", &mut script);
    script
}

/// One page for the command and one for each subcommand.
fn manual(dir: &Path) -> Result<u8, String> {
    std::fs::create_dir_all(dir)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), dir))
        .map_err(|e| {
            let why = out::reason(&e);
            format!("can't write manual pages to {}: {why}", dir.display())
        })?;
    Ok(0)
}

/// Help and the version go to standard output; what is wrong with the arguments, which may be anybody's, to standard error.
fn usage(e: &clap::Error) -> u8 {
    let text = e.render();
    if !e.use_stderr() {
        out::print(format_args!("{}", text.ansi()), "");
        out::flush();
        return 0;
    }
    out::complain_as_is(&text.to_string());
    2
}
