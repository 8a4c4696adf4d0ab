//! What is redacted: one entry per kind, with the examples that are its tests.

/// What may precede a literal.
#[derive(Clone, Copy)]
pub(super) enum Before {
    /// Anything.
    Anything,
    /// No letter, digit, `_`, `-` or `.`: the literal begins a word.
    NoWord,
    /// Characters that belong to the match.
    Run(fn(char) -> bool),
}

/// A secret must end within this many bytes after its literal.
pub(super) const WINDOW: usize = 512;

/// A kind of secret or personal data.
pub struct Kind {
    /// Its name in reports. Several entries may share one.
    pub name: &'static str,
    /// Literals in lower case; a match contains one of them, in upper or lower case.
    pub literals: &'static [&'static str],
    /// The pattern, from the literal on (or from the run before it). The first group, if any, is
    /// the redacted part.
    pub pattern: &'static str,
    /// Texts in which it is found, each with the part that must be redacted. `¤` is not part of
    /// them: it keeps scanners of this repository from taking an example for a real key.
    #[cfg(test)]
    pub yes: &'static [(&'static str, &'static str)],
    /// Texts in which nothing is found.
    #[cfg(test)]
    pub no: &'static [&'static str],
    pub(super) before: Before,
    /// One of these characters follows the literal within so many bytes; empty: anything may. Most
    /// literals are in words like "tokenizer" and plain addresses, and compiling a pattern takes long.
    pub(super) then: (&'static [char], usize),
    /// It may be longer than half a KiB.
    pub(super) long: bool,
    /// A final check of the matched text.
    pub(super) is_secret: fn(&str) -> bool,
}

fn always(_: &str) -> bool {
    true
}

/// Contains both letters and digits, so it is neither a word nor a number.
fn mixed(s: &str) -> bool {
    s.bytes().any(|b| b.is_ascii_digit()) && s.bytes().any(|b| b.is_ascii_alphabetic())
}

/// Contains letters and digits in an order that nobody would write.
fn random(s: &str) -> bool {
    mixed(s) && !is_expression(s) && entropy(s) >= 3.2
}

fn password(s: &str) -> bool {
    let plain = s.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    !plain && !is_expression(s) && !s.starts_with(['/', '[', '{', '$', '<'])
}

/// Code that reads a value from elsewhere.
fn is_expression(s: &str) -> bool {
    s.contains('(') || s.starts_with("os.") || s.starts_with("self.") || s.starts_with("[redacted")
}

/// Shannon entropy in bits per character.
fn entropy(s: &str) -> f64 {
    let mut counts = [0u32; 256];
    for b in s.bytes() {
        counts[usize::from(b)] += 1;
    }
    let n = s.len() as f64;
    let share = |c: &u32| f64::from(*c) / n;
    counts
        .iter()
        .filter(|c| **c > 0)
        .map(|c| -share(c) * share(c).log2())
        .sum()
}

fn mail(s: &str) -> bool {
    !s.starts_with("git@")
}

/// Whether a user name identifies a person: default names of machines don't.
fn person(s: &str) -> bool {
    !matches!(
        s.to_ascii_lowercase().as_str(),
        "jovyan"
            | "user"
            | "ubuntu"
            | "root"
            | "runner"
            | "shared"
            | "public"
            | "default"
            | "colab"
    )
}

fn is_scheme(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-')
}

fn is_local(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-')
}

