//! Values that the cases plant: from the formats of the rule set, or random.

const RULES: &str = include_str!("../../formats/rules.txt");

pub const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
pub const HEX: &str = "0123456789abcdef";
pub const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A seeded source of characters.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.next() % n.max(1)
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    pub fn text(&mut self, alphabet: &str, n: usize) -> String {
        let all: Vec<char> = alphabet.chars().collect();
        (0..n).map(|_| all[self.below(all.len())]).collect()
    }

    /// Letters and digits, at least one of each.
    pub fn token(&mut self, n: usize) -> String {
        format!(
            "{}7{}",
            self.text(WORD, n / 2),
            self.text(WORD, n - n / 2 - 2)
        ) + "q"
    }

    pub fn hex(&mut self, n: usize) -> String {
        format!(
            "{}4b{}",
            self.text(HEX, n / 2),
            self.text(HEX, n - n / 2 - 2)
        )
    }
}

/// The values of the rule set: the rule's name and the value's pattern.
pub fn rules() -> Vec<(&'static str, &'static str)> {
    RULES
        .lines()
        .filter(|l| !l.starts_with('#'))
        .filter_map(|l| l.split_once(' '))
        .collect()
}

/// A value of a pattern.
pub fn of_pattern(pattern: &str, r: &mut Random) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let end = at + rest[at..].find('}').expect("an end");
        let class = &rest[at + 1..at + 2];
        let (least, most) = rest[at + 2..end].split_once(',').expect("two numbers");
        let (least, most): (usize, usize) = (least.parse().expect("n"), most.parse().expect("n"));
        let n = least + r.below(most.min(least + 40) - least + 1);
        let n = n.max(most.min(12).min(least.max(12)));
        let alphabet = match class {
            "d" => "0123456789",
            "h" => HEX,
            "H" => "0123456789ABCDEFabcdef",
            "l" => "abcdefghijklmnopqrstuvwxyz0123456789",
            "u" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            _ => WORD,
        };
        out.push_str(&r.text(alphabet, n));
        rest = &rest[end + 1..];
    }
    out + rest
}

/// Whether a value can be recognised by its first letters.
pub fn is_token(pattern: &str) -> bool {
    let start = &pattern[..pattern.find('{').unwrap_or(0)];
    start.len() >= 4 && start.chars().filter(char::is_ascii_alphanumeric).count() >= 3
}

/// Passwords as people choose them.
pub fn password(r: &mut Random) -> String {
    let word = |r: &mut Random| r.text(LOWER, 6);
    match r.below(8) {
        0 => format!("{}-{}{}", word(r), word(r), r.below(90) + 10),
        1 => format!("{}!{}{}", word(r), r.below(1000), word(r)),
        2 => {
            let w = word(r);
            format!("{}{}&{}", w[..1].to_uppercase(), &w[1..], r.below(9000))
        }
        3 => format!("{}#{}", r.token(8), word(r)),
        4 => format!("{}{}{}", word(r), word(r), word(r)),
        5 => r.token(14),
        6 => format!("P@{}{}$", word(r), r.below(99)),
        _ => format!("{}.{}*{}", word(r), r.below(900), word(r)),
    }
}
