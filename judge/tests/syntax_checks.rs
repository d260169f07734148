//! Syntax checks of scripts: a syntax error is a compile error, and its check is cached.

use judge_model::Verdict;

use crate::languages::{PYTHON, assert_accepted};
use crate::workspace::{Workspace, has};

/// Source: the behaviour of Kattis and DOMjudge for such submissions.
#[test]
fn scripts_with_syntax_errors_do_not_compile() {
    let scripts: [(&str, &str, &[u8], &str); 6] = [
        ("javascript", "x.js", b"console.log(3;\n", "SyntaxError"),
        (
            "perl",
            "x.pm",
            b"print 3 +;\n",
            "syntax error at solutions/sum/rejected/x.pm line 1",
        ),
        ("php", "x.php", b"<?php echo 3\necho 4;\n", "Parse error"),
        ("python3", "x.py", b"print(3\n", "SyntaxError"),
        (
            "python3",
            "b.py",
            b"# caf\xe9\nprint(3)\n",
            "encoding declaration",
        ),
        ("ruby", "x.rb", b"puts(3\n", "syntax error"),
    ];
    for (language, name, script, message) in scripts {
        let Some(workspace) = Workspace::isolated().filter(|_| has(language)) else {
            continue;
        };
        workspace.sum("sum");
        workspace.write(&format!("solutions/sum/rejected/{name}"), script);
        let output = workspace.events(["run", "sum/rejected/*"]);
        let submission = &output.state().problems[0].submissions[0];
        let compiled = submission.compiled.as_ref().unwrap();
        assert_eq!(
            submission.finished.as_ref().unwrap().verdict,
            Verdict::CompileError,
            "{language}"
        );
        assert!(
            compiled.message.head.to_text().contains(message),
            "{language}: {:?}",
            compiled.message
        );
    }
}

/// Working scripts must pass the check: deeply nested sources, and texts in a declared encoding.
#[test]
fn working_scripts_pass_the_syntax_check() {
    let deep: String = (0..5000)
        .map(|number| format!("else if (x == {number}) {{}}\n"))
        .collect();
    let javascript = format!(
        "const x = -1;\nif (x == -2) {{}}\n{deep}\nconst [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);\n\
         console.log(a + b);\n"
    );
    assert_accepted("javascript", &[("deep.js", &javascript)]);
    assert_accepted(
        "bash",
        &[(
            "glob.sh",
            "shopt -s extglob\nread a b\ncase $a in @(x|y)) ;; *) echo $((a + b));; esac\n",
        )],
    );
    let Some(workspace) = Workspace::with_sum().filter(|_| has("python3")) else {
        return;
    };
    let latin =
        b"# -*- coding: latin-1 -*-\n# caf\xe9\na, b = map(int, input().split())\nprint(a + b)\n";
    workspace.write("solutions/sum/accepted/latin.py", latin);
    workspace.judge(["run", "sum/accepted/latin.py"]).exits(0);
}

#[test]
fn syntax_checks_are_cached() {
    let Some(workspace) = Workspace::with_sum().filter(|_| has("python3")) else {
        return;
    };
    // Tests share the cache of programs, so the source must be new.
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    workspace.write(
        "solutions/sum/accepted/one.py",
        format!("# {}\n{PYTHON}", now.as_nanos()),
    );
    let cached = || {
        let output = workspace.events(["run", "sum/accepted/one.py"]).exits(0);
        let submission = output.state().problems[0].submissions[0].clone();
        assert_eq!(submission.finished.unwrap().verdict, Verdict::Accepted);
        submission.compiled.unwrap().cached
    };
    assert_eq!((cached(), cached()), (false, true));
    // Another check has another key: results of the first one are not reused.
    workspace.write(
        "judge.yaml",
        "languages:\n  python3:\n    check: ['{interpreter}', -c, 'import sys; sys.exit(3)']\n",
    );
    let output = workspace.events(["run", "sum/accepted/one.py"]).exits(1);
    assert_eq!(
        output.state().problems[0].submissions[0]
            .finished
            .as_ref()
            .unwrap()
            .verdict,
        Verdict::CompileError
    );
    workspace.write("judge.yaml", "languages:\n  python3:\n    check: []\n");
    workspace.write("solutions/sum/rejected/late.py", "print(3\n");
    let output = workspace.events(["run", "sum/rejected/*"]).exits(0);
    assert_eq!(output.verdict("rejected/late.py"), Verdict::RunTimeError);
}
