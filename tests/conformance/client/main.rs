//! The client that the official conformance suite runs: [`Inspector`] with nobody at the screen.
//!
//! The suite starts a server, then this program with the server's URL as its last argument. The
//! environment says which protocol revision is meant (`MCP_CONFORMANCE_PROTOCOL_VERSION`), and
//! for some scenarios what to do (`MCP_CONFORMANCE_CONTEXT`, JSON). No scenario is known here by
//! its name: whatever the server offers is used once, its questions are answered, and a request
//! without an answer is a failure. An error is an answer: one server lists a tool that it does
//! not let anybody call.

mod answers;
mod signing_in;

use std::{env, process::ExitCode, sync::Arc};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sightglass_inspector::{
    ConfirmationMode, ConnectionEvent, Endpoint, EraChoice, Inspector, InspectorOptions, ListKind,
    Persistence, Phase, Places, RemoteEndpoint, RequestEnd, ServerId, ServerSpec, TimeLimits,
    view::{CallReport, Fact, ItemView},
};
use tempfile::TempDir;

use signing_in::{Browser, Credentials};

/// The first revision of the stateless era. Revisions are dates and compare as text.
const FIRST_MODERN: &str = "2026-07-28";

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Values that the suite adds for some scenarios.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Context {
    /// The calls to make, instead of one of each tool.
    #[serde(default)]
    tool_calls: Vec<ToolCall>,
    #[serde(flatten)]
    credentials: Credentials,
}

#[derive(Deserialize)]
struct ToolCall {
    name: String,
    arguments: Box<RawValue>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sightglass-conformance: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Outcome {
    let url = env::args().next_back().ok_or("there is no URL")?;
    let version = env::var("MCP_CONFORMANCE_PROTOCOL_VERSION").unwrap_or_default();
    let context: Context = match env::var("MCP_CONFORMANCE_CONTEXT") {
        Ok(context) => serde_json::from_str(&context)?,
        Err(_) => Context::default(),
    };
    let directory = TempDir::new()?;
    let options = InspectorOptions {
        places: Places {
            home: directory.path().to_owned(),
            project: directory.path().to_owned(),
        },
        data_directory: directory.path().join("data"),
        system_root: directory.path().to_owned(),
        persistence: Persistence::Nothing,
        confirmation: ConfirmationMode::Agreed,
        lists: ListKind::ALL.to_vec(),
        demo: None,
        reaper: None,
        environment: Arc::new(|name| (name == "SIGHTGLASS_KEYCHAIN").then(|| "off".to_owned())),
    };
    let inspector = Inspector::open_on(options, Arc::new(Browser));
    answer_questions(&inspector);
    let client = Client {
        inspector: inspector.clone(),
        server: ServerId::new("conformance", "server"),
    };
    let used = client.use_everything(url, &version, &context).await;
    inspector.shutdown().await;
    used
}

struct Client {
    inspector: Arc<Inspector>,
    server: ServerId,
}

impl Client {
    async fn use_everything(&self, url: String, version: &str, context: &Context) -> Outcome {
        self.connect(url, version, &context.credentials).await?;
        if context.tool_calls.is_empty() {
            self.call_each_tool().await?;
        }
        for call in &context.tool_calls {
            self.call(&call.name, call.arguments.get()).await?;
        }
        for resource in self.items(ListKind::Resources)? {
            let uri = &resource.name;
            let read = self
                .inspector
                .calls
                .resources
                .read_resource(&self.server, uri, uri)
                .await?;
            answered(&read, uri)?;
        }
        for prompt in self.items(ListKind::Prompts)? {
            let arguments = answers::prompt_arguments(&serde_json::from_str(&prompt.json)?);
            let name = &prompt.name;
            let got = self
                .inspector
                .calls
                .requests
                .get_prompt(&self.server, name, name, &arguments)
                .await?;
            answered(&got, name)?;
        }
        self.load_skills().await
    }

