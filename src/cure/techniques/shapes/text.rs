//! Shapes in messages.

use nbmedic_wordings::{tensorflow, torch};

/// Maximum number of axes in a shape.
const MAX_AXES: usize = 12;

/// A non-negative integer at the start of a string, and the rest.
fn leading(text: &str) -> Option<(i64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text.get(..end)?.parse().ok()?, &text[end..]))
}

/// The number after a phrase: 4 in `got 4` for `got `.
pub(crate) fn number_after(text: &str, phrase: &str) -> Option<i64> {
    let (_, rest) = text.split_once(phrase)?;
    Some(leading(rest.trim_start())?.0)
}

/// The shapes in a string, in order: `[64, 3]`, `(64,)`, `()`. `None` and `*` become -1.
pub(crate) fn shapes(text: &str) -> Vec<Vec<i64>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['[', '(']) {
        let close = if rest.as_bytes()[at] == b'[' {
            ']'
        } else {
            ')'
        };
        rest = &rest[at + 1..];
        if let Some((shape, after)) = list(rest, close) {
            out.push(shape);
            rest = after;
        }
    }
    out
}

/// The first shape in a string.
pub(crate) fn shape(text: &str) -> Option<Vec<i64>> {
    shapes(text).into_iter().next()
}

fn list(text: &str, close: char) -> Option<(Vec<i64>, &str)> {
    let mut out = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(' ');
        if let Some(after) = rest.strip_prefix(close) {
            return Some((out, after));
        }
        let open = ["None", "*", "-1", "?"];
        let (size, after) = match open.iter().find_map(|o| rest.strip_prefix(o)) {
            Some(after) => (-1, after),
            None => leading(rest)?,
        };
        out.push(size);
        if out.len() > MAX_AXES {
            return None;
        }
        rest = after.trim_start_matches(' ');
        match rest.strip_prefix([',', 'x']) {
            Some(after) => rest = after,
            None if rest.starts_with(close) => {}
            None => return None,
        }
    }
}

/// The two matrix shapes in `(32x512 and 128x10)`, also in `m1: [32 x 512], m2: [128 x 10]` and
/// `In[0]: [32,512], In[1]: [128,10]`.
pub(crate) fn matrices(text: &str) -> Option<[i64; 4]> {
    let [first, second] = torch::MATRICES
        .read(text)
        .or_else(|| torch::MATRICES_BEFORE.read(text))
        .or_else(|| tensorflow::MATRIX_SIZES.read(text))?;
    let two = |t: &str| -> Option<[i64; 2]> {
        let sizes = t.trim_matches(['[', ']']).split(['x', ',']);
        let sizes: Option<Vec<i64>> = sizes.map(|n| n.trim().parse().ok()).collect();
        sizes?.try_into().ok()
    };
    let ([a, b], [c, d]) = (two(first)?, two(second)?);
    Some([a, b, c, d])
}

/// A shape as people write it: `(3, 224, 224)`.
pub(crate) fn written(shape: &[i64]) -> String {
    let all: Vec<String> = shape.iter().map(i64::to_string).collect();
    match &all[..] {
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_their_forms() {
        assert_eq!(
            shapes(
                "weight of size [64, 3, 7], input[1, 64] (torch.Size([16])) (4,) () f(x) (None, 5)"
            ),
            [
                vec![64, 3, 7],
                vec![1, 64],
                vec![16],
                vec![4],
                vec![],
                vec![-1, 5]
            ]
        );
        for text in [
            "mat1 and mat2 shapes cannot be multiplied (32x512 and 128x10)",
            "size mismatch, m1: [32 x 512], m2: [128 x 10] at /pytorch/aten",
            "Matrix size-incompatible: In[0]: [32,512], In[1]: [128,10] [Op:MatMul]",
        ] {
            assert_eq!(matrices(text), Some([32, 512, 128, 10]), "{text}");
        }
        assert_eq!(number_after("Expected 10, got 20", "got "), Some(20));
        assert_eq!(written(&[3]), "(3,)");
    }
}
