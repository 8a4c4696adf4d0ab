//! The body of a catalogue file: ordinary Markdown with fixed headings.

use crate::model::{Block, Conditions, Fix, Inline, Prose, Variant};
use crate::spec::{Example, FixSpec, Front};
use nbmedic_words::{self as words, foreign, Text};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

/// Longest headline that fits a card, in characters; templates are counted unfilled.
const MAX_TITLE: usize = 140;

struct Section {
    level: HeadingLevel,
    title: String,
    blocks: Vec<Block>,
    fences: Vec<(String, String)>,
}

pub(crate) fn read(
    id: &str,
    family: &str,
    body: &str,
    front: &Front,
) -> Result<(Prose, Vec<Example>), String> {
    let sections = split(body)?;
    let mut prose = Prose {
        id: id.into(),
        family: family.into(),
        title: String::new(),
        summary: Vec::new(),
        variants: Vec::new(),
        meaning: Vec::new(),
        why: Vec::new(),
        fixes: Vec::new(),
        links: Vec::new(),
    };
    let mut examples = Vec::new();
    let mut in_fixes = false;
    order(&sections)?;
    for s in sections {
        if s.level == HeadingLevel::H3 {
            if !in_fixes {
                return Err(format!("`### {}` stands outside `## Fixes`", s.title));
            }
            prose.fixes.push(fix(s, front, family)?);
            continue;
        }
        in_fixes = false;
        match (s.level, s.title.as_str()) {
            (HeadingLevel::H1, _) => {
                prose.title = s.title;
                prose.summary = s.blocks;
            }
            (HeadingLevel::H2, "What it means") => prose.meaning = s.blocks,
            (HeadingLevel::H2, "Why it happens") => prose.why = s.blocks,
            (HeadingLevel::H2, "Fixes") => in_fixes = true,
            // Its TOML is read before the prose.
            (HeadingLevel::H2, "How it is recognised") => {}
            (HeadingLevel::H2, "Links") => prose.links = links(&s.blocks),
            (HeadingLevel::H2, "Examples") => {
                for (info, text) in s.fences {
                    examples.push(example(&info, text)?);
                }
            }
            (HeadingLevel::H2, title) => {
                let (name, title) = title
                    .strip_prefix("Variant ")
                    .and_then(|t| t.split_once(": "))
                    .ok_or_else(|| format!("`## {title}` is not a heading of the format"))?;
                if !front.variants.iter().any(|v| v.id == name) {
                    return Err(format!("`## Variant {name}` has no [[variant]]"));
                }
                prose.variants.push(Variant {
                    id: name.into(),
                    title: title.into(),
                    summary: s.blocks,
                });
            }
            (_, title) => return Err(format!("heading `{title}` is not of the format")),
        }
    }
    for (missing, what) in [
        (prose.title.is_empty(), "a `# headline`"),
        (prose.summary.is_empty(), "a summary under the headline"),
        (prose.meaning.is_empty(), "`## What it means`"),
        (prose.why.is_empty(), "`## Why it happens`"),
        (prose.fixes.is_empty(), "a fix under `## Fixes`"),
    ] {
        if missing {
            return Err(format!("{what} is missing"));
        }
    }
    if let Some(t) = std::iter::once(&prose.title)
        .chain(prose.variants.iter().map(|v| &v.title))
        .find(|t| t.chars().count() > MAX_TITLE)
    {
        return Err(format!(
            "the headline `{t}` is longer than {MAX_TITLE} characters"
        ));
    }
    if let Some(id) = front
        .fix
        .keys()
        .find(|id| !prose.fixes.iter().any(|f| f.id == **id))
    {
        return Err(format!("[fix.{id}] has no `### {id}: …` under `## Fixes`"));
    }
    Ok((prose, examples))
}

/// Checks the order of sections: what it is, what to do, how it is recognised.
fn order(sections: &[Section]) -> Result<(), String> {
    let place = |s: &&Section| match s.title.as_str() {
        _ if s.level == HeadingLevel::H1 => 0,
        "What it means" => 2,
        "Why it happens" => 3,
        "Fixes" => 4,
        "Links" => 5,
        "How it is recognised" => 6,
        "Examples" => 7,
        _ => 1,
    };
    let parts = || sections.iter().filter(|s| s.level != HeadingLevel::H3);
    let wrong = parts()
        .zip(parts().skip(1))
        .find(|(a, b)| place(a) > place(b));
    match wrong {
        Some((a, b)) => Err(format!("`{}` must stand before `{}`", b.title, a.title)),
        None => Ok(()),
    }
}

