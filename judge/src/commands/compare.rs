//! `judge compare`: submissions of one problem, the first of which is the reference.
//!
//! Responsible for which submissions are meant, and for the order: answers first, times only when the answers are known.
//! Must not know statistics, nor how anything is laid out.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use judge_comparing::{Comparison, Means, Settings, compare};
use judge_event::{Event, Progress, RunState};
use judge_model::Submission;
use judge_package::{Filter, LoadedPackage, SelectError, load, outside_submission, select};
use judge_report::{ComparisonReport, ProgressDrawTarget, Reporter, Terminal, Verbosity};
use judge_runner::{Counter, Interrupts, Observer, Plan};
use judge_sandbox::CancelToken;

use crate::args::{CompareArgs, JudgingArgs, TellingArgs};
use crate::commands::compare_report;
use crate::commands::judging::{PlanBuilder, Ready, make_ready};
use crate::commands::run::select_failure;
use crate::commands::submit::{guess, named};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::host;
use crate::whole_file::WholeFile;

/// Two submissions whose times differ by less than this share are the same.
const MARGIN: f64 = 0.02;

pub(crate) fn carry_out(config: &Config, args: &CompareArgs) -> Result<ExitCode, Failure> {
    // What was typed wrongly is told before anything takes time.
    let baseline = args.baseline.as_deref().map(|path| read_baseline(config, path)).transpose()?;
    let judging = JudgingArgs {
        jobs: args.jobs,
        time_limit: args.time_limit,
        samples: args.samples,
        json: None,
        telling: TellingArgs::default(),
        isolation: args.isolation,
        no_cache: false,
    };
    let plan = plan(config, args, &judging)?;
    let (counter, uncounted) = counter(args, &plan);
    // A place that cannot be written is told before anything takes time.
    let pages = args.pages.iter().map(|page| WholeFile::create(&config.directory.join(page)));
    let pages = pages.collect::<Result<Vec<_>, _>>()?;
    let ready = make_ready(config, &judging, &plan, (None, false))?;
    let mut first = FirstRun::new(config);
    judge_runner::run(plan.clone(), &ready.toolchains, Arc::clone(&ready.sandbox), &ready.settings, &mut first)?;
    if let Some(code) = first.stands_in_the_way() {
        print(&first.told()?)?;
        return Ok(code);
    }
    let Some(mut comparison) = timed(config, args, &plan, &first.state, &ready, counter)? else {
        return Ok(ExitCode::Interrupted);
    };
    let unusable = baseline.and_then(|baseline| comparison.hold_against(&baseline).err());
    let unusable = unusable.map(|why| format!("the baseline is not used: {why}"));
    let mut report = compare_report::of(&comparison, &plan, &first.state, args.gate.as_ref());
    report.warnings.extend(uncounted.into_iter().chain(unusable));
    tell(config, args, &comparison, &report, pages)?;
    let held = args.gate.as_ref().is_none_or(|gate| compare_report::is_held(gate, &comparison));
    Ok(match (comparison.answers_differ(), held) {
        (true, _) => ExitCode::ExpectationViolated,
        (false, false) => ExitCode::GateNotHeld,
        (false, true) => ExitCode::AsExpected,
    })
}

/// What counts instructions, if they are wanted; or a sentence that says why they are not counted.
fn counter(args: &CompareArgs, plan: &Plan) -> (Option<Counter>, Option<String>) {
    let uncounted = |why: &str| (None, Some(format!("instructions are not counted: {why}")));
    let alone = |problem: &judge_model::Problem| !problem.interactive && problem.passes == 1 && !problem.submit_answer;
    if !args.instructions {
        return (None, None);
    }
    if !plan.problems.iter().all(|planned| alone(&planned.problem)) {
        return uncounted("submissions of this problem are not run once and alone");
    }
    match Counter::find(&std::env::var_os("PATH").unwrap_or_default()) {
        Ok(counter) => (Some(counter), None),
        Err(why) => uncounted(&why),
    }
}

fn read_baseline(config: &Config, path: &Path) -> Result<Comparison, Failure> {
    let failed =
        |why: &dyn std::fmt::Display| Failure::Usage(format!("cannot use baseline `{}`: {why}", path.display()));
    let text = fs::read_to_string(config.directory.join(path)).map_err(|error| failed(&error))?;
    Comparison::parse(&text).map_err(|error| failed(&error))
}

