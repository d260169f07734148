//! Statements: no text is a panic, and none brings a program into the page.
#![no_main]

use judge_statement::{Body, Page, is_page, markdown_to_tex, render};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let page = Page { language: "en".to_owned(), title: text.chars().take(20).collect(), ..Page::default() };
    let latex = Body::Latex { text: text.to_owned(), constants: Vec::new() };
    for body in [Body::Markdown(text.to_owned()), latex] {
        let html = render(&Page { body, ..page.clone() }, &mut |_| None).html;
        assert!(is_page(html.as_bytes()));
        assert!(!html.to_ascii_lowercase().contains("<script"), "a statement has brought a program");
    }
    let _ = markdown_to_tex("a", text);
});
