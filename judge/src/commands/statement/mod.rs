//! `judge statement`: the statements of problems as pages.
//!
//! Responsible for which statements are meant, and for where pages go. Must not know what a page looks like.

mod facts;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use judge_model::Problem;
use judge_package::{
    Credits, PackageError, ShownContent, ShownSample, ShownText, StatementFile, StatementKind, load_despite_data,
    shown_samples, statement_files,
};
use judge_report::printable_lines;
use judge_statement::{Body, Excerpt, Image, Page, Rendered, Sample, SampleContent, is_page, render};

use crate::args::StatementArgs;
use crate::commands::judging::run::{select_failure, select_packages};
use crate::commands::list::write;
use crate::commands::statement::facts::facts;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::whole_file::WholeFile;

/// More remarks about one statement than these are counted.
const MOST_REMARKS: usize = 5;

pub(crate) fn carry_out(config: &Config, args: &StatementArgs) -> Result<ExitCode, Failure> {
    let selection = select_packages(config, &args.what)?;
    let mut told = Told::default();
    let mut problems = Vec::new();
    for package in &selection.packages {
        // A statement is written before there is any test data.
        match load_despite_data(&package.directory, &config.workspace) {
            Ok(loaded) => problems.push(loaded.problem),
            Err(errors) => told.errors.push(Failure::package(&errors, &config.workspace.root).to_string()),
        }
    }
    selection.check(problems.iter()).map_err(|error| select_failure(&error))?;
    let mut pages = Vec::new();
    for problem in &problems {
        let files = statement_files(problem);
        let wanted = wanted(&files, args.language.as_deref());
        if wanted.is_empty() {
            told.without.push(without(config, problem, &files, args.language.as_deref()));
        }
        for file in wanted {
            match page(config, problem, file, &mut told) {
                Ok(html) => pages.push((format!("{}.{}.html", problem.name, file.language), html)),
                Err(errors) => told.errors.extend(errors),
            }
        }
    }
    if pages.is_empty() && told.errors.is_empty() {
        return Err(Failure::NothingSelected(told.without.join("\n")));
    }
    put(config, &args.output, &pages)?;
    told.tell()
}

/// What is to be said besides the pages.
#[derive(Default)]
struct Told {
    /// Faults of packages.
    errors: Vec<String>,
    /// What is shown otherwise than it was meant.
    notes: Vec<String>,
    /// Problems without the statement that was asked for.
    without: Vec<String>,
}

impl Told {
    fn tell(&self) -> Result<ExitCode, Failure> {
        let notes = self.notes.iter().chain(&self.without).map(|note| format!("note: {note}\n"));
        let errors = self.errors.iter().map(|error| format!("error: {error}\n"));
        let text: String = notes.chain(errors).map(|text| printable_lines(&text).to_string()).collect();
        write(&mut io::stderr(), &text)?;
        Ok(if self.errors.is_empty() { ExitCode::AsExpected } else { ExitCode::PackageFault })
    }
}

/// The statements in the language, or else in English or the first one; of one language, the one to be preferred.
fn wanted<'f>(files: &'f [StatementFile], language: Option<&str>) -> Vec<&'f StatementFile> {
    let has = |wanted: &str| files.iter().any(|file| file.language == wanted);
    let one = match language {
        Some("all") => None,
        Some(language) => Some(language),
        None if has("en") => Some("en"),
        None => files.first().map(|file| file.language.as_str()),
    };
    let mut found: Vec<&StatementFile> = Vec::new();
    for file in files.iter().filter(|file| one.is_none_or(|one| one == file.language)) {
        if !found.iter().any(|other| other.language == file.language) {
            found.push(file);
        }
    }
    found
}

fn without(config: &Config, problem: &Problem, files: &[StatementFile], language: Option<&str>) -> String {
    let place = config.told(&problem.directory);
    let mut languages: Vec<&str> = files.iter().map(|file| file.language.as_str()).collect();
    languages.dedup();
    match language {
        Some(language) if !languages.is_empty() => {
            let found = languages.iter().map(|language| format!("`{language}`")).collect::<Vec<_>>().join(", ");
            format!("{place}: there is no statement in `{language}`; found {found}")
        }
        _ => format!("{place}: there is no statement, such as `statement/problem.en.md`"),
    }
}