/// One problem with the submissions to compare, of which nothing is expected.
fn plan(config: &Config, args: &CompareArgs, judging: &JudgingArgs) -> Result<Plan, Failure> {
    let (mut loaded, submissions) = entered(config, args)?;
    if submissions.len() < 2 {
        return Err(Failure::Usage(format!(
            "expected at least two submissions to compare, found {}: `{}`",
            submissions.len(),
            submissions.first().map_or("", |only| only.id.as_str())
        )));
    }
    let whole = Arc::new(loaded.problem.clone());
    loaded.problem.submissions = with_names_of_their_own(submissions);
    loaded.warnings.clear();
    let mut builder = PlanBuilder::new(config, judging);
    builder.add_instead(loaded, &Filter::default(), Some(whole));
    Ok(Plan { output_hashes: true, ..builder.finish() })
}

/// The submissions, without anything expected. One that is named twice is compared with itself.
fn with_names_of_their_own(mut submissions: Vec<Submission>) -> Vec<Submission> {
    for index in 0..submissions.len() {
        let taken = |id: &str| submissions[..index].iter().any(|earlier| earlier.id == id);
        let own = submissions[index].id.clone();
        let id = (1..).map(|n| if n == 1 { own.clone() } else { format!("{own} ({n})") }).find(|id| !taken(id));
        submissions[index].id = id.unwrap_or(own);
        submissions[index].expectations.clear();
    }
    submissions
}

/// What a word names.
enum Named {
    /// Submissions of a package.
    Inside(PathBuf, Vec<Submission>),
    /// A file or directory.
    Outside(PathBuf),
}

/// The package, and the submissions in the order in which they were named.
fn entered(config: &Config, args: &CompareArgs) -> Result<(LoadedPackage, Vec<Submission>), Failure> {
    let words = args.submissions.iter().map(|word| one_word(config, word));
    let words = words.collect::<Result<Vec<_>, _>>()?;
    let inside = words.iter().find_map(|word| if let Named::Inside(package, _) = word { Some(package) } else { None });
    let outside = words.iter().find_map(|word| if let Named::Outside(path) = word { Some(path) } else { None });
    let package = match (&args.problem, inside, outside) {
        (Some(problem), ..) => named(config, problem)?,
        (None, Some(package), _) => package.clone(),
        (None, None, Some(path)) => guess(config, path)?,
        (None, None, None) => return Err(Failure::Usage("expected submissions to compare".to_owned())),
    };
    let mut submissions = Vec::new();
    for word in words {
        match word {
            Named::Inside(of, found) if of == package => submissions.extend(found),
            Named::Inside(of, _) => {
                let (one, other) = (config.told(&package), config.told(&of));
                return Err(Failure::Usage(format!(
                    "expected submissions of one problem, found `{one}` and `{other}`"
                )));
            }
            Named::Outside(path) => submissions.push(
                outside_submission(&path, &config.workspace.languages)
                    .map_err(|errors| Failure::Usage(errors.to_string()))?,
            ),
        }
    }
    Ok((load_package(config, &package)?, submissions))
}

fn load_package(config: &Config, package: &Path) -> Result<LoadedPackage, Failure> {
    load(package, &config.workspace).map_err(|errors| Failure::package(&errors, &config.workspace.root))
}

