//! The cells of a table that is still to be read, with what its columns say about them.
//!
//! Responsible for where cells begin and end. Must not know what their text means.

use super::columns::Column;

/// Commands between rows, with the number of their arguments in braces.
const BETWEEN_ROWS: [(&str, usize); 15] = [
    ("hline", 0),
    ("toprule", 0),
    ("midrule", 0),
    ("bottomrule", 0),
    ("cline", 1),
    ("cmidrule", 1),
    ("addlinespace", 0),
    ("specialrule", 3),
    ("noalign", 1),
    ("rowcolor", 1),
    ("arrayrulecolor", 1),
    ("endhead", 0),
    ("endfirsthead", 0),
    ("endfoot", 0),
    ("endlastfoot", 0),
];

/// The body of a table with the texts of its columns in its cells; its lines stay lines.
pub(super) fn with_texts(body: &str, columns: &[Column]) -> String {
    let mut written = String::with_capacity(body.len() * 2);
    let mut rest = body;
    while !rest.is_empty() {
        let (row, end) = rest.split_at(end_of_row(rest));
        push_row(&mut written, row, columns);
        let behind = if end.starts_with("\\\\") { 2 } else { "\\tabularnewline".len().min(end.len()) };
        written.push_str(&end[..behind]);
        rest = &end[behind..];
    }
    written
}

fn push_row(written: &mut String, row: &str, columns: &[Column]) {
    let start = start_of_cells(row);
    written.push_str(&row[..start]);
    let mut rest = &row[start..];
    if rest.trim().is_empty() {
        return written.push_str(rest);
    }
    let mut column = 0;
    loop {
        let (cell, behind) = rest.split_at(end_of_cell(rest));
        let text = cell.trim();
        let around = columns.get(column).map(|column| &column.around);
        match around.filter(|around| around.iter().any(|text| !text.is_empty())) {
            _ if text.starts_with("\\multicolumn") => {
                let count =
                    text["\\multicolumn".len()..].trim_start().strip_prefix('{').and_then(|text| text.split_once('}'));
                column +=
                    count.and_then(|(count, _)| count.trim().parse::<usize>().ok()).unwrap_or(1).clamp(1, 100) - 1;
                written.push_str(cell);
            }
            Some([before, after]) => {
                let at = cell.len() - cell.trim_start().len();
                let text = if text.is_empty() { "{}" } else { text };
                // Before a letter, the name of a command ends with a blank.
                let blank =
                    if before.ends_with(|c: char| c.is_ascii_alphabetic()) && before.contains('\\') { " " } else { "" };
                let behind = &cell[at.max(cell.trim_end().len())..];
                // A comment would hide what stands behind it.
                let (first, second) =
                    if last_line_has_comment(text) { (behind, after.as_str()) } else { (after.as_str(), behind) };
                written.push_str(&format!("{}{before}{blank}{text}{first}{second}", &cell[..at]));
            }
            None => written.push_str(cell),
        }
        column += 1;
        let Some(next) = behind.strip_prefix('&') else { return };
        written.push('&');
        rest = next;
    }
}

fn last_line_has_comment(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default();
    line.replace("\\%", "").contains('%')
}

fn end_of_row(text: &str) -> usize {
    find(text, |rest| {
        let is_named = rest
            .strip_prefix("\\tabularnewline")
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        rest.starts_with("\\\\") || is_named
    })
}

fn end_of_cell(text: &str) -> usize {
    find(text, |rest| rest.starts_with('&'))
}

/// The first place outside of braces, environments and comments where that holds; the end if there is none.
fn find(text: &str, is_there: impl Fn(&str) -> bool) -> usize {
    let (mut depth, mut environments) = (0_usize, 0_usize);
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if depth == 0 && environments == 0 && is_there(rest) {
            return at;
        }
        let mut length = c.len_utf8();
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '%' => length = rest.find('\n').unwrap_or(rest.len()),
            '\\' => {
                if rest.starts_with("\\begin{") {
                    environments += 1;
                } else if rest.starts_with("\\end{") {
                    environments = environments.saturating_sub(1);
                }
                length += rest[1..].chars().next().map_or(0, char::len_utf8);
            }
            _ => {}
        }
        at += length;
    }
    text.len()
}

/// The place behind what stands between rows.
fn start_of_cells(row: &str) -> usize {
    let mut rest = row;
    loop {
        rest = rest.trim_start();
        if rest.starts_with('%') {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        }
        // What a row may end with, behind its `\\\\`.
        if rest.starts_with('*') || rest.starts_with('[') {
            let end = if rest.starts_with('*') { Some(0) } else { rest.find(']') };
            match end {
                Some(end) => rest = &rest[end + 1..],
                None => return row.len() - rest.len(),
            }
            continue;
        }
        let name: String =
            rest.strip_prefix('\\').unwrap_or_default().chars().take_while(char::is_ascii_alphabetic).collect();
        let Some((_, arguments)) = BETWEEN_ROWS.iter().find(|(known, _)| *known == name) else {
            return row.len() - rest.len();
        };
        rest = &rest[1 + name.len()..];
        for _ in 0..=*arguments {
            for (open, close) in [('[', ']'), ('(', ')')] {
                if let Some(end) = rest.strip_prefix(open).and_then(|rest| rest.find(close)) {
                    rest = &rest[end + 2..];
                }
            }
            if *arguments > 0
                && let Some(inner) = rest.trim_start().strip_prefix('{')
            {
                rest = &inner[(find(inner, |rest| rest.starts_with('}')) + 1).min(inner.len())..];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(body: &str) -> String {
        let column = Column::with_texts;
        with_texts(body, &[column("$", "$"), column("", ""), column("\\bf", "!")])
    }

    #[test]
    fn texts_stand_in_every_cell_of_their_column() {
        assert_eq!(texts("1 & 2 & x \\\\ 3"), "$1$ & 2 & \\bf x! \\\\ $3$");
        assert_eq!(
            texts("\\hline\n & a\\\\[1mm]\n\\cmidrule(lr){1-2} b&c\\tabularnewline\n\\hline\n"),
            "\\hline\n ${}$& a\\\\[1mm]\n\\cmidrule(lr){1-2} $b$&c\\tabularnewline\n\\hline\n"
        );
        assert_eq!(texts("\\multicolumn{2}{c}{x} & y\\\\"), "\\multicolumn{2}{c}{x} & \\bf y!\\\\");
        assert_eq!(texts("{a & b} \\& c % & d\n & e"), "${a & b} \\& c % & d\n $& e");
        assert_eq!(
            texts("\\begin{tabular}{l}a & b\\\\\\end{tabular} & c"),
            "$\\begin{tabular}{l}a & b\\\\\\end{tabular}$ & c"
        );
    }

    #[test]
    fn whatever_the_body_is_nothing_of_it_is_lost() {
        proptest!(|(body in "[a-c{}&%\\[\\]* \n]{0,30}(\\\\(hline|cline|\\\\|multicolumn\\{[0-9]\\}|begin\\{|end\\{)[a-c{}&%\n]{0,9}){0,6}")| {
            let written = texts(&body);
            let bare = |text: &str| text.chars().filter(char::is_ascii_lowercase).collect::<String>().replace("bf", "");
            prop_assert_eq!(bare(&written), bare(&body).replace("bf", ""));
            prop_assert!(written.matches('\n').count() >= body.matches('\n').count());
        });
    }
}
