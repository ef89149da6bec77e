//! Parses the command line.

use std::time::Duration;

use crate::protocol::Eras;

/// Text that `--help` prints.
pub const HELP: &str = "\
An MCP server that shows everything a client has to handle: every kind of schema,
result, notification, request to the client, and failure. It speaks MCP 2024-11-05
to 2025-11-25 (initialize) and 2026-07-28 (stateless), over stdio or HTTP.

Usage: sightglass-demo-server [OPTIONS]

Transport
  --http PORT             Serve Streamable HTTP on 127.0.0.1:PORT instead of stdio.
                          0 picks a port. The first line on stdout is
                          'listening on http://127.0.0.1:PORT/mcp'
  --json                  Over HTTP, answer with one JSON body instead of an event
                          stream; notifications then need the GET stream
  --era both|legacy|modern
                          legacy: only 'initialize'; modern: only 2026-07-28
                          [default: both]

Catalogue
  --page-size N           Items per page of every list; 0 = all in one page
                          [default: 10; 100 with --load]
  --update-interval-ms N  How often demo://clock changes [default: 2000]
  --load                  Load mode: a few tools for measuring and N generated ones
  --tools N               Tools in all, with --load [default: 1000]
  --resources N           Resources in all, with --load [default: 100]
  --prompts N             Prompts in all, with --load [default: 100]
  --conformance           List the tools too that the official conformance suite asks
                          for in its scenarios of tasks
  --startup-delay-ms N    Wait before reading or listening [default: 0]

Faults, for testing a client
  --fault NAME            exit                   exit before reading anything
                          exit-after-initialize  answer the handshake, then exit
                          hang-initialize        never answer the handshake
                          hang-handshake         over HTTP, never accept what follows
                                                 the answer to 'initialize'
                          hang-resources         never answer resources/list
                          hang-tools             never answer tools/list
                          hang-prompts           never answer prompts/list
                          endless-pages          tools/list always has a next page
                          bad-json               answer the handshake with broken JSON
                          wrong-version          answer with a version nobody speaks
                          refuse-initialize      answer the handshake with an error
                          malformed-tool         one malformed tool among good ones
                          invalid-header-tool    one tool with an invalid x-mcp-header
  --exit-code N           Exit code of the exit faults [default: 1]
  --stderr TEXT           Write TEXT to stderr at start
  --ignore-sigterm        Do not end on SIGTERM (Unix)
  --ignore-eof            Do not end when stdin is closed
  --fork-child            Start a child process that outlives this one

  --help                  Show this text
  --version               Show the version
";

/// Transport that the server listens on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListenTransport {
    /// JSON lines on stdin and stdout.
    Stdio,
    /// Streamable HTTP on the loopback interface.
    Http {
        /// 0 lets the system choose.
        port: u16,
        /// Form of the answers to requests.
        answers: Answers,
    },
}

/// The two shapes in which Streamable HTTP lets a server answer a POST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// `text/event-stream`.
    EventStream,
    /// `application/json`.
    Json,
}

/// A failure acted out on purpose. Each is explained in [`HELP`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Exit,
    ExitAfterInitialize,
    HangInitialize,
    HangHandshake,
    HangResources,
    HangTools,
    HangPrompts,
    EndlessPages,
    BadJson,
    WrongVersion,
    RefuseInitialize,
    MalformedTool,
    InvalidHeaderTool,
}

impl Fault {
    const ALL: [(&'static str, Fault); 13] = [
        ("exit", Fault::Exit),
        ("exit-after-initialize", Fault::ExitAfterInitialize),
        ("hang-initialize", Fault::HangInitialize),
        ("hang-handshake", Fault::HangHandshake),
        ("hang-resources", Fault::HangResources),
        ("hang-tools", Fault::HangTools),
        ("hang-prompts", Fault::HangPrompts),
        ("endless-pages", Fault::EndlessPages),
        ("bad-json", Fault::BadJson),
        ("wrong-version", Fault::WrongVersion),
        ("refuse-initialize", Fault::RefuseInitialize),
        ("malformed-tool", Fault::MalformedTool),
        ("invalid-header-tool", Fault::InvalidHeaderTool),
    ];
}

/// Content of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Catalogue {
    /// The hand-written tools, resources and prompts.
    Demo,
    /// Generated ones, for measuring.
    Load {
        /// Tools in all, the few hand-written ones included.
        tools: usize,
        /// Resources in all.
        resources: usize,
        /// Prompts in all.
        prompts: usize,
    },
}