/// All kinds. Of two overlapping matches, the one that begins first counts; if they begin together,
/// the kind listed first here: narrow kinds come before general ones.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "hugging-face",
        literals: &["hf_", "api_org_"],
        pattern: "^(?:hf|api_org)_[A-Za-z0-9]{30,64}",
        #[cfg(test)] yes: &[("key hf_¤aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH end", "hf_¤aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH")],
        #[cfg(test)] no: &["hf_hub_download(repo_id)", "shf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "anthropic",
        literals: &["sk-ant-"],
        pattern: "^sk-ant-[A-Za-z0-9_-]{20,200}",
        #[cfg(test)] yes: &[("key sk-ant-¤api03-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4E5f6G7h8I9j0K1l2M3n4 end", "sk-ant-¤api03-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4E5f6G7h8I9j0K1l2M3n4")],
        #[cfg(test)] no: &["sk-ant-hill"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "openai",
        literals: &["sk-"],
        pattern: "^sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{32,220}",
        #[cfg(test)] yes: &[("key sk-¤proj-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4 end", "sk-¤proj-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4"), ("key sk-¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4 end", "sk-¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4")],
        #[cfg(test)] no: &["sk-learn and sk-image-features-of-the-day", "task-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: mixed,
    },
    Kind {
        name: "google-key",
        literals: &["aiza"],
        pattern: "^AIza[A-Za-z0-9_-]{35}",
        #[cfg(test)] yes: &[("key AIza¤SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q end", "AIza¤SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q")],
        #[cfg(test)] no: &["AIzawa is a name", "xAIzaA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "google-oauth",
        literals: &["ya29.", "gocspx-", "1//0"],
        pattern: r#"^(?:ya29\.[A-Za-z0-9_-]{20,300}|GOCSPX-[A-Za-z0-9_-]{20,40}|1//0[A-Za-z0-9_-]{30,200})"#,
        #[cfg(test)] yes: &[("key ya29.¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4 end", "ya29.¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4"), ("key GOCSPX-¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4 end", "GOCSPX-¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4")],
        #[cfg(test)] no: &["1//0 is a division"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "aws-key-id",
        literals: &["akia", "asia", "aroa", "aida"],
        pattern: "^(?:AKIA|ASIA|AROA|AIDA)[A-Z2-7]{16}",
        #[cfg(test)] yes: &[("key AKIA¤IOSFODNN7EXAMPLQ end", "AKIA¤IOSFODNN7EXAMPLQ")],
        #[cfg(test)] no: &["ASIA-PACIFIC", "ASIAN MARKETS AND MORE OF IT"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "aws-secret",
        literals: &["aws_secret_access_key", "secretaccesskey"],
        pattern: r#"(?i)^(?:aws_secret_access_key|secretaccesskey)\\{0,2}["']?\]?\s{0,4}[=:]\s{0,4}\\{0,2}["']?([A-Za-z0-9+/]{40})"#,
        #[cfg(test)] yes: &[("AWS_SECRET_ACCESS_KEY = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0'", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0")],
        #[cfg(test)] no: &["aws_secret_access_key=None"],
        before: Before::Anything,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "github",
        literals: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        pattern: "^(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})",
        #[cfg(test)] yes: &[("key ghp_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 end", "ghp_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"), ("key github_pat_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4 end", "github_pat_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4")],
        #[cfg(test)] no: &["ghp_short"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "gitlab",
        literals: &["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"],
        pattern: "^gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_.-]{20,120}",
        #[cfg(test)] yes: &[("key glpat-¤A1b2C3d4E5f6G7h8I9j0 end", "glpat-¤A1b2C3d4E5f6G7h8I9j0")],
        #[cfg(test)] no: &["glpat-short"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "kaggle",
        literals: &["kgat_", r#""key""#, r#""key\"#],
        pattern: r#"^(?:KGAT_[A-Za-z0-9]{24,64}|"key\\{0,2}"\s{0,2}:\s{0,2}\\{0,2}"([0-9a-f]{32}))"#,
        #[cfg(test)] yes: &[("key KGAT_¤0f1e2d3c4b5a69788796a5b4c3d2e1f0 end", "KGAT_¤0f1e2d3c4b5a69788796a5b4c3d2e1f0"), (r#"{"username":"ada","key":"0f1e2d3c4b5a69788796a5b4c3d2e1f0"}"#, "0f1e2d3c4b5a69788796a5b4c3d2e1f0"), (r#"repr "{\"key\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0\"}""#, "0f1e2d3c4b5a69788796a5b4c3d2e1f0")],
        #[cfg(test)] no: &[r#"{"key": "value"}"#, r#""hash": "0f1e2d3c4b5a69788796a5b4c3d2e1f0""#],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "wandb",
        literals: &["wandb_v1_", "wandb login", "wandb.login", "api.wandb.ai"],
        pattern: r#"^(?:wandb_v1_[A-Za-z0-9_]{30,120}|wandb login (?:--\S{1,20} ){0,3}([0-9a-f]{40})|wandb\.login\(key=["']([0-9a-f]{40})|api\.wandb\.ai\s{1,4}login\s{1,4}\S{1,40}\s{1,4}password\s{1,4}([0-9a-f]{40}))"#,
        #[cfg(test)] yes: &[("wandb login 0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c", "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"), (r#"wandb.login(key="0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c")"#, "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c")],
        #[cfg(test)] no: &["wandb: run at https://wandb.ai/a/b/runs/1a2b3c4d", "wandb login ok"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "slack",
        literals: &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-", "hooks.slack.com/services/"],
        pattern: r#"^(?:xox[abprs]-[A-Za-z0-9-]{10,250}|xapp-[A-Za-z0-9-]{20,250}|hooks\.slack\.com/services/([A-Za-z0-9/_-]{20,100}))"#,
        #[cfg(test)] yes: &[("key xoxb-¤1234567890-A1b2C3d4E5f6G7h8I9j0K1l2 end", "xoxb-¤1234567890-A1b2C3d4E5f6G7h8I9j0K1l2"), ("https://hooks.slack.com/services/¤T0AB/B0CD/A1b2C3d4E5f6G7h8I9j0K1l2", "T0AB/B0CD/A1b2C3d4E5f6G7h8I9j0K1l2")],
        #[cfg(test)] no: &["xoxb-"],
        before: Before::Anything,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "stripe",
        literals: &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "pk_live_", "whsec_"],
        pattern: "^(?:[srp]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,120}",
        #[cfg(test)] yes: &[("key sk_live_¤A1b2C3d4E5f6G7h8I9j0K1l2 end", "sk_live_¤A1b2C3d4E5f6G7h8I9j0K1l2"), ("key whsec_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6 end", "whsec_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6")],
        #[cfg(test)] no: &["sk_test_case_one", "whsec_x"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "private-key",
        literals: &["-----begin"],
        pattern: r#"^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\,:]*(?:-----END [A-Z0-9 ]{0,30}-----)?"#,
        #[cfg(test)] yes: &[("-----BEGIN ¤RSA PRIVATE KEY-----\nA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4E5f6\nA1b2C3d4E5f6G7h8I9j0==\n-----END RSA PRIVATE KEY-----", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4E5f6")],
        #[cfg(test)] no: &["-----BEGIN CERTIFICATE-----\nMIIB"],
        before: Before::Anything,
        then: (&[], 0),
        long: true,
        is_secret: always,
    },
    Kind {
        name: "jwt",
        literals: &["eyj"],
        pattern: r#"^eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{0,1000}"#,
        #[cfg(test)] yes: &[("key eyJ¤hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v end", "eyJ¤hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v")],
        #[cfg(test)] no: &["eyJhIjoxfQ==", "image/png;base64,iVBOeyJA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9"],
        before: Before::NoWord,
        then: (&[], 0),
        long: true,
        is_secret: always,
    },
    Kind {
        name: "url-credentials",
        literals: &["://"],
        pattern: r#"^[A-Za-z][A-Za-z0-9+.-]{0,20}://([^\s/@:"'<>]{0,100}:[^\s/@"'<>]{1,200})@[^\s@]"#,
        #[cfg(test)] yes: &[("postgres://ada:s3cr3t@db:5432/x", "ada:s3cr3t"), ("https://oauth2:abc@github.com/x.git", "oauth2:abc")],
        #[cfg(test)] no: &["https://localhost:8888/lab?x=@y", "http://a.org/b:c@d"],
        before: Before::Run(is_scheme),
        then: (&['@'], WINDOW),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "authorization",
        literals: &["authorization", "bearer "],
        pattern: r#"(?i)^(?:(?:proxy-)?authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token|digest|apikey)\s{1,3})?|bearer\s{1,3})([A-Za-z0-9._~+/=-]{12,400})"#,
        #[cfg(test)] yes: &[("Authorization: Bearer A1b2C3d4E5f6G7h8I9j0K1l2", "A1b2C3d4E5f6G7h8I9j0K1l2"), ("{'authorization': 'Basic YWRhOnMzY3JldHM='}", "YWRhOnMzY3JldHM="), ("-H 'bearer A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5'", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5")],
        #[cfg(test)] no: &["authorization: required", "bearer authentication_is_needed"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: mixed,
    },
    Kind {
        name: "e-mail",
        literals: &["@"],
        pattern: r#"^([A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,6}(?:com|org|net|edu|gov|mil|int|info|io|ai|dev|app|cloud|eu|[a-z]{2}))(?:$|[^A-Za-z0-9_(.-]|\.(?:\s|$|(?:csv|tsv|json|txt|log|ipynb|pdf|zip|pkl|npy|xlsx|parquet)\b))"#,
        #[cfg(test)] yes: &[("mail ada.l@uni-x.ac.uk now", "ada.l@uni-x.ac.uk"), ("read ada.l@example.org.csv", "ada.l@example.org"), ("<ada@example.com>", "ada@example.com")],
        #[cfg(test)] no: &["x@y.mean(0)", "q @ k.transpose", "W@x.to(device)", "@torch.no_grad()", "numpy@1.26.4", "git@github.com:a/b.git", "weights@v2.bin"],
        before: Before::Run(is_local),
        then: (&[], 0),
        long: false,
        is_secret: mail,
    },
    Kind {
        name: "user-name",
        literals: &["/home/", "/users/"],
        pattern: "^/(?:home|Users)/([A-Za-z0-9._-]{1,64})",
        #[cfg(test)] yes: &[(r#"File "/home/ada/x.py""#, "/home/ada"), ("/Users/ada.l/miniconda3/lib", "ada.l"), ("file:///home/ada/a", "/home/ada")],
        #[cfg(test)] no: &["/home/jovyan/work", "/content/home/x", "https://a.org/home/page", "/Users/Shared/x"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: person,
    },
    Kind {
        name: "user-name",
        literals: &[r#"\users\"#, r#"\\users\\"#, "c:/users/"],
        pattern: r#"(?i)^(?:\\{1,2}Users\\{1,2}|C:/Users/)([^\\/:*?"<>|\r\n]{1,64})[\\/]"#,
        #[cfg(test)] yes: &[(r#"C:\Users\Ada L\x.py"#, "Ada L"), (r#"'C:\\Users\\ada\\x'"#, r#"ada\"#)],
        #[cfg(test)] no: &[r#"C:\Users\Public\x"#],
        before: Before::Anything,
        then: (&[], 0),
        long: false,
        is_secret: person,
    },
    Kind {
        name: "drive-id",
        literals: &["drive.google.com/", "docs.google.com/", "colab.research.google.com/drive/", ".shortcut-targets-by-id/", "gdown"],
        pattern: r#"^(?:(?:drive|docs)\.google\.com/[A-Za-z0-9/_.?=&-]{0,60}?(?:/d/|/folders/|[?&]id=)|colab\.research\.google\.com/drive/|\.shortcut-targets-by-id/|gdown (?:--\S{1,20} ){0,4})([A-Za-z0-9_-]{25,60})"#,
        #[cfg(test)] yes: &[("https://drive.google.com/file/d/A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q/view", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"), ("https://drive.google.com/uc?id=A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"), ("https://colab.research.google.com/drive/A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"), ("!gdown --id A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q")],
        #[cfg(test)] no: &["https://drive.google.com/drive/my-drive", "gdown --fuzzy"],
        before: Before::Anything,
        then: (&[], 0),
        long: false,
        is_secret: mixed,
    },
    Kind {
        name: "npm",
        literals: &["npm_"],
        pattern: "^npm_[A-Za-z0-9]{36}",
        #[cfg(test)] yes: &[("key npm_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 end", "npm_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")],
        #[cfg(test)] no: &["npm_config_cache"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "pypi",
        literals: &["pypi-"],
        pattern: "^pypi-[A-Za-z0-9_-]{50,300}",
        #[cfg(test)] yes: &[("key pypi-¤AgEIcHlwaS5vcmcA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4 end", "pypi-¤AgEIcHlwaS5vcmcA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4")],
        #[cfg(test)] no: &["pypi-server"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "databricks",
        literals: &["dapi"],
        pattern: r#"^dapi[0-9a-f]{32}(?:-\d)?"#,
        #[cfg(test)] yes: &[("key dapi¤0f1e2d3c4b5a69788796a5b4c3d2e1f0 end", "dapi¤0f1e2d3c4b5a69788796a5b4c3d2e1f0")],
        #[cfg(test)] no: &["dapixyz"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "replicate",
        literals: &["r8_"],
        pattern: "^r8_[A-Za-z0-9]{37}",
        #[cfg(test)] yes: &[("key r8_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S end", "r8_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S")],
        #[cfg(test)] no: &["r8_x"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "digitalocean",
        literals: &["dop_v1_", "doo_v1_"],
        pattern: "^do[op]_v1_[0-9a-f]{64}",
        #[cfg(test)] yes: &[("key dop_v1_¤0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0 end", "dop_v1_¤0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0")],
        #[cfg(test)] no: &["dop_v1_x"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "sendgrid",
        literals: &["sg."],
        pattern: r#"^SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}"#,
        #[cfg(test)] yes: &[("key SG.¤A1b2C3d4E5f6G7h8I9j0K1.A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v end", "SG.¤A1b2C3d4E5f6G7h8I9j0K1.A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v")],
        #[cfg(test)] no: &["SG. of the"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "groq",
        literals: &["gsk_"],
        pattern: "^gsk_[A-Za-z0-9]{40,60}",
        #[cfg(test)] yes: &[("key gsk_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6 end", "gsk_¤A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6")],
        #[cfg(test)] no: &["gsk_x"],
        before: Before::NoWord,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "discord",
        literals: &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        pattern: r#"^discord(?:app)?\.com/api/webhooks/(\d{10,25}/[A-Za-z0-9_-]{30,100})"#,
        #[cfg(test)] yes: &[("https://discord.com/api/webhooks/123456789012345678/A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4")],
        #[cfg(test)] no: &["https://discord.com/api/webhooks/"],
        before: Before::Anything,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "telegram",
        literals: &["api.telegram.org/bot"],
        pattern: r#"^api\.telegram\.org/bot(\d{6,12}:[A-Za-z0-9_-]{30,40})"#,
        #[cfg(test)] yes: &[("https://api.telegram.org/bot123456789:A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r/sendMessage", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r")],
        #[cfg(test)] no: &["https://api.telegram.org/bots"],
        before: Before::Anything,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "azure",
        literals: &["accountkey=", "sharedaccesssignature", "sig="],
        pattern: "^(?:AccountKey=([A-Za-z0-9+/=]{40,100})|sig=([A-Za-z0-9%+/=]{40,120}))",
        #[cfg(test)] yes: &[("AccountKey=A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7==", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5z6A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7"), ("?sv=2024&sig=A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2%3D", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2")],
        #[cfg(test)] no: &["sig=0.5", "AccountKey=x"],
        before: Before::Anything,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "jupyter-token",
        literals: &["?token=", "&token="],
        pattern: "^[?&]token=([0-9a-f]{32,64})",
        #[cfg(test)] yes: &[("http://localhost:8888/lab?token=0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978", "0f1e2d3c4b5a69788796a5b4c3d2e1f0")],
        #[cfg(test)] no: &["?token=next"],
        before: Before::Anything,
        then: (&[], 0),
        long: false,
        is_secret: always,
    },
    Kind {
        name: "assigned-secret",
        literals: &["token", "secret", "api_key", "apikey", "api-key", "access_key", "accesskey", "account_key", "accountkey", "private_key", "auth_key", "client_key", "credential"],
        pattern: r#"(?i)^(?:token|secret|api[_-]?key|access_?key|account_?key|private_key|auth_key|client_key|credential)s?(?:_(?:key|id|value|access_key|token))?\\{0,2}["']?\]?\s{0,4}(?:=|:|=>)\s{0,4}\\{0,2}["']?([A-Za-z0-9+/_.~!@#$%^*-]{12,300}={0,2})"#,
        #[cfg(test)] yes: &[("MY_TOKEN = 'A1b2C3d4E5f6G7h8I9j0K1l2'", "A1b2C3d4E5f6G7h8I9j0K1l2"), (r#""{\"client_secret\": \"A1b2C3d4E5f6G7h8I9j0K1l2M3n4O6\"}""#, "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O6"), (r#"{"client_secret": "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5"}"#, "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5"), ("export OPENAI_API_KEY=a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6", "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6"), ("os.environ['COMET_API_KEY'] = 'a1b2c3d4e5f6g7h8i9j0k1l2m'", "a1b2c3d4e5f6g7h8i9j0k1l2m")],
        #[cfg(test)] no: &["token = tokenizer.eos_token_id", "max_tokens: 512", "secret_key = os.environ['X']", "num_tokens=123456789012345", "token: tensor([101, 2023])", "token_type_ids=token_type_ids_for_model", "pad_token='<pad>'", "api_key=YOUR_API_KEY_GOES_HERE"],
        before: Before::Anything,
        then: (&['=', ':'], 32),
        long: false,
        is_secret: random,
    },
    Kind {
        name: "password",
        literals: &["password", "passwd", "passphrase", "pwd"],
        pattern: r#"(?i)^(?:password|passwd|passphrase|pwd)\\{0,2}["']?\]?\s{0,4}(?:=|:|=>)\s{0,4}\\{0,2}["']?([^\s"',;)\]}\\]{6,200})"#,
        #[cfg(test)] yes: &[("password='hunter2-x'", "hunter2-x"), ("DB_PASSWORD: Tr0ub4dor&3", "Tr0ub4dor&3"), (r#""pwd":"a1b2c3d4""#, "a1b2c3d4"), (r#"\"pwd\":\"b1b2c3d4\""#, "b1b2c3d4")],
        #[cfg(test)] no: &["password: required", "password=getpass.getpass()", "pwd: /content", "password = password", "passwd = None"],
        before: Before::Anything,
        then: (&['=', ':'], 32),
        long: false,
        is_secret: password,
    },
];
