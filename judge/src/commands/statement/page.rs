//! The page of a statement, as HTML.
//!
//! Responsible for its images and for its remarks. Must not know the layout of a page, nor where it
//! goes.

use judge_model::Problem;
use judge_package::{StatementFile, StatementImage};
use judge_printing::{Role, Statement};
use judge_statement::{Cover, Image, render, render_booklet};

use crate::commands::statement::remarks::{Remarks, shown};
use crate::config::Config;

/// Converts a picture in PDF to a drawing that browsers show, or returns the reason why it cannot.
pub(crate) type Converter<'a> = dyn FnMut(&[u8]) -> Result<Vec<u8>, String> + 'a;

/// The page of a statement in Markdown; `None` if it cannot be read. Findings are added to
/// `remarks`.
pub(crate) fn page(
    config: &Config,
    problem: &Problem,
    file: &StatementFile,
    remarks: &mut Remarks,
) -> Option<String> {
    match Statement::read(problem, file, Role::Statement) {
        Ok(statement) => Some(typeset(
            config,
            &statement,
            &mut |_| Err("it is a PDF".to_owned()),
            remarks,
        )),
        Err(errors) => {
            remarks
                .errors
                .extend(errors.iter().map(|error| shown(config, error)));
            None
        }
    }
}

/// The page of a statement.
pub(super) fn typeset(
    config: &Config,
    statement: &Statement<'_>,
    convert: &mut Converter<'_>,
    remarks: &mut Remarks,
) -> String {
    let mut about_images = Remarks::default();
    let rendered = render(&statement.page, &mut |address| {
        image(config, statement, address, convert, &mut about_images)
    });
    remarks.add_page(config, statement, &rendered, about_images);
    rendered.html
}

/// The page of a booklet.
pub(super) fn typeset_booklet(
    config: &Config,
    statements: &[Statement<'_>],
    cover: &Cover,
    convert: &mut Converter<'_>,
    remarks: &mut Remarks,
) -> String {
    let pages: Vec<_> = statements
        .iter()
        .map(|statement| statement.page.clone())
        .collect();
    let mut about_images: Vec<Remarks> = statements.iter().map(|_| Remarks::default()).collect();
    let (html, rendered) = render_booklet(&pages, cover, &mut |index, address| {
        image(
            config,
            &statements[index],
            address,
            convert,
            &mut about_images[index],
        )
    });
    for ((statement, rendered), about_images) in statements.iter().zip(&rendered).zip(about_images)
    {
        remarks.add_page(config, statement, rendered, about_images);
    }
    html
}

/// The image at an address of a statement; `None`, with a remark, if it cannot be shown.
fn image(
    config: &Config,
    statement: &Statement<'_>,
    address: &str,
    convert: &mut Converter<'_>,
    remarks: &mut Remarks,
) -> Option<Image> {
    let StatementImage { media_type, bytes } =
        match statement.file.image(statement.problem, address) {
            Ok(image) => image,
            Err(error) => {
                remarks.errors.push(shown(config, &error));
                return None;
            }
        };
    if media_type != "application/pdf" {
        return Some(Image { media_type, bytes });
    }
    match convert(&bytes) {
        Ok(bytes) => Some(Image {
            media_type: "image/svg+xml",
            bytes,
        }),
        Err(why) => {
            let place = config.shown(&statement.file.path);
            remarks.notes.push(format!(
                "{place}: the picture `{address}` is a PDF, and is left out: {why}"
            ));
            None
        }
    }
}
