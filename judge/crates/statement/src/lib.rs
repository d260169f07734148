//! Statements: a problem's text, its facts and its samples, as one page of HTML that needs nothing besides itself.
//!
//! Responsible for what the page looks like, and for that no text becomes markup which its author may not write:
//! statements come with archives of strangers. Must not read files, nor know how packages are laid out; images come
//! through a function.
//!
//! Source: 2025-09, "Problem Statements": Markdown as CommonMark has it, with tables, footnotes and formulas between
//! `$` or `$$`; `{{nextsample}}` and `{{remainingsamples}}`; samples that are not placed follow the text; the name
//! comes before it. Constants have been replaced in Markdown by whoever read the text; LaTeX has a command for them.
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
//! assert!(!html.contains("<script>"), "no text becomes markup that its author may not write");
//! ```

mod base64;
mod booklet;
mod escape;
mod facts;
mod formula;
mod latex;
mod markdown;
mod misread;
mod page;
mod raw_html;
mod sample;
mod terms;
mod tex;
mod untypeset;
mod words;

pub use booklet::{Cover, letter, render_booklet};
pub use facts::ProblemFacts;
pub use latex::unknown_in_latex;
pub use page::{is_page, render};
pub use tex::{TexDocument, TexPlace, TexStatement, markdown_to_tex, tex_document};
pub use untypeset::name_in_tex;

/// Everything that a page shows.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The language of the statement, such as `en` or `pt-BR`.
    pub language: String,
    /// The head of the page: the problem's name in that language, and of a description of a solution that it is one.
    pub title: String,
    /// The problem's name alone, where the head says more.
    pub name: Option<String>,
    /// The facts below the name, in order.
    pub facts: Vec<Fact>,
    /// The statement itself.
    pub body: Body,
    /// The samples, in order.
    pub samples: Vec<Sample>,
}

/// A line of the head, such as `Time limit` and `1 s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The label of the line.
    pub label: String,
    /// The parts of the line, in order; they are separated by commas.
    pub parts: Vec<Part>,
}

/// A name, and where it leads if it leads somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The text.
    pub text: String,
    /// An address; one that is neither `http` nor `https` is left out.
    pub url: Option<String>,
}

/// The body of a statement, by the language that it is written in.
#[derive(Clone, Debug)]
pub enum Body {
    /// Markdown, with constants replaced.
    Markdown(String),
    /// LaTeX.
    Latex {
        /// The text.
        text: String,
        /// The constants of the package: names, also with a variant (`name.variant`), and values.
        constants: Vec<(String, String)>,
    },
    /// Something that is not typeset: why, and its source where it is text.
    NotTypeset {
        /// A sentence.
        why: String,
        /// The source, shown as it is.
        source: Option<String>,
    },
}

impl Default for Body {
    fn default() -> Self {
        Self::Markdown(String::new())
    }
}

/// A sample, as it is shown.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The command-line arguments of the submission.
    pub arguments: Vec<String>,
    /// Files that lie beside the submission, by name.
    pub files: Vec<(String, Excerpt)>,
    /// The sample itself.
    pub content: SampleContent,
}

/// The content of a sample, as far as there is something to show.
#[derive(Clone, Debug)]
pub enum SampleContent {
    /// An input and an output for it.
    Pair {
        /// The input.
        input: Excerpt,
        /// The output.
        output: Excerpt,
    },
    /// A conversation: lines begin with `<` (the judge writes) or `>` (the submission does); `---` begins another pass.
    Interaction(Excerpt),
}

/// A text, or the beginning of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// The number of further bytes, which are left out.
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

/// A rendered page, with what is suspicious about the statement.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// The page.
    pub html: String,
    /// The faults against rules of the format, such as a sample too many, each as a sentence without its subject.
    pub faults: Vec<String>,
    /// The parts that are shown otherwise than they were meant, in order of the lines.
    pub remarks: Vec<Remark>,
}

/// Something of a statement that is shown otherwise than it was meant, mostly as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line where it is first, from 1.
    pub line: usize,
    /// A sentence about it, such as "`\\foo` is not known, and is shown as it is written".
    pub what: String,
    /// The number of times that it stands there.
    pub times: usize,
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.times {
            1 => f.write_str(&self.what),
            times => write!(f, "{} ({times} times)", self.what),
        }
    }
}