/// The page of a statement; what is wrong with it is told, and the page made all the same, unless there is nothing to
/// make it of.
fn page(config: &Config, problem: &Problem, file: &StatementFile, told: &mut Told) -> Result<String, Vec<String>> {
    let show = |error: &PackageError| {
        let mut error = error.clone();
        error.file = config.workspace.known_as(&error.file);
        error.display_relative_to(&config.workspace.root).to_string()
    };
    let place = config.told(&file.path);
    let text = match file.kind {
        StatementKind::Pdf => String::new(),
        StatementKind::Markdown | StatementKind::Tex => file.text(problem).map_err(|error| vec![show(&error)])?,
    };
    let credits = Credits::of(&problem.directory).unwrap_or_default();
    let samples = shown_samples(problem).map_err(|errors| errors.iter().map(show).collect::<Vec<_>>())?;
    let name = match file.kind {
        StatementKind::Tex => name_in_tex(&text),
        StatementKind::Markdown | StatementKind::Pdf => None,
    };
    let name = credits.name(&file.language).map(str::to_owned).or(name);
    let body = body(file.kind, text);
    if let Body::NotTypeset { why, .. } = &body {
        told.notes.push(format!("{place}: {why}"));
    }
    let page = Page {
        language: file.language.clone(),
        title: name.unwrap_or_else(|| problem.title.clone()),
        facts: facts(problem, &credits, &file.language),
        body,
        samples: samples.into_iter().map(sample).collect(),
    };
    let mut images = |address: &str| match file.image(problem, address) {
        Ok(image) => Some(Image { media_type: image.media_type, bytes: image.bytes }),
        Err(error) => {
            told.errors.push(show(&error));
            None
        }
    };
    let Rendered { html, faults, remarks } = render(&page, &mut images);
    told.errors.extend(faults.into_iter().map(|fault| format!("{place}: {fault}")));
    let more = remarks.len().saturating_sub(MOST_REMARKS);
    told.notes.extend(remarks.into_iter().take(MOST_REMARKS).map(|remark| format!("{place}: {remark}")));
    if more > 0 {
        told.notes.push(format!("{place}: {more} more formulas are shown as they are written"));
    }
    Ok(html)
}

fn body(kind: StatementKind, text: String) -> Body {
    match kind {
        StatementKind::Markdown => Body::Markdown(text),
        StatementKind::Tex => Body::NotTypeset {
            why: "the statement is written in LaTeX, which `judge` does not typeset; the page shows its source"
                .to_owned(),
            source: Some(text),
        },
        StatementKind::Pdf => {
            Body::NotTypeset { why: "the statement is a PDF, which is not part of the page".to_owned(), source: None }
        }
    }
}

/// The name that a statement in TeX gives in plain text (`%% plainproblemname: …`), or else as it is written.
fn name_in_tex(text: &str) -> Option<String> {
    let plain = text.lines().find_map(|line| line.trim().strip_prefix("%% plainproblemname:"));
    let written = || {
        let (_, after) = text.split_once("\\problemname{")?;
        Some(after.split_once('}')?.0)
    };
    let name = plain.or_else(written)?.trim();
    (!name.is_empty()).then(|| name.to_owned())
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

/// Puts the pages where they were asked for.
fn put(config: &Config, output: &Path, pages: &[(String, String)]) -> Result<(), Failure> {
    if output == Path::new("-") {
        return match pages {
            [] => Ok(()),
            [(_, html)] => write(&mut io::stdout(), html),
            several => Err(Failure::Usage(format!(
                "standard output has room for one page, found {}\nhint: name a directory with `--output DIR`",
                several.len()
            ))),
        };
    }
    let path = config.directory.join(output);
    let is_directory = path.is_dir() || pages.len() > 1 || output.as_os_str().as_encoded_bytes().ends_with(b"/");
    let place = |name: &String| if is_directory { path.join(name) } else { path.clone() };
    let targets: Vec<(PathBuf, &String)> = pages.iter().map(|(name, html)| (place(name), html)).collect();
    if let Some((strange, _)) = targets.iter().find(|(path, _)| is_strange(path)) {
        return Err(Failure::Usage(format!(
            "`{}` was not written by `judge statement`, and is left as it is\nhint: name another place, or remove the file",
            config.told(strange)
        )));
    }
    if is_directory {
        fs::create_dir_all(&path)
            .map_err(|source| Failure::Write { what: format!("`{}`", config.told(&path)), source })?;
    }
    let mut written = String::new();
    for (path, html) in targets {
        WholeFile::create(&path)?.keep_with(html)?;
        written.push_str(&format!("{} is written\n", config.told(&path)));
    }
    write(&mut io::stdout(), &printable_lines(&written).to_string())
}

/// Whether there is a file that is none of our pages.
fn is_strange(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(256).read_to_end(&mut head));
    read.is_err() || !(head.is_empty() || is_page(&head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(language: &str, kind: StatementKind) -> StatementFile {
        StatementFile { language: language.to_owned(), kind, path: PathBuf::from(language) }
    }

    #[test]
    fn one_statement_of_each_language_that_is_wanted() {
        use StatementKind::{Markdown, Tex};
        let files = [file("de", Tex), file("en", Markdown), file("en", Tex), file("sv", Tex)];
        let told = |files: &[StatementFile], language: Option<&str>| {
            wanted(files, language).iter().map(|file| (file.language.clone(), file.kind)).collect::<Vec<_>>()
        };
        assert_eq!(told(&files, None), [("en".to_owned(), Markdown)]);
        assert_eq!(told(&files[..1], None), [("de".to_owned(), Tex)]);
        assert_eq!(told(&files, Some("sv")), [("sv".to_owned(), Tex)]);
        assert_eq!(told(&files, Some("all")).len(), 3);
        assert!(told(&files, Some("fr")).is_empty());
    }

    #[test]
    fn names_in_tex() {
        assert_eq!(name_in_tex("\\problemname{ A Name }\n").as_deref(), Some("A Name"));
        assert_eq!(name_in_tex("%% plainproblemname: x^2\n\\problemname{$x^2$}").as_deref(), Some("x^2"));
        assert_eq!(name_in_tex("\\problemname{}"), None);
        assert_eq!(name_in_tex("text"), None);
    }
}