fn fix(s: Section, front: &Front, family: &str) -> Result<Fix, String> {
    let (id, title) = s
        .title
        .split_once(": ")
        .ok_or_else(|| format!("`### {}` must read `### fix-id: Title`", s.title))?;
    let spec = front
        .fix
        .get(id)
        .ok_or_else(|| format!("fix `{id}` has no [fix.{id}]"))?;
    if s.fences.len() > 1 {
        return Err(format!("fix `{id}` has more than one code block"));
    }
    let why: Vec<Block> = s
        .blocks
        .into_iter()
        .filter(|b| !matches!(b, Block::Code(..)))
        .collect();
    if why.is_empty() {
        return Err(format!("fix `{id}` does not say why"));
    }
    let (language, code) = s.fences.into_iter().next().unwrap_or_default();
    if !code.is_empty() && language.is_empty() {
        return Err(format!("the code of fix `{id}` names no language"));
    }
    Ok(Fix {
        id: id.into(),
        title: title.into(),
        applies: spec.applies,
        cost: spec.cost.clone(),
        variants: spec.variants.clone(),
        when: spec.when.clone(),
        first: spec.first.clone(),
        only: Conditions {
            frameworks: spec.frameworks.clone(),
            systems: spec.systems.clone(),
            fronts: spec.fronts.clone(),
            works: spec.works.clone(),
            owners: spec.owners.clone(),
            own_line: spec.own_line,
        },
        fallback: spec.fallback,
        sample: spec.sample,
        proven: proven(spec, family).map_err(|e| format!("fix `{id}`: {e}"))?,
        why,
        code: code.trim_end().to_owned(),
        language,
    })
}

/// The proof statement: which case proved the fix with which versions, or why none did.
fn proven(spec: &FixSpec, family: &str) -> Result<Text, String> {
    if !spec.proven.is_empty() {
        let case = spec.proven.split_once(" (").filter(|(case, versions)| {
            case.contains('/') && !case.contains(' ') && versions.ends_with(')')
        });
        return match case {
            Some(_) => Ok(words::proven(foreign(spec.proven.as_str())).into()),
            None => Err(format!(
                "proven must read `folder/case (versions)`, not `{}`",
                spec.proven
            )),
        };
    }
    let needs = match family {
        _ if !spec.needs.is_empty() => &spec.needs,
        _ if spec.cost.starts_with("none; it only looks") => {
            return Ok(words::proven_looks().into())
        }
        family if family.starts_with("gpu-") => "gpu",
        "session" => "service",
        _ => return Ok(words::proven_not().into()),
    };
    Ok(words::proven_needs(needed(needs)?).into())
}

/// What a proof needs: a message's name without its `needs`, in kebab case, or a proper name, with
/// a capital.
fn needed(what: &str) -> Result<Text, String> {
    if what.contains(char::is_uppercase) {
        return Ok(foreign(what));
    }
    let mut key = "needs".to_owned();
    for part in what.split('-') {
        let mut letters = part.chars();
        key.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        key.push_str(letters.as_str());
    }
    let say = words::named(&key);
    say.map(Text::from)
        .ok_or_else(|| format!("needs `{what}`: there is no message `{key}` in _locales"))
}

fn example(info: &str, text: String) -> Result<Example, String> {
    let mut words = info.split_whitespace();
    let matches = match words.next() {
        Some("match") => true,
        Some("no-match") => false,
        other => {
            return Err(format!(
                "example block `{}` is neither match nor no-match",
                other.unwrap_or("")
            ))
        }
    };
    let expect = words
        .map(|w| {
            w.split_once('=')
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .ok_or_else(|| format!("`{w}` in an example's first line is not key=value"))
        })
        .collect::<Result<_, _>>()?;
    Ok(Example {
        matches,
        expect,
        text,
    })
}

fn links(blocks: &[Block]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for block in blocks {
        if let Block::List(items) = block {
            for inline in items.iter().flatten() {
                if let Inline::Link(text, href) = inline {
                    out.push((text.clone(), href.clone()));
                }
            }
        }
    }
    out
}

