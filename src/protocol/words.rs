//! Words with a fixed meaning.

use serde::{Deserialize, Serialize};

/// Declares an enum of words. A word that this version doesn't know reads as `Unknown`: a sensor may
/// be newer than the engine, and front ends spell some of them with capitals.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        #[serde(from = "String")]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant,)+
            /// A word that this version doesn't know.
            #[default]
            #[serde(rename = "unknown")]
            Unknown,
        }

        impl $name {
            /// The word.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                    $name::Unknown => "unknown",
                }
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> $name {
                word.as_str().into()
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> $name {
                $(if word.eq_ignore_ascii_case($word) {
                    return $name::$variant;
                })+
                $name::Unknown
            }
        }
    )+};
}

words! {
    /// What a cell is doing.
    CellState {
        /// Not running, as far as is known.
        Idle = "idle",
        /// Waiting for its turn.
        Pending = "pending",
        /// Running.
        Running = "running",
        /// Ended without an error.
        Done = "done",
        /// Ended with an error.
        Error = "error",
        /// Edited since it ran.
        Stale = "stale",
    }

    /// What an output is.
    OutputKind {
        /// Printed text.
        Stream = "stream",
        /// An exception.
        Error = "error",
        /// The cell's value.
        Result = "result",
        /// HTML, an image, a widget.
        Rich = "rich",
    }

    /// How a notice is shown.
    NoticeKind {
        /// A toast or snackbar.
        Toast = "toast",
        /// A dialog.
        Dialog = "dialog",
        /// A banner.
        Banner = "banner",
    }

    /// The kernel's status, as the front end shows it.
    KernelStatus {
        /// Nothing runs.
        Idle = "idle",
        /// A cell runs.
        Busy = "busy",
        /// The kernel is starting.
        Starting = "starting",
        /// The person asked for a restart.
        Restarting = "restarting",
        /// The kernel died and is being started again.
        Autorestarting = "autorestarting",
        /// The kernel died.
        Dead = "dead",
        /// The front end is connecting to the kernel.
        Connecting = "connecting",
        /// The front end lost the kernel.
        Disconnected = "disconnected",
    }

    /// The page's colour scheme.
    Theme {
        /// Dark text on a light page.
        Light = "light",
        /// Light text on a dark page.
        Dark = "dark",
    }

    /// What the person asks for.
    ActKind {
        /// Take a card away until its cell runs again.
        Dismiss = "dismiss",
        /// Never show a diagnosis, or anything of a cell.
        Mute = "mute",
        /// Undo a mute.
        Unmute = "unmute",
    }
}
