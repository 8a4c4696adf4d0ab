//! Tokens that their first letters give away: a table made from a rule set of the field.

use super::runs::Runs;
use super::value::{entropy, is_masked, is_mixed};
use std::ops::Range;

/// Made by `tools/secret-formats.py`; one line for each format: its kind and its spelling, in which
/// `{w20,40}` stands for 20 to 40 characters of a class.
const TABLE: &str = include_str!("formats/tokens.txt");

/// Formats that the rule set lacks or splits by what surrounds them.
const OWN: &str = "\
openai sk-proj-{b32,4096}
openai sk-svcacct-{b32,4096}
openai sk-admin-{b32,4096}
openai sk-{b32,4096}
anthropic sk-ant-{b20,200}
google-oauth ya29.{b20,4096}
google-oauth gocspx-{b20,40}
google-oauth 1//0{b30,200}
google-key AIza{b35,35}
aws-key-id AROA{u16,16}
aws-key-id AIDA{u16,16}
aws-key-id bedrock-api-key-{a30,4096}
github ghu_{w36,255}
github ghs_{w36,255}
github ghp_{w30,255}
github github_pat_{b22,255}
gitlab glcbt-{b20,120}
hugging-face hf_{w30,64}
hugging-face api_org_{w30,64}
kaggle KGAT_{w24,64}
wandb wandb_v1_{b30,120}
slack xoxb-{b10,4096}
slack xoxp-{b10,4096}
slack xoxa-{b10,4096}
slack xoxr-{b10,4096}
slack xoxs-{b10,4096}
slack xoxo-{b10,4096}
slack xoxe-{b10,4096}
slack xoxe.xoxp-{b10,4096}
slack xoxe.xoxb-{b10,4096}
slack xoxd-{a30,4096}
slack xapp-{b20,4096}
stripe pk_live_{w16,120}
stripe whsec_{s16,120}
sendgrid SG.{p60,80}
replicate r8_{w37,40}
facebook EAACEdEose0cBA{w20,400}
facebook EAAM{w80,400}
sentry sntrys_{s60,4096}_{s40,60}
flyio FlyV1 {s40,4096}
flyio fo1_{b43,43}
flyio fm2_{s100,4096}
pypi pypi-{b50,1000}
mailchimp mc-{h32,32}
shopify shptka_{H32,32}
posthog phs_{w40,60}
fireworks fw_{w22,40}
helicone sk-helicone-{b24,80}
helicone pk-helicone-{b24,80}
google-hmac GOOG1E{u40,60}
scaleway SCW{a17,17}
razorpay rzp_live_{a14,24}
jina jina_{b40,80}
tavily tvly-{b20,80}
tailscale tskey-{b30,80}
firecrawl fc-{h32,32}
netlify nfp_{w36,64}
doppler dp.st.{p40,64}
lambda-cloud secret_{p60,90}
langchain lsv2_{b40,60}
langchain ls__{w24,60}
exa exa_{b20,60}
nomic nk-{b40,60}
deepinfra di_{w30,60}
elevenlabs sk_{h48,48}
vault hvs.{b24,120}
vault hvr.{b24,120}
sonar squ_{h40,40}
sonar sqp_{h40,40}
sonar sqa_{h40,40}
age AGE-PLUGIN-{p30,200}
modal ak-{w22,22}
modal as-{w22,22}
dagshub dhp_{w32,60}
lightning lit_{w30,60}
comet comet_{w30,60}
roboflow rf_{w20,40}
ultralytics ul_{h40,40}
zilliz db_{h64,64}
notion secret_{w43,43}
deepl dl_{w30,60}
airtable pat{w14,14}.{h64,64}
airbyte ab_{w40,60}
cloudflare cfut_{w48,48}
cloudflare cfat_{w48,48}
snyk snyk_uat.{p30,200}
new NRAK-{u27,27}
atlassian ATCTT3{a100,4096}
voyage pa-{b43,43}
sandbox e2b_{h40,40}
crates cio{w32,32}
dbt dbtc_{b36,60}
dbt dbtu_{b30,60}
databricks dose{h32,32}
planet PLAK{h32,32}
mapbox sk.eyJ{p50,400}
vercel vcp_{w24,80}
vercel vci_{w24,80}
vercel vca_{w24,80}
vercel vcr_{w24,80}
vercel vck_{w24,80}
google-key AQ.Ab{b40,120}
neptune eyJhcGlfYWRkcmVzcyI6{s60,4096}
jfrog eyJ2ZXIi{a60,4096}
google-key eyJ0eXBlIjoic2VydmljZV9hY2NvdW50{s40,4096}
google-key eyJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCIs{s40,4096}
google-key ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCIs{s40,4096}
";

/// A token is judged by so many bytes; then all of it goes.
const JUDGED: usize = 160;

