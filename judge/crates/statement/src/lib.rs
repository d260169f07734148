//! Typesets statements: a problem's text, facts and samples as one self-contained HTML page.
//!
//! Responsible for the page and its safety: statements are untrusted, and only harmless markup
//! reaches the page. Must not read files or know the layout of packages; a function provides the
//! images.
//!
//! Source: 2025-09, "Problem Statements": CommonMark with tables, footnotes and formulas between
//! `$` or `$$`; `{{nextsample}}` and `{{remainingsamples}}`; samples that no command places follow
//! the text; the name precedes it. The caller has already replaced constants in Markdown; LaTeX has
//! a command for them.
//!
//! # Example
//!
//! ```
//! use judge_statement::{Body, Page, is_page, render};
//!
//! let body = Body::Markdown("Add $a$ and $b$. <script>alert(1)</script>\n".to_owned());
//! let page = Page { language: "en".to_owned(), title: "The Sum".to_owned(), body, ..Page::default() };
//! let html = render(&page, &mut |_| None).html;
//! assert!(is_page(html.as_bytes()) && html.contains("<math"));
//! assert!(!html.contains("<script>"), "only harmless markup reaches the page");
//! ```

mod booklet;
mod escape;
mod facts;
mod formula;
mod image;
mod latex;
mod markdown;
mod misread;
mod names;
mod page;
mod raw_html;
mod sample;
mod syntax;
mod tex;
mod words;

pub use booklet::{Cover, letter, render_booklet};
pub use facts::ProblemFacts;
pub use latex::unknown_in_latex;
pub use names::name_in_tex;
pub use page::{PDF_NOTE, is_page, render};
pub use tex::{TexDocument, TexPlace, TexStatement, markdown_to_tex, tex_document};

/// The content of a page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The language of the statement, such as `en` or `pt-BR`.
    pub language: String,
    /// The heading: the problem's name in that language. For the description of a solution, a word
    /// such as "solution" is added.
    pub title: String,
    /// The problem's name, if the heading contains more than the name.
    pub name: Option<String>,
    /// The facts below the name, in order.
    pub facts: Vec<Fact>,
    /// The statement itself.
    pub body: Body,
    /// The samples, in order.
    pub samples: Vec<Sample>,
}

/// A line of the header, such as `Time limit` and `1 s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The label of the line.
    pub label: String,
    /// The parts of the line, in order; they are separated by commas.
    pub parts: Vec<Part>,
}

/// A name, which may be a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The text.
    pub text: String,
    /// The address of the link. Addresses that are neither `http` nor `https` are ignored.
    pub url: Option<String>,
}

/// The body of a statement, by its markup language.
#[derive(Clone, Debug)]
pub enum Body {
    /// Markdown, with constants replaced.
    Markdown(String),
    /// LaTeX.
    Latex {
        /// The text.
        text: String,
        /// The constants of the package: names, possibly with a variant (`name.variant`), and
        /// values.
        constants: Vec<(String, String)>,
    },
    /// A PDF, which is not part of a page.
    Pdf,
}

impl Body {
    /// The text, if it is LaTeX.
    pub(crate) fn latex(&self) -> Option<&str> {
        match self {
            Self::Latex { text, .. } => Some(text),
            _ => None,
        }
    }
}

impl Default for Body {
    fn default() -> Self {
        Self::Markdown(String::new())
    }
}

/// A sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The command-line arguments of the submission.
    pub arguments: Vec<String>,
    /// Files in the working directory of the submission, by name.
    pub files: Vec<(String, Excerpt)>,
    /// The sample itself.
    pub content: SampleContent,
}

/// The content of a sample.
#[derive(Clone, Debug)]
pub enum SampleContent {
    /// An input and an output for it.
    Pair {
        /// The input.
        input: Excerpt,
        /// The output.
        output: Excerpt,
    },
    /// An interaction. Lines begin with `<` (the judge writes) or `>` (the submission writes);
    /// `---` begins another pass.
    Interaction(Excerpt),
}

/// A text, or the beginning of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// The number of bytes that are left out.
    pub bytes_left_out: u64,
}

/// An image that a statement shows.
#[derive(Clone, Debug)]
pub struct Image {
    /// Its media type, such as `image/png`.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// A rendered page, with remarks about the statement.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// The page.
    pub html: String,
    /// Violations of the format, such as a missing sample, each as a sentence.
    pub faults: Vec<String>,
    /// The parts that are not shown as intended, in order of their lines.
    pub remarks: Vec<Remark>,
}

/// A part of a statement that cannot be shown as intended; usually its source is shown instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line of its first occurrence, from 1.
    pub line: usize,
    /// A sentence about it, such as "`\\foo` is unknown, and is shown as written".
    pub what: String,
    /// The number of occurrences.
    pub times: usize,
}

impl Remark {
    /// A remark about a part that occurs once.
    pub(crate) fn once(line: usize, what: String) -> Self {
        let times = 1;
        Self { line, what, times }
    }
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.times {
            1 => f.write_str(&self.what),
            times => write!(f, "{} ({times} times)", self.what),
        }
    }
}