/// Everything the command line can say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Stdio or HTTP.
    pub transport: ListenTransport,
    /// Lifecycles that are served.
    pub eras: Eras,
    /// Content of the lists.
    pub catalogue: Catalogue,
    /// Items per page; `None` means all in one page.
    pub page_size: Option<usize>,
    /// Interval at which `demo://clock` changes.
    pub update_interval: Duration,
    /// True when the tools that the official conformance suite asks for are listed too.
    pub conformance: bool,
    /// Time to wait before anything else.
    pub startup_delay: Duration,
    /// The failure to act out.
    pub fault: Option<Fault>,
    /// Exit code of the exit faults.
    pub exit_code: u8,
    /// Text for stderr at start.
    pub stderr: Option<String>,
    /// True when SIGTERM is caught and ignored.
    pub ignore_sigterm: bool,
    /// True when the end of stdin is ignored.
    pub ignore_eof: bool,
    /// True to start a child process that outlives this one.
    pub fork_child: bool,
    /// Set in the process that `fork_child` starts: do nothing but stay alive.
    pub linger: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            transport: ListenTransport::Stdio,
            eras: Eras::Both,
            catalogue: Catalogue::Demo,
            page_size: Some(10),
            update_interval: Duration::from_millis(2000),
            startup_delay: Duration::ZERO,
            fault: None,
            exit_code: 1,
            stderr: None,
            ignore_sigterm: false,
            conformance: false,
            ignore_eof: false,
            fork_child: false,
            linger: false,
        }
    }
}

/// The outcome of reading a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    /// Serve with these options.
    Serve(Box<Options>),
    /// `--help` was asked for: print [`HELP`].
    Help,
    /// `--version` was asked for.
    Version,
}

/// A command line that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// No option of that name.
    #[error("unknown option '{0}' (try --help)")]
    Unknown(String),
    /// The option wants a value after it.
    #[error("{0} needs a value")]
    MissingValue(&'static str),
    /// The value is not one of those allowed.
    #[error("{option} does not accept '{value}': expected {expected}")]
    InvalidValue {
        /// The option.
        option: &'static str,
        /// The value that was given.
        value: String,
        /// The values that are accepted.
        expected: &'static str,
    },
    /// The option only means something together with another one.
    #[error("{option} needs {needed}")]
    Needs {
        /// The option.
        option: &'static str,
        /// The option it depends on.
        needed: &'static str,
    },
}

/// The argument that turns the program into the child started by `--fork-child`.
pub(crate) const LINGER: &str = "--linger";

impl Options {
    /// Reads the arguments that follow the program's (or the subcommand's) name.
    ///
    /// # Errors
    ///
    /// Says which argument is wrong and what would have been right.
    pub fn parse<I>(arguments: I) -> Result<Parsed, OptionsError>
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let mut arguments = arguments.into_iter().map(Into::into);
        let mut options = Options::default();
        let (mut http, mut json, mut load, mut page_size) = (None, false, false, None);
        let (mut tools, mut resources, mut prompts) = (None, None, None);

        while let Some(argument) = arguments.next() {
            let argument: String = argument;
            // `--name=value` and `--name value` mean the same.
            let (name, inline) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => {
                    (name.to_owned(), Some(value.to_owned()))
                }
                _ => (argument, None),
            };
            let mut value = |option: &'static str| {
                inline
                    .clone()
                    .or_else(|| arguments.next())
                    .ok_or(OptionsError::MissingValue(option))
            };
            match name.as_str() {
                "--help" | "-h" => return Ok(Parsed::Help),
                "--version" | "-V" => return Ok(Parsed::Version),
                "--http" => http = Some(number("--http", &value("--http")?, "a port number")?),
                "--json" => json = true,
                "--era" => options.eras = eras(&value("--era")?)?,
                "--page-size" => page_size = Some(count("--page-size", &value("--page-size")?)?),
                "--update-interval-ms" => {
                    options.update_interval =
                        milliseconds("--update-interval-ms", &value("--update-interval-ms")?)?;
                }
                "--load" => load = true,
                "--tools" => tools = Some(count("--tools", &value("--tools")?)?),
                "--resources" => resources = Some(count("--resources", &value("--resources")?)?),
                "--prompts" => prompts = Some(count("--prompts", &value("--prompts")?)?),
                "--startup-delay-ms" => {
                    options.startup_delay =
                        milliseconds("--startup-delay-ms", &value("--startup-delay-ms")?)?;
                }
                "--fault" => options.fault = Some(fault(&value("--fault")?)?),
                "--exit-code" => {
                    options.exit_code = number("--exit-code", &value("--exit-code")?, "0 to 255")?;
                }
                "--stderr" => options.stderr = Some(value("--stderr")?),
                "--ignore-sigterm" => options.ignore_sigterm = true,
                "--conformance" => options.conformance = true,
                "--ignore-eof" => options.ignore_eof = true,
                "--fork-child" => options.fork_child = true,
                LINGER => options.linger = true,
                _ => return Err(OptionsError::Unknown(name)),
            }
        }

        if let Some(port) = http {
            let answers = if json {
                Answers::Json
            } else {
                Answers::EventStream
            };
            options.transport = ListenTransport::Http { port, answers };
        } else if json {
            return Err(OptionsError::Needs {
                option: "--json",
                needed: "--http",
            });
        }
        if load {
            options.catalogue = Catalogue::Load {
                tools: tools.unwrap_or(1000),
                resources: resources.unwrap_or(100),
                prompts: prompts.unwrap_or(100),
            };
            options.page_size = Some(100);
        } else if tools.or(resources).or(prompts).is_some() {
            return Err(OptionsError::Needs {
                option: "--tools, --resources or --prompts",
                needed: "--load",
            });
        }
        match page_size {
            Some(0) => options.page_size = None,
            Some(size) => options.page_size = Some(size),
            None => {}
        }
        Ok(Parsed::Serve(Box::new(options)))
    }
}

