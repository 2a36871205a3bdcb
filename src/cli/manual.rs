//! `adoube manual`: prints the chapters of the manual and writes man pages.

use super::Cli;
use super::tables::table;
use crate::manual::CHAPTERS;
use anyhow::Context;
use clap::CommandFactory;
use clap::builder::styling::Style;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Read the manual, or write man pages
///
/// Without a chapter, lists the chapters. At a terminal, titles and tables are formatted; otherwise
/// the Markdown is printed unchanged.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Chapter to print
    #[arg(value_parser = chapters())]
    chapter: Option<String>,
    /// Write man pages to this folder: adoube.1 and one for each command
    #[arg(long, value_name = "DIR", conflicts_with = "chapter")]
    man: Option<PathBuf>,
}

fn chapters() -> PossibleValuesParser {
    CHAPTERS.iter().map(|chapter| PossibleValue::new(chapter.name).help(chapter.about)).into()
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(folder) = &args.man {
        write_man_pages(folder).with_context(|| folder.display().to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    let chapter = CHAPTERS.iter().find(|chapter| args.chapter.as_deref() == Some(chapter.name));
    let terminal = io::stdout().is_terminal();
    let text = match chapter {
        None => contents(),
        Some(chapter) if terminal => render(chapter.text),
        Some(chapter) => chapter.text.to_owned(),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn contents() -> String {
    let width = CHAPTERS.iter().map(|chapter| chapter.name.len()).max().unwrap_or(0);
    let line = |name: &str, about: &str| format!("  {name:width$}  {about}\n");
    let lines = CHAPTERS.iter().map(|chapter| line(chapter.name, chapter.about));
    format!("adoube manual CHAPTER prints one of these:\n\n{}", lines.collect::<String>())
}

/// Formats a chapter for a terminal: titles in bold, tables as wide as the terminal.
fn render(markdown: &str) -> String {
    let bold = Style::new().bold();
    let mut text = String::new();
    let mut code = false;
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code && line.trim_start().starts_with("<!--") {
            // Skip comments. They are only for the test that runs the examples.
        } else if code {
            text += &format!("    {line}\n");
        } else if line.starts_with('#') {
            text += &format!("{bold}{}{bold:#}\n", line.trim_start_matches(['#', ' ']));
        } else if let Some(header) = cells(line) {
            let mut table = table(&header);
            // Skip the line of dashes below the header.
            lines.next();
            while let Some(row) = lines.next_if(|line| line.starts_with('|')).and_then(cells) {
                table.add_row(row);
            }
            text += &format!("{table}\n");
        } else {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// Returns the cells of a table row, or `None` for any other line.
fn cells(line: &str) -> Option<Vec<&str>> {
    let row = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(row.split('|').map(str::trim).collect())
}

fn write_man_pages(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    // The man pages cover all commands except `help`. The processor level of this build is omitted.
    let program = Cli::command().disable_help_subcommand(true).long_version(None::<&str>);
    clap_mangen::generate_to(program.clone(), folder)?;
    let names = program.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<&str> = names.map(clap::Command::get_name).collect();
    for name in &names {
        add_sections(&folder.join(format!("adoube-{name}.1")), name, &[])?;
    }
    add_sections(&folder.join("adoube.1"), "", &names)
}

const MAX_EXAMPLES: usize = 6;

/// Appends two sections to a man page: examples of the command from the manual, and references to
/// related man pages and to the chapters that contain the examples.
fn add_sections(page: &Path, command: &str, others: &[&str]) -> anyhow::Result<()> {
    let mut text = std::fs::read_to_string(page)?;
    let start = format!("adoube {command}").trim_end().to_owned();
    let mut examples = Vec::new();
    let mut chapters = Vec::new();
    for chapter in CHAPTERS {
        let found = examples_of(chapter.text, &start);
        if !found.is_empty() {
            chapters.push(chapter.name);
        }
        examples.extend(found);
    }
    examples.dedup();
    if !examples.is_empty() {
        text += ".SH EXAMPLES\n";
        for example in examples.iter().take(MAX_EXAMPLES) {
            text += &format!(".PP\n.nf\n{}\n.fi\n", roff(example));
        }
    }
    text += ".SH \"SEE ALSO\"\n";
    let pages = others.iter().map(|name| format!("\\fBadoube\\-{}\\fR(1)", roff(name)));
    let pages = pages.chain((!command.is_empty()).then(|| "\\fBadoube\\fR(1)".to_owned()));
    let chapters = chapters.iter().map(|name| format!("\\fBadoube manual {name}\\fR"));
    text += &pages.chain(chapters).collect::<Vec<_>>().join(",\n");
    text.push('\n');
    Ok(std::fs::write(page, text)?)
}

/// Returns the commands that begin with `start` in a chapter's shell blocks, each with its
/// continuation lines.
fn examples_of(markdown: &str, start: &str) -> Vec<String> {
    let mut examples = Vec::new();
    let mut shell = false;
    let mut lines = markdown.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            shell = language == "sh";
            continue;
        }
        // The command may be on the right-hand side of a pipe.
        let command = line.split_once(" | ").map_or(line, |(_, command)| command);
        let is_command = [line, command].iter().any(|text| {
            text.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        if !shell || !is_command {
            continue;
        }
        let mut example = line.to_owned();
        while example.ends_with('\\') {
            let Some(next) = lines.next() else { break };
            example += &format!("\n    {next}");
        }
        examples.push(example);
    }
    examples
}

/// Escapes text for roff, the format of man pages.
fn roff(text: &str) -> String {
    let escaped = text.replace('\\', "\\e").replace('-', "\\-");
    let lines = escaped.lines().map(|line| match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_tables_hides_comments_and_keeps_code() {
        let text = render(
            "# Title\n\n| a | b |\n|---|---|\n| c | d |\n\n<!-- not run: why -->\n```sh\n| x | y |\n```\nend\n",
        );
        assert!(text.contains("Title") && !text.contains('#'), "{text}");
        assert!(text.contains("    | x | y |\nend\n"), "{text}");
        assert!(text.contains(" c ") && !text.contains("| c"), "{text}");
        assert!(!text.contains("<!--"), "{text}");
    }

    #[test]
    fn every_command_has_a_man_page() {
        let folder = tempfile::tempdir().expect("a folder");
        write_man_pages(folder.path()).expect("it can be written");
        for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let page = folder.path().join(format!("adoube-{}.1", command.get_name()));
            let text = std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("{page:?}"));
            assert!(text.contains(".SH SYNOPSIS"), "{page:?}");
            assert!(text.contains(".SH \"SEE ALSO\"\n\\fBadoube\\fR(1)"), "{page:?}");
            assert!(text.contains(".SH EXAMPLES"), "{page:?}: the manual has no example");
        }
        assert!(folder.path().join("adoube.1").exists());
        assert!(folder.path().join("adoube-match-merge.1").exists());
    }
}
