//! Statements of packages, with the content of their pages.
//!
//! Responsible for reading that content. Must not know the layout of a page.

use judge_model::{Grading, Problem};
use judge_package::{
    Credits, Finding, ShownContent, ShownSample, ShownText, StatementFile, StatementKind,
    shown_samples,
};
use judge_statement::{
    Body, Excerpt, Page, Part, ProblemFacts, Sample, SampleContent, name_in_tex,
};

/// A text of a problem that becomes a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The statement, with the facts and samples of its problem.
    Statement,
    /// The description of a solution, without facts and samples.
    Solution,
}

/// A statement, or the description of a solution, with the content of its page except images.
#[derive(Clone, Debug)]
pub struct Statement<'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// The file of the package.
    pub file: StatementFile,
    /// The content of the page.
    pub page: Page,
    /// The name of the generated files, without the extension.
    pub name: String,
}

impl<'p> Statement<'p> {
    /// Reads a statement.
    ///
    /// # Errors
    /// When the text or a sample cannot be read.
    pub fn read(
        problem: &'p Problem,
        file: &StatementFile,
        role: Role,
    ) -> Result<Self, Vec<Finding>> {
        let text = match file.kind {
            StatementKind::Pdf => String::new(),
            StatementKind::Markdown | StatementKind::Tex => {
                file.text(problem).map_err(|error| vec![error])?
            }
        };
        let credits = Credits::read(&problem.directory).unwrap_or_default();
        let is_statement = role == Role::Statement;
        let in_tex = if file.kind == StatementKind::Tex && is_statement {
            name_in_tex(&text)
        } else {
            None
        };
        let title = credits
            .name(&file.language)
            .map(str::to_owned)
            .or(in_tex)
            .unwrap_or_else(|| problem.title.clone());
        let samples = match role {
            Role::Statement => shown_samples(problem)
                .map_err(|errors| errors.iter().cloned().collect::<Vec<_>>())?,
            Role::Solution => Vec::new(),
        };
        let page = Page {
            language: file.language.clone(),
            title: if is_statement {
                title.clone()
            } else {
                format!("{title}: solution")
            },
            name: Some(title),
            facts: if is_statement {
                facts(problem, credits, &file.language).lines(&file.language)
            } else {
                Vec::new()
            },
            body: match file.kind {
                StatementKind::Markdown => Body::Markdown(text),
                StatementKind::Tex => {
                    let constants = problem.constants.iter();
                    let constants = constants
                        .map(|constant| (constant.name.clone(), constant.value.clone()))
                        .collect();
                    Body::Latex { text, constants }
                }
                StatementKind::Pdf => Body::Pdf,
            },
            samples: samples.into_iter().map(sample).collect(),
        };
        let role = if is_statement { "" } else { ".solution" };
        let name = format!("{}{role}.{}", problem.name, file.language);
        Ok(Self {
            problem,
            file: file.clone(),
            page,
            name,
        })
    }
}

fn facts(problem: &Problem, credits: Credits, language: &str) -> ProblemFacts {
    let translators = credits.translators_of(language).to_vec();
    let sources = credits.sources.into_iter().map(|source| Part {
        text: source.name,
        url: source.url,
    });
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
    let excerpt = |text: ShownText| Excerpt {
        text: text.text,
        bytes_left_out: text.bytes_left_out,
    };
    Sample {
        arguments: sample.args,
        files: sample
            .files
            .into_iter()
            .map(|(name, text)| (name, excerpt(text)))
            .collect(),
        content: match sample.content {
            ShownContent::Pair { input, output } => SampleContent::Pair {
                input: excerpt(input),
                output: excerpt(output),
            },
            ShownContent::Interaction(log) => SampleContent::Interaction(excerpt(log)),
        },
    }
}
