//! The first words of a longer text.

use nbmedic_catalog::{Block, Inline};

fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

fn count_all(list: &[Inline]) -> usize {
    let text = |i: &Inline| match i {
        Inline::Text(t) | Inline::Code(t) | Inline::Em(t) | Inline::Strong(t) => count(t),
        Inline::Link(t, _) => count(t),
    };
    list.iter().map(text).sum()
}

/// The blocks that fit into a number of words, as whole paragraphs and list items. The rest of a list is left out, and so is
/// everything after the first paragraph that doesn't fit, which is cut at a sentence.
pub(super) fn brief(blocks: &[Block], words: usize) -> Vec<Block> {
    let mut left = words;
    let mut out = Vec::new();
    for block in blocks {
        match block {
            Block::P(p) if count_all(p) <= left => {
                left -= count_all(p);
                out.push(block.clone());
            }
            Block::P(p) if out.is_empty() => return vec![Block::P(sentences(p, left))],
            Block::List(items) => {
                let mut fits = Vec::new();
                for item in items {
                    let n = count_all(item);
                    if n > left {
                        break;
                    }
                    left -= n;
                    fits.push(item.clone());
                }
                let whole = fits.len() == items.len();
                if !fits.is_empty() {
                    out.push(Block::List(fits));
                }
                if !whole {
                    break;
                }
            }
            Block::Code(_, text) if count(text) <= left => {
                left -= count(text);
                out.push(block.clone());
            }
            _ => break,
        }
    }
    out
}

/// The pieces of a paragraph that fit, up to the end of a sentence if they contain one.
fn sentences(list: &[Inline], words: usize) -> Vec<Inline> {
    let mut left = words;
    let mut out = Vec::new();
    for piece in list {
        let n = count_all(std::slice::from_ref(piece));
        if n <= left {
            left -= n;
            out.push(piece.clone());
            continue;
        }
        if let Inline::Text(text) = piece {
            let mut end = 0;
            let mut seen = 0;
            for (at, sentence) in text
                .match_indices(". ")
                .map(|(at, _)| (at + 1, &text[..at]))
            {
                seen = count(sentence);
                if seen > left {
                    break;
                }
                end = at;
            }
            if end > 0 {
                out.push(Inline::Text(text[..end].to_owned()));
            } else if seen == 0 || out.is_empty() {
                let cut: Vec<&str> = text.split_whitespace().take(left).collect();
                out.push(Inline::Text(format!("{} …", cut.join(" "))));
            }
        }
        break;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(text: &str) -> Block {
        Block::P(vec![Inline::Text(text.into())])
    }

    #[test]
    fn what_fits_is_whole_and_the_rest_is_left_out() {
        let list = Block::List(vec![
            vec![Inline::Text("four five".into())],
            vec![Inline::Code("six".into()), Inline::Text(" seven".into())],
        ]);
        let all = [p("one two three"), list, p("eight")];
        assert_eq!(brief(&all, 8), all);
        assert_eq!(brief(&all, 7), all[..2]);
        let Block::List(items) = &brief(&all, 6)[1] else {
            panic!();
        };
        assert_eq!(items.len(), 1);
        assert_eq!(brief(&all, 4), all[..1]);
    }

    #[test]
    fn a_long_first_paragraph_ends_with_a_sentence() {
        let long = [p("One two. Three four. Five six seven eight."), p("Nine.")];
        assert_eq!(brief(&long, 5), [p("One two. Three four.")]);
        assert_eq!(brief(&[p("a b c d e")], 3), [p("a b c …")]);
    }
}
