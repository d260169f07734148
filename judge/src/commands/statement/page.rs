//! The page of a statement, from the files of its package.
//!
//! Responsible for what is read for it. Must not know what a page looks like, nor where it goes.

use judge_model::{Grading, Problem};
use judge_package::{
    Credits, PackageError, ShownContent, ShownSample, ShownText, StatementFile, StatementImage, StatementKind,
    shown_samples,
};
use judge_statement::{
    Body, Excerpt, Image, Page, Part, ProblemFacts, Rendered, Sample, SampleContent, name_in_tex, render,
};

use crate::commands::statement::Remarks;
use crate::config::Config;

/// More remarks about one statement than these are counted.
const MOST_REMARKS: usize = 5;

/// Makes a drawing that browsers show of a picture in PDF, or says why not.
pub(crate) type Converter<'a> = dyn FnMut(&[u8]) -> Result<Vec<u8>, String> + 'a;

/// A text of a problem that becomes a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The statement, with the facts and samples of its problem.
    Statement,
    /// The description of a solution, which has neither.
    Solution,
}

/// The page of a statement in Markdown. What is wrong with it is remarked, and the page made all the same; there is none when
/// nothing is there to make it of.
pub(crate) fn page(config: &Config, problem: &Problem, file: &StatementFile, remarks: &mut Remarks) -> Option<String> {
    match read(problem, file, Role::Statement) {
        Ok(page) => {
            let mut never = |_: &[u8]| Err("it is a PDF".to_owned());
            Some(typeset(config, problem, file, &page, &mut never, remarks))
        }
        Err(errors) => {
            remarks.errors.extend(errors.iter().map(|error| shown(config, error)));
            None
        }
    }
}

/// Reads all that the page shows, but for its images.
pub(super) fn read(problem: &Problem, file: &StatementFile, role: Role) -> Result<Page, Vec<PackageError>> {
    let text = match file.kind {
        StatementKind::Pdf => String::new(),
        StatementKind::Markdown | StatementKind::Tex => file.text(problem).map_err(|error| vec![error])?,
    };
    let credits = Credits::of(&problem.directory).unwrap_or_default();
    let is_statement = role == Role::Statement;
    let in_tex = if file.kind == StatementKind::Tex && is_statement { name_in_tex(&text) } else { None };
    let title = credits.name(&file.language).map(str::to_owned).or(in_tex).unwrap_or_else(|| problem.title.clone());
    let samples = if is_statement {
        shown_samples(problem).map_err(|errors| errors.iter().cloned().collect::<Vec<_>>())?
    } else {
        Vec::new()
    };
    Ok(Page {
        language: file.language.clone(),
        title: if is_statement { title.clone() } else { format!("{title}: solution") },
        name: Some(title),
        facts: if is_statement { facts(problem, credits, &file.language).lines() } else { Vec::new() },
        body: match file.kind {
            StatementKind::Markdown => Body::Markdown(text),
            StatementKind::Tex => {
                let values = problem.constants.iter().map(|constant| (constant.name.clone(), constant.value.clone()));
                Body::Latex { text, constants: values.collect() }
            }
            StatementKind::Pdf => Body::pdf(),
        },
        samples: samples.into_iter().map(sample).collect(),
    })
}

/// Makes the page of HTML.
pub(super) fn typeset(
    config: &Config,
    problem: &Problem,
    file: &StatementFile,
    page: &Page,
    convert: &mut Converter<'_>,
    remarks: &mut Remarks,
) -> String {
    let mut about = Vec::new();
    let rendered = render(page, &mut |address| image(config, problem, file, address, convert, &mut about));
    remark(config, file, page, &rendered, about, remarks);
    rendered.html
}

/// A fault of a package, or a note.
pub(super) enum About {
    Error(String),
    Note(String),
}

/// The image at an address of a statement; what is wrong with it is told.
pub(super) fn image(
    config: &Config,
    problem: &Problem,
    file: &StatementFile,
    address: &str,
    convert: &mut Converter<'_>,
    about: &mut Vec<About>,
) -> Option<Image> {
    let StatementImage { media_type, bytes } = match file.image(problem, address) {
        Ok(image) => image,
        Err(error) => {
            about.push(About::Error(shown(config, &error)));
            return None;
        }
    };
    if media_type != "application/pdf" {
        return Some(Image { media_type, bytes });
    }
    match convert(&bytes) {
        Ok(bytes) => Some(Image { media_type: "image/svg+xml", bytes }),
        Err(why) => {
            let place = config.shown(&file.path);
            about.push(About::Note(format!("{place}: the picture `{address}` is a PDF, and is left out: {why}")));
            None
        }
    }
}

/// Tells what there is to tell about a page.
pub(super) fn remark(
    config: &Config,
    file: &StatementFile,
    page: &Page,
    rendered: &Rendered,
    about: Vec<About>,
    remarks: &mut Remarks,
) {
    let place = config.shown(&file.path);
    if let Body::NotTypeset { why, .. } = &page.body {
        remarks.notes.push(format!("{place}: {why}"));
    }
    for about in about {
        match about {
            About::Error(text) => remarks.errors.push(text),
            About::Note(text) => remarks.notes.push(text),
        }
    }
    remarks.errors.extend(rendered.faults.iter().map(|fault| format!("{place}: {fault}")));
    let (first, more) = rendered.remarks.split_at(rendered.remarks.len().min(MOST_REMARKS));
    remarks.notes.extend(first.iter().map(|remark| format!("{place}: line {}: {remark}", remark.line)));
    if !more.is_empty() {
        let mut lines: Vec<String> = more.iter().map(|remark| remark.line.to_string()).collect();
        lines.dedup();
        let (count, lines) = (more.len(), lines.join(", "));
        remarks.notes.push(format!(
            "{place}: {count} more parts are shown otherwise than they were meant, in the lines {lines}"
        ));
    }
}

pub(super) fn shown(config: &Config, error: &PackageError) -> String {
    let mut error = error.clone();
    error.file = config.workspace.known_as(&error.file);
    error.display_relative_to(&config.workspace.root).to_string()
}

fn facts(problem: &Problem, credits: Credits, language: &str) -> ProblemFacts {
    let translators = credits.translators_of(language).to_vec();
    let sources = credits.sources.into_iter().map(|source| Part { text: source.name, url: source.url });
    ProblemFacts {
        time_limit: problem.limits.time_limit,
        memory_bytes: problem.limits.memory_bytes,
        interactive: problem.interactive,
        passes: problem.passes,
        submit_answer: problem.submit_answer,
        scoring: !matches!(problem.grading, Grading::PassFail),
        authors: credits.authors,
        translators,
        sources: sources.collect(),
        license: credits.license,
        rights_owner: credits.rights_owner,
    }
}

fn sample(sample: ShownSample) -> Sample {
    let excerpt = |text: ShownText| Excerpt { text: text.text, bytes_left_out: text.bytes_left_out };
    Sample {
        arguments: sample.args,
        files: sample.files.into_iter().map(|(name, text)| (name, excerpt(text))).collect(),
        content: match sample.content {
            ShownContent::Pair { input, output } => {
                SampleContent::Pair { input: excerpt(input), output: excerpt(output) }
            }
            ShownContent::Interaction(log) => SampleContent::Interaction(excerpt(log)),
        },
    }
}
