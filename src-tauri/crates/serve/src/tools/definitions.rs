//! The tools as they are listed.

use serde_json::{Map, Value, json};

/// ToolEffect of a tool (MCP, ToolAnnotations).
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToolEffect {
    /// It reads what is here.
    Reads,
    /// It starts or asks servers, and changes nothing there.
    Asks,
    /// It may change something.
    Acts,
    /// It calls something that may destroy, where the user need not confirm that.
    Calls,
}

/// Returns the definitions of all tools, in the order in which they are listed.
pub fn all() -> Value {
    let server = (
        "server",
        text("Name or id of a server, as list_servers has it"),
    );
    let offset = ("offset", number("Rows to pass over"));
    let filter = (
        "filter",
        text(
            "Words, /expressions/, and terms such as method:tools/call tool:NAME status:error is:slow; the \
         filter language of the window",
        ),
    );
    let record = (
        "record",
        choice(
            "serve is what happened through this server, window what the window recorded; serve by default",
            &["serve", "window"],
        ),
    );
    json!([
        tool(
            "list_servers",
            "List servers",
            "Lists the configured servers: client, transport, phase, why one is not up, and what keeps it \
             from being connected.",
            ToolEffect::Reads,
            vec![],
            vec![("filter", text("Part of a name")), offset.clone()],
        ),
        tool(
            "explain_server",
            "Explain a server",
            "Explains the state of a server: how far connecting came and how long each phase took, why it \
             failed, the last lines that it wrote, and what to do next. With examine the doctor checks the \
             way to it step by step, which starts or reaches it.",
            ToolEffect::Asks,
            vec![server.clone()],
            vec![(
                "examine",
                json!({ "type": "boolean", "description": "Run the doctor" })
            )],
        ),
        tool(
            "explain_config",
            "Explain the configuration",
            "Explains why a server is defined as it is: which file of which client wins, which are \
             shadowed, and in what they differ. Secrets are masked.",
            ToolEffect::Reads,
            vec![server.clone()],
            vec![],
        ),
        tool(
            "search_tools",
            "Search tools",
            "Finds tools, resources and prompts by a part of name, title or description, over all servers \
             that are connected. Says which are not.",
            ToolEffect::Reads,
            vec![("query", text("Part of a name, title or description"))],
            vec![],
        ),
        tool(
            "list_tools",
            "List tools",
            "Lists the tools of a server, which is connected for that: name, title, hints and the beginning \
             of the description.",
            ToolEffect::Asks,
            vec![server.clone()],
            vec![
                ("filter", text("Part of a name, title or description")),
                offset.clone()
            ],
        ),
        tool(
            "list_resources",
            "List resources",
            "Lists the resources and resource templates of a server, which is connected for that.",
            ToolEffect::Asks,
            vec![server.clone()],
            vec![
                ("filter", text("Part of an address, title or description")),
                offset.clone()
            ],
        ),
        tool(
            "list_prompts",
            "List prompts",
            "Lists the prompts of a server, which is connected for that.",
            ToolEffect::Asks,
            vec![server.clone()],
            vec![
                ("filter", text("Part of a name, title or description")),
                offset.clone()
            ],
        ),
        tool(
            "get_tool",
            "Get a tool",
            "Returns the whole definition of a tool as its server wrote it, with its schemas.",
            ToolEffect::Asks,
            vec![server.clone(), ("tool", text("Name of the tool"))],
            vec![],
        ),
        tool(
            "query_record",
            "Query the record",
            "Finds exchanges on record, the newest first: request, response, error, stderr, phase. At most \
             50; get_exchange has the messages.",
            ToolEffect::Reads,
            vec![],
            vec![
                filter.clone(),
                ("server", text("Only this server")),
                offset.clone(),
                record.clone(),
            ],
        ),
        tool(
            "get_exchange",
            "Get an exchange",
            "Returns a message of an exchange as it crossed the wire, secrets masked: a range of its \
             bytes.",
            ToolEffect::Reads,
            vec![(
                "exchange",
                number("Number of the exchange, from query_record")
            )],
            vec![
                (
                    "message",
                    choice("Which one; response by default", &["request", "response"]),
                ),
                ("offset", number("First byte")),
                ("length", number("Bytes, 4000 by default")),
                record.clone(),
            ],
        ),
        tool(
            "list_operations",
            "List operations",
            "Lists whole actions on record, the newest first: a call with its rounds, questions, \
             repetitions and HTTP requests counts as one.",
            ToolEffect::Reads,
            vec![],
            vec![filter, ("server", text("Only this server")), offset, record],
        ),
        tool(
            "get_drift",
            "Get the drift of a server",
            "Compares what a server shows of itself with what it showed when the user stored that: changes \
             that break callers first, and texts that changed under the user.",
            ToolEffect::Asks,
            vec![server.clone()],
            vec![],
        ),
        tool(
            "lint_server",
            "Lint a server",
            "Finds what clients do not understand in the tools, resources and prompts of a server, and what \
             misleads a model.",
            ToolEffect::Asks,
            vec![server.clone()],
            vec![],
        ),
        tool(
            "connect",
            "Connect",
            "Connects to a server and returns once it is ready or has failed. A server of a project that \
             the user has not approved is not started.",
            ToolEffect::Acts,
            vec![server.clone()],
            vec![],
        ),
        tool(
            "disconnect",
            "Disconnect",
            "Closes the connection to a server and ends its program.",
            ToolEffect::Acts,
            vec![server.clone()],
            vec![],
        ),
        tool(
            "call_tool",
            "Call a tool",
            "Calls a tool of a server. A call that the user has to confirm, such as of a tool that declares \
             that it destroys something, is refused. When the server asks something meanwhile, the answer \
             is question_pending, and the call waits for answer_question.",
            ToolEffect::Calls,
            vec![server.clone(), ("tool", text("Name of the tool"))],
            vec![(
                "arguments",
                json!({ "type": "object", "description": "Arguments by the schema of the tool" })
            )],
        ),
        tool(
            "read_resource",
            "Read a resource",
            "Reads a resource of a server.",
            ToolEffect::Asks,
            vec![server.clone(), ("uri", text("Address of the resource"))],
            vec![],
        ),
        tool(
            "get_prompt",
            "Get a prompt",
            "Gets the messages of a prompt of a server.",
            ToolEffect::Asks,
            vec![server.clone(), ("prompt", text("Name of the prompt"))],
            vec![(
                "arguments",
                json!({
                    "type": "object",
                    "description": "Arguments, all of them texts",
                    "additionalProperties": { "type": "string" },
                }),
            )],
        ),
        tool(
            "answer_question",
            "Answer a question",
            "Answers the question of a server for which a call waits, and returns the result of the call, \
             or its next question.",
            ToolEffect::Calls,
            vec![
                (
                    "question",
                    number("Number of the question, from question_pending")
                ),
                (
                    "action",
                    choice("What to do with it", &["accept", "decline", "cancel"]),
                ),
            ],
            vec![(
                "content",
                json!({
                    "type": "object",
                    "description": "With accept: the values of the form, or for sampling the whole result \
                                    with role, content and model",
                }),
            )],
        ),
        tool(
            "run_tests",
            "Run tests",
            "Runs the tests of the project, files below .sightglass/requests, and returns what failed. What \
             they start or send and the user has not approved is not run.",
            ToolEffect::Calls,
            vec![],
            vec![
                (
                    "paths",
                    json!({
                        "type": "array",
                        "items": { "type": "string" },
                        "description": "Tests and folders; all by default",
                    }),
                ),
                ("tag", text("Only tests with this tag")),
                ("server", text("Only tests of this server")),
                ("environment", text("Name of an environment of the tests")),
            ],
        ),
        tool(
            "sign_in",
            "Sign in",
            "Begins to sign in to a server, and returns an address that the user opens in a browser on this \
             machine. Does not wait for the user: list_servers says when the server is up.",
            ToolEffect::Acts,
            vec![server],
            vec![],
        ),
    ])
}

type Property = (&'static str, Value);

fn tool(
    name: &str,
    title: &str,
    description: &str,
    effect: ToolEffect,
    required: Vec<Property>,
    optional: Vec<Property>,
) -> Value {
    let names: Vec<&str> = required.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = required
        .into_iter()
        .chain(optional)
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !names.is_empty() {
        schema["required"] = json!(names);
    }
    json!({
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": schema,
        "annotations": {
            "readOnlyHint": matches!(effect, ToolEffect::Reads | ToolEffect::Asks),
            "destructiveHint": effect == ToolEffect::Calls,
            "idempotentHint": matches!(effect, ToolEffect::Reads | ToolEffect::Asks),
            "openWorldHint": effect != ToolEffect::Reads,
        },
    })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn number(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

fn choice(description: &str, words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words, "description": description })
}
