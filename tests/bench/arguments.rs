//! The command line.

use std::{path::PathBuf, time::Duration};

use sightglass_tests::programs;

use crate::setting::Setting;

pub const USAGE: &str = "\
usage: sightglass-bench [--runs N] [--server PATH] [--soak [MINUTES]] [GROUP]…
       sightglass-bench --quick

  GROUP          launch, list, model, flood, results, calls, requests, connect, fleet,
                 sidebar, search, session or timeline; all without any
  --quick        hold the figures of tests/bench/baseline.toml against it, in four minutes,
                 and end with 1 where one is worse
  --runs N       how often a measurement is repeated (default 3); the median counts
  --soak         work for so long (default 30 minutes) with servers that break off, and say
                 what memory and open files do; nothing else without a GROUP
  --server PATH  another load server, with the options (--load, --tools, --page-size) and the
                 tools (echo, log_burst, big_result) of sightglass-demo-server";

const DEFAULT_SOAK: Duration = Duration::from_secs(30 * 60);

/// Measurements that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Launch,
    List,
    Model,
    Flood,
    Results,
    Calls,
    Requests,
    Connecting,
    Fleet,
    Sidebar,
    Search,
    Session,
    Timeline,
    Soak,
}

impl Group {
    /// Those that are measured without being named: all but the soak.
    pub const ALL: [(&'static str, Self); 13] = [
        ("launch", Self::Launch),
        ("list", Self::List),
        ("model", Self::Model),
        ("flood", Self::Flood),
        ("results", Self::Results),
        ("calls", Self::Calls),
        ("requests", Self::Requests),
        ("connect", Self::Connecting),
        ("fleet", Self::Fleet),
        ("sidebar", Self::Sidebar),
        ("search", Self::Search),
        ("session", Self::Session),
        ("timeline", Self::Timeline),
    ];
}

/// Work that the command line asks for.
pub enum Asked {
    Groups(Vec<(&'static str, Group)>),
    /// Figures of the baseline.
    Quick,
}

pub struct Arguments {
    pub asked: Asked,
    pub setting: Setting,
}

/// Reads the arguments after the program's name.
///
/// # Errors
/// A sentence for whoever typed them.
pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = arguments.peekable();
    let mut is_quick = false;
    let mut others = 0;
    let mut groups = Vec::new();
    let mut runs = 3;
    let mut soak = DEFAULT_SOAK;
    let mut server = None;
    while let Some(argument) = arguments.next() {
        if argument == "--quick" {
            is_quick = true;
            continue;
        }
        others += 1;
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--runs" => {
                let text = value()?;
                runs = text
                    .parse()
                    .ok()
                    .filter(|runs| *runs > 0)
                    .ok_or(format!("--runs takes a number from 1, not {text}"))?;
            }
            "--soak" => {
                groups.push(("soak", Group::Soak));
                if let Some(minutes) = arguments.peek().and_then(|text| text.parse::<u64>().ok()) {
                    arguments.next();
                    soak = Duration::from_secs(minutes * 60);
                }
            }
            "--server" => server = Some(PathBuf::from(value()?)),
            name => {
                let group = Group::ALL.iter().find(|(known, _)| *known == name);
                groups.push(*group.ok_or(format!("there is no group of measurements {name}"))?);
            }
        }
    }
    // The baseline holds for what it was taken with.
    if is_quick && others > 0 {
        return Err("--quick stands alone".to_owned());
    }
    if groups.is_empty() {
        groups = Group::ALL.to_vec();
    }
    let asked = if is_quick {
        Asked::Quick
    } else {
        Asked::Groups(groups)
    };
    let server = match server {
        Some(path) => path
            .canonicalize()
            .map_err(|error| format!("{}: {error}", path.display()))?,
        None => programs::own("sightglass-demo-server"),
    };
    Ok(Arguments {
        asked,
        setting: Setting { runs, soak, server },
    })
}
