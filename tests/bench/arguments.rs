//! The command line.

use std::path::PathBuf;

use sightglass_tests::programs;

use crate::setting::Setting;

pub const USAGE: &str = "\
usage: sightglass-bench [--runs N] [--server PATH] [GROUP]…

  GROUP          launch, list, flood, results, calls, fleet or search; all without any
  --runs N       how often a measurement is repeated (default 3); the median counts
  --server PATH  another load server, with the options (--load, --tools, --page-size) and the
                 tools (echo, log_burst, big_result) of sightglass-demo-server";

/// Measurements that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Launch,
    List,
    Flood,
    Results,
    Calls,
    Fleet,
    Search,
}

impl Group {
    pub const ALL: [(&'static str, Self); 7] = [
        ("launch", Self::Launch),
        ("list", Self::List),
        ("flood", Self::Flood),
        ("results", Self::Results),
        ("calls", Self::Calls),
        ("fleet", Self::Fleet),
        ("search", Self::Search),
    ];
}

pub struct Arguments {
    pub groups: Vec<(&'static str, Group)>,
    pub setting: Setting,
}

/// Reads the arguments after the program's name.
///
/// # Errors
/// A sentence for whoever typed them.
pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut groups = Vec::new();
    let mut runs = 3;
    let mut server = None;
    while let Some(argument) = arguments.next() {
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
            "--server" => server = Some(PathBuf::from(value()?)),
            name => {
                let group = Group::ALL.iter().find(|(known, _)| *known == name);
                groups.push(*group.ok_or(format!("there is no group of measurements {name}"))?);
            }
        }
    }
    if groups.is_empty() {
        groups = Group::ALL.to_vec();
    }
    let server = match server {
        Some(path) => path
            .canonicalize()
            .map_err(|error| format!("{}: {error}", path.display()))?,
        None => programs::own("sightglass-demo-server"),
    };
    Ok(Arguments {
        groups,
        setting: Setting { runs, server },
    })
}
