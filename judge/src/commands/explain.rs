//! `judge check --explain`: explains a code.
//!
//! Responsible for looking the code up. Must not check anything.

use judge_package::Code;
use judge_report::Explanation;

use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::print;

/// Explains a code; an empty word lists all codes.
pub(crate) fn run(config: &Config, word: &str) -> Result<ExitCode, Failure> {
    let look = config.terminal.look;
    let text = if word.is_empty() {
        let all: Vec<Explanation> = Code::all().into_iter().map(explanation).collect();
        Explanation::list(&all, look)
    } else {
        let code = Code::find(word).ok_or_else(|| {
            Failure::Usage(format!(
                "unknown code `{word}`\nhint: `judge check --explain` lists all codes"
            ))
        })?;
        explanation(code).to_text(look)
    };
    print(text)?;
    Ok(ExitCode::AsExpected)
}

fn explanation(code: Code) -> Explanation {
    Explanation {
        code: code.id().to_owned(),
        severity: code.default_severity(),
        title: code.title().to_owned(),
        why: code.why().to_owned(),
        fix: code.fix().to_owned(),
        example: code.example().to_owned(),
    }
}