/// Submissions of a package, by name or by where they lie; or else whatever lies at the path.
fn one_word(config: &Config, word: &str) -> Result<Named, Failure> {
    let path = config.directory.join(word).canonicalize().ok();
    let selection = match select(&config.workspace, &[word.to_owned()], &config.directory) {
        Ok(selection) => selection,
        Err(error @ SelectError::NoMatch { .. }) => {
            return path.map(Named::Outside).ok_or_else(|| select_failure(&error));
        }
        Err(error) => return Err(select_failure(&error)),
    };
    let mut found = Vec::new();
    for package in selection.packages.iter().filter(|package| package.filter.names_submissions()) {
        let submissions = load_package(config, &package.directory)?.problem.submissions;
        let wanted: Vec<_> = submissions.into_iter().filter(|of| package.filter.matches_submission(&of.id)).collect();
        if !wanted.is_empty() {
            found.push(Named::Inside(package.directory.clone(), wanted));
        }
    }
    match (found.len(), path) {
        (1, _) => Ok(found.remove(0)),
        // A draft may lie beside the package's files. Of directories in a package, only submissions are programs.
        (0, Some(path))
            if path.is_file() || selection.packages.iter().all(|package| !path.starts_with(&package.directory)) =>
        {
            Ok(Named::Outside(path))
        }
        (0, _) => Err(Failure::NothingSelected(format!(
            "`{word}` names no submission\nhint: name a file, or a solution such as `PROBLEM/accepted/NAME`"
        ))),
        (several, _) => Err(Failure::Usage(format!("`{word}` names submissions of {several} problems; expected one"))),
    }
}

/// Times what was judged. `None` when it was interrupted.
fn timed(
    config: &Config,
    args: &CompareArgs,
    plan: &Plan,
    state: &RunState,
    ready: &Ready,
    counter: Option<Counter>,
) -> Result<Option<Comparison>, Failure> {
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let drawn = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::from(since.subsec_nanos()));
    let settings = Settings {
        run: ready.settings.clone(),
        // The first core has the interrupts of most devices.
        core: host::physical_cores().last().copied(),
        budget: args.budget,
        precision: args.precision,
        margin: MARGIN,
        seed: args.seed.unwrap_or(drawn),
        processor: host::processor(),
        counter,
    };
    let mut bar = silent_terminal(config, Box::new(io::sink()));
    let means = Means { toolchains: &ready.toolchains, sandbox: &ready.sandbox, cancel: &cancel };
    let comparison = compare(plan, state, means, &settings, &mut |progress| bar.progress(progress));
    bar.finish().map_err(|source| Failure::Write { what: "progress".to_owned(), source })?;
    Ok(comparison?)
}

fn tell(
    config: &Config,
    args: &CompareArgs,
    comparison: &Comparison,
    report: &ComparisonReport,
    pages: Vec<WholeFile>,
) -> Result<(), Failure> {
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    if let Some(path) = args.json.as_deref().filter(|_| !to_stdout) {
        let file = WholeFile::create(&config.directory.join(path))?;
        let written = writeln!(file.clone_handle()?, "{}", comparison.to_json());
        written.map_err(|source| Failure::Write { what: format!("`{}`", path.display()), source })?;
        file.keep()?;
    }
    for page in pages {
        page.keep_with(&report.to_html())?;
    }
    if to_stdout {
        return print(&format!("{}\n", comparison.to_json()));
    }
    let terminal = &config.terminal;
    print(&if args.markdown {
        report.to_markdown()
    } else {
        report.to_text(terminal.look, terminal.verbosity == Verbosity::Quiet)
    })
}

fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|source| Failure::Write { what: "the report".to_owned(), source })
}

/// A report that nobody sees, for its bar.
fn silent_terminal(config: &Config, results: Box<dyn Write + Send>) -> Terminal {
    let bar = if config.progress { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    Terminal::new(config.terminal, results, bar)
}

/// The run that compares answers: only its state matters, unless it goes wrong. Then its report is told.
struct FirstRun {
    state: RunState,
    terminal: Terminal,
    text: Kept,
}

/// A writer into memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl FirstRun {
    fn new(config: &Config) -> Self {
        let text = Kept::default();
        let terminal = silent_terminal(config, Box::new(text.clone()));
        Self { state: RunState::default(), terminal, text }
    }

    /// The exit code, when there is nothing that could be compared.
    fn stands_in_the_way(&self) -> Option<ExitCode> {
        let code = exit_code::of(&self.state);
        let skipped = self.state.counts().skipped > 0;
        match code {
            ExitCode::AsExpected | ExitCode::ExpectationViolated => skipped.then_some(ExitCode::HostFault),
            other => Some(other),
        }
    }

    fn told(mut self) -> Result<String, Failure> {
        self.terminal.finish().map_err(|source| Failure::Write { what: "the report".to_owned(), source })?;
        let bytes = self.text.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Observer for FirstRun {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.state.apply(event);
        self.terminal.event(event)
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.terminal.progress(progress)
    }
}