/// Cuts the body at its headings.
fn split(body: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    let mut heading: Option<(HeadingLevel, String)> = None;
    let mut inlines: Vec<Inline> = Vec::new();
    let mut items: Vec<Vec<Inline>> = Vec::new();
    let mut list_depth = 0;
    let mut style: Vec<char> = Vec::new();
    let mut link: Option<(String, String)> = None;
    let mut fence: Option<(String, String)> = None;
    let push_text = |text: &str, inlines: &mut Vec<Inline>, style: &[char]| {
        let piece = match style.last() {
            Some('e') => Inline::Em(text.to_owned()),
            Some('s') => Inline::Strong(text.to_owned()),
            _ => {
                if let Some(Inline::Text(last)) = inlines.last_mut() {
                    last.push_str(text);
                    return;
                }
                Inline::Text(text.to_owned())
            }
        };
        inlines.push(piece);
    };
    for event in Parser::new(body) {
        if let Some((_, title)) = &mut heading {
            match event {
                Event::Text(t) | Event::Code(t) => title.push_str(&t),
                Event::End(TagEnd::Heading(_)) => {
                    if let Some((level, title)) = heading.take() {
                        sections.push(Section {
                            level,
                            title,
                            blocks: Vec::new(),
                            fences: Vec::new(),
                        });
                    }
                }
                _ => {}
            }
            continue;
        }
        if let Event::Start(Tag::Heading { level, .. }) = event {
            heading = Some((level, String::new()));
            continue;
        }
        let Some(section) = sections.last_mut() else {
            return Err("the body must begin with `# headline`".into());
        };
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                fence = Some((info.to_string(), String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((info, text)) = fence.take() {
                    section
                        .blocks
                        .push(Block::Code(info.clone(), text.trim_end().to_owned()));
                    section.fences.push((info, text));
                }
            }
            Event::Text(t) => match (&mut fence, &mut link) {
                (Some((_, text)), _) => text.push_str(&t),
                (_, Some((text, _))) => text.push_str(&t),
                _ => push_text(&t, &mut inlines, &style),
            },
            Event::Code(t) => match &mut link {
                Some((text, _)) => text.push_str(&t),
                None => inlines.push(Inline::Code(t.to_string())),
            },
            Event::SoftBreak | Event::HardBreak => push_text(" ", &mut inlines, &[]),
            Event::Start(Tag::Emphasis) => style.push('e'),
            Event::Start(Tag::Strong) => style.push('s'),
            Event::End(TagEnd::Emphasis | TagEnd::Strong) => {
                style.pop();
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                if !dest_url.starts_with("https://") {
                    return Err(format!("link `{dest_url}` is not an https address"));
                }
                link = Some((String::new(), dest_url.to_string()));
            }
            Event::End(TagEnd::Link) => {
                if let Some((text, href)) = link.take() {
                    inlines.push(Inline::Link(text, href));
                }
            }
            Event::Start(Tag::List(_)) => list_depth += 1,
            Event::End(TagEnd::Item) => items.push(std::mem::take(&mut inlines)),
            Event::End(TagEnd::List(_)) => {
                list_depth -= 1;
                if list_depth == 0 {
                    section.blocks.push(Block::List(std::mem::take(&mut items)));
                }
            }
            Event::End(TagEnd::Paragraph) if list_depth == 0 => {
                section.blocks.push(Block::P(std::mem::take(&mut inlines)));
            }
            Event::Html(h) | Event::InlineHtml(h) => {
                return Err(format!("HTML is not allowed: `{}`", h.trim()))
            }
            _ => {}
        }
    }
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Applicability;

    fn said(proven_by: &str, cost: &str, needs: &str, family: &str) -> Result<String, String> {
        let spec = FixSpec {
            applies: Applicability::Likely,
            cost: cost.into(),
            variants: Vec::new(),
            when: String::new(),
            first: String::new(),
            frameworks: Vec::new(),
            systems: Vec::new(),
            fronts: Vec::new(),
            works: Vec::new(),
            owners: Vec::new(),
            own_line: false,
            fallback: false,
            sample: false,
            proven: proven_by.into(),
            needs: needs.into(),
        };
        proven(&spec, family).map(|text| text.english())
    }

    #[test]
    fn every_fix_says_whether_it_is_proven() {
        assert_eq!(
            said("torch/a-case (torch 2.15.0)", "none", "", "gpu-memory").as_deref(),
            Ok("Proven: with this fix, torch/a-case (torch 2.15.0) ran")
        );
        let looks = "none; it only looks";
        for (cost, needs, family, why) in [
            ("none", "", "tensor", ""),
            (looks, "", "gpu-fault", ": it only looks"),
            ("slower", "", "gpu-memory", ": needs an NVIDIA GPU"),
            ("none", "tpu", "gpu-setup", ": needs a TPU"),
            (looks, "macOS", "process", ": needs macOS"),
            (
                "",
                "",
                "session",
                ": needs the service that runs the session",
            ),
        ] {
            assert_eq!(
                said("", cost, needs, family),
                Ok(format!("Not proven here{why}"))
            );
        }
        for bad in ["torch/a-case", "a-case (torch 2.15.0)", "yes"] {
            assert!(said(bad, "", "", "tensor").is_err(), "{bad}");
        }
        assert!(said("", "", "nothing-known", "tensor").is_err());
    }
}