    /// Lists the skills of a server that has some, and loads each as far as its files are those that
    /// were listed. One scenario looks at what is read before that.
    async fn load_skills(&self) -> Outcome {
        let Ok(list) = self
            .inspector
            .calls
            .skills
            .skills(&self.server, "skills")
            .await
        else {
            return Ok(());
        };
        if scenario().ends_with("no-prefetch") {
            return Ok(());
        }
        for skill in list.skills {
            let entry = self
                .inspector
                .calls
                .skills
                .skill(&self.server, "skill", &skill.uri);
            for file in entry.await?.files {
                let key = &file.uri;
                let read = self
                    .inspector
                    .calls
                    .skills
                    .read_skill_file(&self.server, key, &skill.uri, &file.uri)
                    .await?;
                if !read.file.findings.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    }

    async fn connect(&self, url: String, version: &str, credentials: &Credentials) -> Outcome {
        // Skills are of this era alone (SEP-2640), and their scenarios name no revision.
        let has_skills = scenario().starts_with("sep-2640");
        let era = if version >= FIRST_MODERN || has_skills {
            EraChoice::Modern
        } else {
            EraChoice::Legacy
        };
        let spec = ServerSpec {
            name: "conformance".into(),
            endpoint: Endpoint::Remote(RemoteEndpoint::at(url)),
            era,
            limits: TimeLimits::default(),
            client: Default::default(),
            is_recorded: true,
            expanded: Vec::new(),
            references: Vec::new(),
        };
        let mut facts = self.inspector.subscribe();
        self.inspector
            .servers
            .sign_in_targets
            .add_ad_hoc_server(&self.server, spec.clone());
        credentials.enter(&self.inspector, &self.server).await?;
        self.inspector
            .servers
            .lifecycle
            .connect_as(&self.server, spec.clone())?;
        loop {
            let status = self.inspector.servers.open_connections.status(&self.server);
            if let Some(failure) = &status.failure
                && signing_in::is_wanted(&failure.failure)
            {
                // Where nobody takes part, the next connection signs in for itself.
                if signing_in::agree(&self.inspector, &self.server).await {
                    self.inspector
                        .servers
                        .lifecycle
                        .connect_as(&self.server, spec.clone())?;
                    while self
                        .inspector
                        .servers
                        .open_connections
                        .status(&self.server)
                        .connection
                        == status.connection
                    {
                        facts.next_batch().await.ok_or("the facts ended")?;
                    }
                    continue;
                }
                return signing_in::sign_in(&self.inspector, &self.server).await;
            }
            if let Some(failure) = status.failure {
                return Err(format!("{}: {:?}", failure.reason, failure.failure).into());
            }
            if status.phase == Phase::Ready {
                return Ok(());
            }
            facts.next_batch().await.ok_or("the facts ended")?;
        }
    }

    async fn call_each_tool(&self) -> Outcome {
        let tools = self.items(ListKind::Tools)?;
        let schemas = tools.iter().map(|tool| answers::input_schema(&tool.json));
        let schemas: Vec<Box<RawValue>> = schemas.collect::<Result<_, _>>()?;
        for (tool, schema) in tools.iter().zip(&schemas) {
            // A server that wants to see a schema gets one that it sent itself, as it came.
            let arguments = answers::arguments(schema, &schemas[0])?;
            self.call(&tool.name, &arguments).await?;
        }
        Ok(())
    }

    async fn call(&self, tool: &str, arguments: &str) -> Outcome {
        let mut report = self.call_once(tool, arguments).await?;
        // The token may allow everything but this.
        if answered(&report, tool).is_err()
            && signing_in::is_wanted_now(&self.inspector, &self.server).await
        {
            signing_in::sign_in(&self.inspector, &self.server).await?;
            report = self.call_once(tool, arguments).await?;
        }
        answered(&report, tool)
    }

    async fn call_once(
        &self,
        tool: &str,
        arguments: &str,
    ) -> Result<CallReport, Box<dyn std::error::Error>> {
        Ok(self
            .inspector
            .calls
            .requests
            .call_tool(&self.server, tool, tool, arguments, None, None)
            .await?)
    }

    /// The items of a list that can be used.
    fn items(&self, list: ListKind) -> Result<Vec<ItemView>, Box<dyn std::error::Error>> {
        let rows = self
            .inspector
            .calls
            .lists
            .items(&self.server, list, "", 0, u32::MAX)?
            .rows;
        let usable = rows.into_iter().filter(|row| row.problem.is_none());
        let items = usable.map(|row| {
            self.inspector
                .calls
                .lists
                .item(&self.server, list, row.index)
        });
        Ok(items.collect::<Result<_, _>>()?)
    }
}

/// The name of the scenario that runs.
fn scenario() -> String {
    env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default()
}

fn answered(report: &CallReport, what: &str) -> Outcome {
    match &report.request.end {
        RequestEnd::Result | RequestEnd::Error => Ok(()),
        end => Err(format!(
            "{what}: {end:?}, {:?}, {:?}",
            report.error, report.request.message
        )
        .into()),
    }
}

/// Answers what the server asks, as a user who agrees to everything.
fn answer_questions(inspector: &Arc<Inspector>) {
    let mut facts = inspector.subscribe();
    let inspector = inspector.clone();
    tokio::spawn(async move {
        while let Some(batch) = facts.next_batch().await {
            for event in batch {
                let Fact::Connection { event } = event.fact else {
                    continue;
                };
                if let ConnectionEvent::QuestionArrived { question } = *event {
                    let params: Value = serde_json::from_str(&question.params).unwrap_or_default();
                    let answer = answers::answer(&question.method, &params);
                    // It may have been withdrawn by now.
                    let _ = inspector
                        .calls
                        .requests
                        .answer_question(question.id, answer);
                }
            }
        }
    });
}
