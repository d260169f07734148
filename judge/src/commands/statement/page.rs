//! The page of a statement, from the files of its package.
//!
//! Responsible for what is read for it. Must not know what a page looks like, nor where it goes.

use judge_model::{Grading, Problem};
use judge_package::{
    Credits, PackageError, ShownContent, ShownSample, ShownText, StatementFile, StatementKind, shown_samples,
};
use judge_statement::{
    Body, Excerpt, Image, Page, Part, ProblemFacts, Rendered, Sample, SampleContent, name_in_tex, render,
};

use crate::commands::statement::Remarks;
use crate::config::Config;

/// More remarks about one statement than these are counted.
const MOST_REMARKS: usize = 5;

/// The page of a statement. What is wrong with it is remarked, and the page made all the same; there is none when nothing is
/// there to make it of.
pub(crate) fn page(config: &Config, problem: &Problem, file: &StatementFile, remarks: &mut Remarks) -> Option<String> {
    match read(problem, file) {
        Ok(page) => Some(typeset(config, problem, file, &page, remarks)),
        Err(errors) => {
            remarks.errors.extend(errors.iter().map(|error| shown(config, error)));
            None
        }
    }
}

/// Reads all that the page shows, but for its images.
fn read(problem: &Problem, file: &StatementFile) -> Result<Page, Vec<PackageError>> {
    let text = match file.kind {
        StatementKind::Pdf => String::new(),
        StatementKind::Markdown | StatementKind::Tex => file.text(problem).map_err(|error| vec![error])?,
    };
    let credits = Credits::of(&problem.directory).unwrap_or_default();
    let samples = shown_samples(problem).map_err(|errors| errors.iter().cloned().collect::<Vec<_>>())?;
    let in_tex = if file.kind == StatementKind::Tex { name_in_tex(&text) } else { None };
    let title = credits.name(&file.language).or(in_tex).unwrap_or(&problem.title).to_owned();
    Ok(Page {
        language: file.language.clone(),
        title,
        facts: facts(problem, credits, &file.language).lines(),
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

fn typeset(config: &Config, problem: &Problem, file: &StatementFile, page: &Page, remarks: &mut Remarks) -> String {
    let place = config.shown(&file.path);
    if let Body::NotTypeset { why, .. } = &page.body {
        remarks.notes.push(format!("{place}: {why}"));
    }
    let mut images = |address: &str| match file.image(problem, address) {
        Ok(image) => Some(Image { media_type: image.media_type, bytes: image.bytes }),
        Err(error) => {
            remarks.errors.push(shown(config, &error));
            None
        }
    };
    let Rendered { html, faults, remarks: untypeset } = render(page, &mut images);
    remarks.errors.extend(faults.into_iter().map(|fault| format!("{place}: {fault}")));
    let more = untypeset.len().saturating_sub(MOST_REMARKS);
    remarks.notes.extend(untypeset.into_iter().take(MOST_REMARKS).map(|remark| format!("{place}: {remark}")));
    if more > 0 {
        remarks.notes.push(format!("{place}: {more} more parts are shown as they are written"));
    }
    html
}

fn shown(config: &Config, error: &PackageError) -> String {
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
