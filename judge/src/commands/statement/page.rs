//! The page of a statement, as HTML.
//!
//! Responsible for its images, and for that what is wrong is told. Must not know what a page looks like, nor where it goes.

use judge_model::Problem;
use judge_package::{StatementFile, StatementImage};
use judge_statement::{Image, Page, render};

use crate::commands::statement::reading::{Role, read};
use crate::commands::statement::remarks::{About, Remarks, remark, shown};
use crate::config::Config;

/// Makes a drawing that browsers show of a picture in PDF, or says why not.
pub(crate) type Converter<'a> = dyn FnMut(&[u8]) -> Result<Vec<u8>, String> + 'a;

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