/// A format.
#[derive(Debug)]
pub struct Format {
    /// The kind that it belongs to.
    pub kind: &'static str,
    /// Its first letters, as they are written.
    pub start: &'static str,
    /// What is between its parts and in them.
    class: Class,
    /// The rest is at least so long,
    least: usize,
    /// and, where the first letters say little, at most so long.
    most: usize,
    /// Its first letters are in many words too: it must begin and end a word.
    weak: bool,
}

/// Characters that a token consists of.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Class(u16);

const LOWER_HEX: u16 = 1;
const UPPER_HEX: u16 = 2;
const DIGIT: u16 = 4;
const LOWER: u16 = 8;
const UPPER: u16 = 16;
const DASH: u16 = 32;
const DOT: u16 = 64;
const BASE64: u16 = 128;
const REST: u16 = 256;

fn bits(b: u8) -> u16 {
    match b {
        b'0'..=b'9' => DIGIT,
        b'a'..=b'f' => LOWER_HEX,
        b'A'..=b'F' => UPPER_HEX,
        b'g'..=b'z' => LOWER,
        b'G'..=b'Z' => UPPER,
        b'-' | b'_' => DASH,
        b'.' => DOT,
        b'+' | b'/' | b'=' => BASE64,
        b'%' | b'~' | b'!' => REST,
        _ => 0,
    }
}

impl Class {
    fn named(c: char) -> u16 {
        let word = DIGIT | LOWER_HEX | UPPER_HEX | LOWER | UPPER;
        match c {
            'd' => DIGIT,
            'h' => DIGIT | LOWER_HEX,
            'H' => DIGIT | LOWER_HEX | UPPER_HEX,
            'l' => DIGIT | LOWER_HEX | LOWER,
            'u' => DIGIT | UPPER_HEX | UPPER,
            'w' => word,
            'b' => word | DASH,
            'p' => word | DASH | DOT,
            's' => word | BASE64,
            _ => word | DASH | DOT | BASE64 | REST,
        }
    }

    /// Where a run of its letters ends, and where it does without dashes and dots.
    fn run(self, text: &[u8], from: usize, runs: &mut Runs) -> (usize, usize) {
        runs.end(self.0, text, from, |b| bits(b) & self.0 != 0)
    }
}

impl Format {
    /// Reads a line of the table.
    fn read(line: &'static str) -> Option<Format> {
        let (kind, spelled) = line.split_once(' ')?;
        let at = spelled.find('{')?;
        let start = &spelled[..at];
        let (mut class, mut least, mut most) = (0, 0, 0);
        let mut rest = &spelled[at..];
        while let Some(open) = rest.find('{') {
            let end = rest.find('}')?;
            for b in rest[..open].bytes() {
                class |= bits(b);
            }
            let letter = rest[open + 1..].chars().next()?;
            let (a, b) = rest[open + 2..end].split_once(',')?;
            least += open + a.parse::<usize>().ok()?;
            most += open + b.parse::<usize>().ok()?;
            class |= Class::named(letter);
            rest = &rest[end + 1..];
        }
        for b in rest.bytes() {
            class |= bits(b);
        }
        let said = start.bytes().filter(u8::is_ascii_alphanumeric).count();
        let common = [
            "key_", "test_", "live_", "secret_", "rma_", "apk_", "comet_", "exa_", "api-", "pa-",
        ];
        let weak = said < 3
            || start.len() < 4 && !start.ends_with(['_', '-'])
            || common.contains(&start.to_ascii_lowercase().as_str());
        Some(Format {
            kind,
            start,
            class: Class(class),
            // Services change the length of what they issue.
            least: if weak {
                least
            } else {
                (least * 3 / 5).max(least.min(10))
            },
            most,
            weak,
        })
    }

    /// The fewest characters after its first letters.
    pub fn least(&self) -> usize {
        self.least
    }

    /// The token that begins at a byte of a text in this format alone; `runs` are the text's.
    fn at(&self, text: &str, at: usize, runs: &mut Runs) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let from = at + self.start.len();
        let start = bytes.get(at..from)?;
        // Some are issued in one case and pasted in another.
        let first = start.first().zip(self.start.as_bytes().first());
        let as_is = start == self.start.as_bytes();
        let folds = self.start.len() >= 6 && first.is_some_and(|(a, b)| a.eq_ignore_ascii_case(b));
        // So many characters of chance are no word's end, whatever is before them.
        let weak = self.weak && self.least < 24;
        if !(as_is || folds) || !begins(text, at, weak) {
            return None;
        }
        let (end, trimmed) = self.class.run(bytes, from, runs);
        let n = trimmed - from;
        if n < self.least || self.weak && n > self.most + 4 {
            return self.split(text, at, from, end);
        }
        // Letters of a class are ASCII: a cut between them is one between characters.
        let trimmed = &text[from..from + n.min(JUDGED)];
        let cased = |f: fn(&u8) -> bool| trimmed.as_bytes().iter().any(f);
        let letters = n >= 16
            // Names in camel case stay below.
            && (!self.weak || n >= 24 && entropy(trimmed) > 4.3)
            && cased(u8::is_ascii_lowercase)
            && cased(u8::is_ascii_uppercase)
            && entropy(trimmed) > 3.3;
        // Of just the right length and in capitals, it needs no digit.
        let exact =
            n == self.most && !cased(u8::is_ascii_lowercase) && n >= 16 && entropy(trimmed) > 2.8;
        (is_mixed(trimmed) || letters || exact || n >= 40)
            .then_some(at..from + n)
            .filter(|_| !is_masked(trimmed) && !is_worded(trimmed))
    }

    /// The first half of a token that its line's end splits.
    fn split(&self, text: &str, at: usize, from: usize, end: usize) -> Option<Range<usize>> {
        let rest = &text[from..end.min(from + JUDGED)];
        let long = !self.weak && rest.len() >= 6 && is_mixed(rest) && !is_masked(rest);
        (long && super::seam::after(text, end).is_some()).then_some(at..end)
    }
}

