//! Samples as LaTeX tables, with a row for each line, so that long samples continue on the next
//! page.
//!
//! Must not know where samples come from.

use super::escape::{escaped, escaped_code};
use crate::sample::{Side, Step, steps};
use crate::words::Words;
use crate::{Excerpt, Sample, SampleContent};

/// Returns a sample as LaTeX.
pub(super) fn sample_tex(number: usize, sample: &Sample, words: &Words) -> String {
    let mut tex = format!("\\judgesample{{{}}}\n", words.sample(&number.to_string()));
    if !sample.arguments.is_empty() {
        let arguments = sample
            .arguments
            .iter()
            .map(|argument| format!("\\texttt{{{}}}", escaped_code(argument)));
        tex.push_str(&format!(
            "{}: {}\\par\n",
            words.arguments,
            arguments.collect::<Vec<_>>().join(" ")
        ));
    }
    match &sample.content {
        SampleContent::Pair { input, output } => push_pair(&mut tex, input, output, words),
        SampleContent::Interaction(interaction) => push_interaction(&mut tex, interaction, words),
    }
    for (name, text) in &sample.files {
        let rows = lines(text).into_iter().map(|line| format!("{line} \\\\\n"));
        let rows: String = rows.collect();
        tex.push_str(&format!(
            "\\begin{{judgetext}}{{{} {}}}\n{rows}\\end{{judgetext}}\n",
            words.file,
            escaped(name)
        ));
    }
    tex
}

fn lines(text: &Excerpt) -> Vec<String> {
    let mut lines: Vec<String> = text.text.lines().map(line).collect();
    if text.bytes_left_out > 0 {
        lines.push(format!(
            "\\textrm{{\\textit{{\\ldots{{}} {} bytes more}}}}",
            text.bytes_left_out
        ));
    }
    lines
}

/// Returns a line. The `\strut` makes empty lines as high as others.
fn line(text: &str) -> String {
    format!("\\strut {}", escaped_code(text))
}

fn push_pair(tex: &mut String, input: &Excerpt, output: &Excerpt, words: &Words) {
    let (input, output) = (lines(input), lines(output));
    tex.push_str(&format!(
        "\\begin{{judgepair}}{{{}}}{{{}}}\n",
        words.input, words.output
    ));
    for index in 0..input.len().max(output.len()).max(1) {
        let cell = |lines: &[String]| lines.get(index).cloned().unwrap_or_default();
        tex.push_str(&format!("{} & {} \\\\\n", cell(&input), cell(&output)));
    }
    tex.push_str("\\end{judgepair}\n");
}

fn push_interaction(tex: &mut String, interaction: &Excerpt, words: &Words) {
    let steps = steps(&interaction.text);
    let mut pass = 1;
    let pass_row = |pass: u32| {
        format!(
            "\\multicolumn{{2}}{{|l|}}{{\\sffamily\\footnotesize {}}} \\\\ \\hline\n",
            words.pass(pass)
        )
    };
    let (judge, submission) = (words.judge_writes, words.submission_writes);
    tex.push_str(&format!(
        "\\begin{{judgepair}}{{{judge}}}{{{submission}}}\n"
    ));
    if steps.iter().any(|step| matches!(step, Step::Pass)) {
        tex.push_str(&pass_row(pass));
    }
    for step in &steps {
        match step {
            Step::Lines(side, lines) => {
                let (before, after) = match side {
                    Side::Judge => ("", " & "),
                    Side::Submission => ("& ", " "),
                };
                let rows = lines
                    .iter()
                    .map(|text| [before, &line(text), after, "\\\\\n"].concat());
                tex.extend(rows);
            }
            Step::Pass => {
                pass += 1;
                tex.push_str("\\hline\n");
                tex.push_str(&pass_row(pass));
            }
            Step::Other(text) => {
                tex.push_str(&format!(
                    "\\multicolumn{{2}}{{|l|}}{{\\ttfamily\\small {}}} \\\\\n",
                    line(text)
                ));
            }
        }
    }
    if interaction.bytes_left_out > 0 {
        tex.push_str(&format!(
            "\\textit{{\\ldots{{}} {} bytes more}} & \\\\\n",
            interaction.bytes_left_out
        ));
    }
    tex.push_str("\\end{judgepair}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tex(content: SampleContent) -> String {
        let file = Excerpt {
            text: "a_b".into(),
            bytes_left_out: 7,
        };
        sample_tex(
            2,
            &Sample {
                arguments: vec!["--x".into()],
                files: vec![("f.txt".into(), file)],
                content,
            },
            &Words::for_language("de"),
        )
    }

    fn excerpt(text: &str) -> Excerpt {
        Excerpt {
            text: text.into(),
            bytes_left_out: 0,
        }
    }

    #[test]
    fn characters_of_samples_are_escaped() {
        let tex = tex(SampleContent::Pair {
            input: excerpt("\\end{x} 50%\n\n  y\n"),
            output: excerpt("&"),
        });
        assert!(
            tex.contains("\\judgesample{Beispiel 2}\nArgumente: \\texttt{-{}-{}x}\\par"),
            "{tex}"
        );
        assert!(
            tex.contains(
                "\\strut \\textbackslash{}end\\{x\\}\\ 50\\% & \\strut \\& \\\\\n\\strut  &  \\\\\n"
            ),
            "{tex}"
        );
        assert!(tex.contains("\\strut \\ \\ y &"), "{tex}");
        assert!(
            tex.contains("{Datei f.txt}\n\\strut a\\_b \\\\\n\\textrm{\\textit{\\ldots{} 7 bytes more}} \\\\\n"),
            "{tex}"
        );
    }

    #[test]
    fn interactions_have_a_column_for_each_side() {
        let tex = tex(SampleContent::Interaction(excerpt("<1\n>2\n---\n<3\n")));
        let expected = "Durchlauf 1} \\\\ \\hline\n\\strut 1 & \\\\\n& \\strut 2 \\\\\n\\hline\n\\multicolumn{2}{|l|}{\\sffamily\\footnotesize Durchlauf 2}";
        assert!(tex.contains(expected), "{tex}");
    }

    #[test]
    fn long_words_may_be_broken() {
        assert!(!escaped_code("short").contains("allowbreak"));
        assert_eq!(
            escaped_code(&"1".repeat(30))
                .matches("\\allowbreak{}")
                .count(),
            30
        );
    }
}