fn number<N: std::str::FromStr>(
    option: &'static str,
    value: &str,
    expected: &'static str,
) -> Result<N, OptionsError> {
    value.parse().map_err(|_| OptionsError::InvalidValue {
        option,
        value: value.to_owned(),
        expected,
    })
}

fn count(option: &'static str, value: &str) -> Result<usize, OptionsError> {
    number(option, value, "a whole number")
}

fn milliseconds(option: &'static str, value: &str) -> Result<Duration, OptionsError> {
    number(option, value, "a number of milliseconds").map(Duration::from_millis)
}

fn eras(value: &str) -> Result<Eras, OptionsError> {
    match value {
        "both" => Ok(Eras::Both),
        "legacy" => Ok(Eras::InitializeOnly),
        "modern" => Ok(Eras::ModernOnly),
        _ => Err(OptionsError::InvalidValue {
            option: "--era",
            value: value.to_owned(),
            expected: "both, legacy or modern",
        }),
    }
}

fn fault(value: &str) -> Result<Fault, OptionsError> {
    Fault::ALL
        .into_iter()
        .find_map(|(name, fault)| (name == value).then_some(fault))
        .ok_or_else(|| OptionsError::InvalidValue {
            option: "--fault",
            value: value.to_owned(),
            expected: "one of those listed by --help",
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serve(arguments: &[&str]) -> Options {
        match Options::parse(arguments.iter().copied()).unwrap() {
            Parsed::Serve(options) => *options,
            other => panic!("expected options, got {other:?}"),
        }
    }

    #[test]
    fn no_arguments_mean_stdio_and_small_pages() {
        let options = serve(&[]);
        assert_eq!(options.transport, ListenTransport::Stdio);
        assert_eq!(options.page_size, Some(10));
    }

    #[test]
    fn load_mode_has_larger_pages_and_zero_means_one_page() {
        assert_eq!(serve(&["--load"]).page_size, Some(100));
        assert_eq!(serve(&["--page-size", "0", "--load"]).page_size, None);
        assert_eq!(
            serve(&["--load", "--tools=5"]).catalogue,
            Catalogue::Load {
                tools: 5,
                resources: 100,
                prompts: 100
            }
        );
    }

    #[test]
    fn counts_without_load_mode_are_refused_rather_than_ignored() {
        assert!(matches!(
            Options::parse(["--tools", "5"]),
            Err(OptionsError::Needs {
                needed: "--load",
                ..
            })
        ));
        assert!(matches!(
            Options::parse(["--json"]),
            Err(OptionsError::Needs { .. })
        ));
    }

    #[test]
    fn every_fault_that_exists_is_explained_by_help() {
        for (name, fault) in Fault::ALL {
            assert!(HELP.contains(name), "{name} is missing from --help");
            assert_eq!(serve(&["--fault", name]).fault, Some(fault));
        }
    }

    #[test]
    fn mistakes_name_the_option_and_what_is_expected() {
        let error = Options::parse(["--http", "many"]).unwrap_err().to_string();
        assert_eq!(
            error,
            "--http does not accept 'many': expected a port number"
        );
        assert_eq!(
            Options::parse(["--http"]),
            Err(OptionsError::MissingValue("--http"))
        );
        assert_eq!(
            Options::parse(["--htpp"]),
            Err(OptionsError::Unknown("--htpp".to_owned()))
        );
    }
}