/// The longest token of a format, and of those that begin like it, at a byte of a text. Only the first of them has one: a
/// literal that several share is looked at once.
pub fn longest(
    formats: &[Format],
    i: usize,
    text: &str,
    at: usize,
    runs: &mut Runs,
) -> Option<Range<usize>> {
    let start = formats[i].start;
    let alike = |f: &&Format| f.start == start;
    if formats.iter().position(|f| f.start == start) != Some(i) {
        return None;
    }
    let tokens = formats
        .iter()
        .filter(alike)
        .filter_map(|f| f.at(text, at, runs));
    tokens.max_by_key(|range| range.end)
}

/// Whether a text is words with dashes between them: the name of something.
fn is_worded(s: &str) -> bool {
    let words = || s.split(['-', '_', '.', '/']).filter(|w| !w.is_empty());
    let plain = |w: &&str| {
        let letters =
            w.bytes().all(|b| b.is_ascii_lowercase()) || w.bytes().all(|b| b.is_ascii_uppercase());
        (letters && w.len() <= 14) || (w.len() <= 4 && w.bytes().all(|b| b.is_ascii_digit()))
    };
    words().count() >= 2 && words().all(|w| plain(&w))
}

/// Whether a token may begin here: at a word's start, or after an escape that ends in a letter.
pub fn begins(text: &str, at: usize, weak: bool) -> bool {
    let before = &text[..at];
    let Some(last) = before.chars().next_back() else {
        return true;
    };
    if !last.is_alphanumeric() {
        return !weak || !matches!(last, '_' | '-' | '.');
    }
    is_escape(before.as_bytes())
}

/// Whether a text ends with an escape: `\n`, `%22`, `\u0022`, `\x1b`, a colour.
pub fn is_escape(before: &[u8]) -> bool {
    let n = before.len();
    let tail = |k: usize| &before[n.saturating_sub(k)..];
    let hex = |s: &[u8]| s.iter().all(u8::is_ascii_hexdigit);
    let colour = || {
        let digits = before.iter().rev().skip(1).take(12);
        let run = digits
            .take_while(|b| b.is_ascii_digit() || **b == b';')
            .count();
        n > run + 1 && before[n - 1] == b'm' && before[n - 2 - run] == b'['
    };
    matches!(
        tail(2),
        [b'\\', b'n' | b't' | b'r' | b'b' | b'f' | b'v' | b'0']
    ) || matches!(tail(3), [b'%', h @ ..] if h.len() == 2 && hex(h))
        || matches!(tail(5), [b'%', b'2', b'5', h @ ..] if h.len() == 2 && hex(h))
        || matches!(tail(4), [b'\\', b'x', h @ ..] if h.len() == 2 && hex(h))
        || matches!(tail(6), [b'\\', b'u', h @ ..] if h.len() == 4 && hex(h))
        || colour()
}

/// All formats: those with more first letters come first.
pub fn formats() -> Vec<Format> {
    let lines = OWN.lines().chain(TABLE.lines());
    lines
        .filter(|l| !l.starts_with('#'))
        .filter_map(Format::read)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_format() {
        let lines = OWN
            .lines()
            .chain(TABLE.lines())
            .filter(|l| !l.starts_with('#'));
        assert_eq!(formats().len(), lines.count());
        for f in formats() {
            assert!(f.least >= 7 && f.most >= f.least, "{f:?}");
            assert!(
                f.kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'),
                "{f:?}"
            );
        }
    }

    #[test]
    fn a_token_begins_a_word_or_follows_an_escape() {
        for before in [
            "",
            "x-",
            "x_",
            "'",
            "\\n",
            "\\t",
            "%22",
            "\\u0022",
            "%2522",
            "\u{1b}[31m",
        ] {
            assert!(
                begins(&format!("{before}ghp_"), before.len(), false),
                "{before}"
            );
        }
        for before in ["s", "ta", "22", "x1m"] {
            assert!(
                !begins(&format!("{before}ghp_"), before.len(), false),
                "{before}"
            );
        }
        assert!(!begins("x_key_", 2, true));
    }
}
