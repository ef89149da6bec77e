//! Handles the methods of both eras.

use bytes::Bytes;
use serde_json::json;

use crate::{
    caching::FRESH_MILLISECONDS,
    completion,
    context::{Context, Outcome, Reply},
    handshake,
    listeners::{ListenFilter, Listener},
    listing::Page,
    load,
    message::{Message, RpcError},
    options::{Catalogue, Fault},
    params::MethodParams,
    prompts,
    protocol::{Era, Level, META_SUBSCRIPTION_ID},
    resources, skills, tasks,
    tools::{self, Call},
};

/// Handles a request other than `initialize`.
pub fn handle(context: Context, method: &str, params: MethodParams<'_>) -> Outcome {
    let modern = context.era == Era::Modern;
    let offers_skills = modern && context.server.offers_skills();
    match method {
        "tools/call" => call_tool(context, &params),
        "tools/list" if context.server.options().fault == Some(Fault::HangTools) => {
            Outcome::later(std::future::pending())
        }
        "tools/list" => {
            let (list, mut extras) = context.server.tool_list();
            if context.server.options().catalogue == Catalogue::Demo {
                extras.extend(tools::extensions::listed(&context));
            }
            page(&context, "tools", &params, |cursor, size| {
                list.page(cursor, size, &extras)
            })
        }
        "resources/list" => {
            let (list, extras) = context.server.resource_list();
            page(&context, "resources", &params, |cursor, size| {
                list.page(cursor, size, &extras)
            })
        }
        "resources/templates/list" => {
            let list = context.server.template_list();
            page(&context, "resourceTemplates", &params, |cursor, size| {
                list.page(cursor, size, &[])
            })
        }
        "prompts/list" => {
            let list = context.server.prompt_list();
            page(&context, "prompts", &params, |cursor, size| {
                list.page(cursor, size, &[])
            })
        }
        "resources/read" => match &params.uri {
            Some(uri) => resources::read(context, uri),
            None => missing("uri"),
        },
        "prompts/get" => match &params.name {
            Some(name) => prompts::get(context, name, params.arguments),
            None => missing("name"),
        },
        "completion/complete" => completion::complete(context.server.prompt_list(), &params),
        "skills/list" if offers_skills => page(&context, "skills", &params, |cursor, size| {
            skills::listing().page(cursor, size, &[])
        }),
        "skills/get" if offers_skills => match &params.uri {
            Some(uri) => skills::get(uri),
            None => missing("uri"),
        },
        "resources/directory/read" if offers_skills => match &params.uri {
            Some(uri) => skills::directory(uri),
            None => missing("uri"),
        },
        "server/discover" if modern => Reply::Result(handshake::discover(&context.server)).into(),
        "subscriptions/listen" if modern => listen(context, params.notifications),
        "tasks/get" | "tasks/result" | "tasks/list" | "tasks/cancel" | "tasks/update" => {
            let responses = context.answers.clone();
            tasks::handle(context, method, params.task_id.as_deref(), responses)
                .unwrap_or_else(|| RpcError::method_not_found(method).into())
        }
        "ping" if !modern => Reply::Fields(Vec::new()).into(),
        "logging/setLevel" if !modern => set_level(&context, params.level.as_deref()),
        "resources/subscribe" | "resources/unsubscribe" if !modern => {
            subscribe(&context, method, params.uri.as_deref())
        }
        _ => RpcError::method_not_found(method).into(),
    }
}

fn missing(parameter: &str) -> Outcome {
    RpcError::invalid_params(format!("Missing parameter: {parameter}")).into()
}

fn page(
    context: &Context,
    member: &str,
    params: &MethodParams<'_>,
    cut: impl FnOnce(Option<&str>, Option<usize>) -> Result<Page, RpcError>,
) -> Outcome {
    let page = match cut(params.cursor.as_deref(), context.server.options().page_size) {
        Ok(page) => page,
        Err(error) => return error.into(),
    };
    let mut tail = "]".to_owned();
    if let Some(next) = page.next {
        tail.push_str(&format!(r#","nextCursor":"{next}""#));
    }
    if context.era == Era::Modern {
        tail.push_str(&format!(
            r#","ttlMs":{FRESH_MILLISECONDS},"cacheScope":"public""#
        ));
    }
    let mut fields = Vec::with_capacity(page.items.len() + 2);
    fields.push(Bytes::from(format!(r#""{member}":["#)));
    fields.extend(page.items);
    fields.push(Bytes::from(tail));
    Reply::Fields(fields).into()
}

fn call_tool(context: Context, params: &MethodParams<'_>) -> Outcome {
    let Some(name) = params.name.as_deref() else {
        return missing("name");
    };
    let arguments = params.arguments.map(ToOwned::to_owned);
    if let Some(tool) = tools::find(context.server.options(), name) {
        let task = params.task.clone();
        return (tool.run)(Call {
            context,
            arguments,
            task,
        });
    }
    if matches!(context.server.options().catalogue, Catalogue::Load { .. })
        && load::is_generated_tool(name)
    {
        return load::call(name, arguments.as_deref());
    }
    if let Some(reply) = tools::extensions::call(&context, name) {
        return reply.into();
    }
    if tools::changes::is_added_tool(&context.server, name) {
        return tools::text_result(format!("{name} is here for as long as it is listed.")).into();
    }
    RpcError::invalid_params(format!("Unknown tool: {name}")).into()
}

fn set_level(context: &Context, level: Option<&str>) -> Outcome {
    match level.and_then(Level::from_name) {
        Some(level) => {
            context.connection.set_log_level(level);
            Reply::Fields(Vec::new()).into()
        }
        None => RpcError::invalid_params(
            "level must be one of debug, info, notice, warning, error, critical, alert, emergency",
        )
        .into(),
    }
}

fn subscribe(context: &Context, method: &str, uri: Option<&str>) -> Outcome {
    let Some(uri) = uri else {
        return missing("uri");
    };
    if let Some(listener) = context.connection.listener() {
        if method == "resources/subscribe" {
            listener.subscribe(uri);
        } else {
            listener.unsubscribe(uri);
        }
    }
    Reply::Fields(Vec::new()).into()
}

/// `subscriptions/listen`: acknowledges the filter, then lives until it is
/// cancelled; what happens meanwhile is told by the listener.
fn listen(context: Context, filter: Option<ListenFilter>) -> Outcome {
    let Some(filter) = filter else {
        return missing("notifications");
    };
    Outcome::later(async move {
        let acknowledged = json!({
            "_meta": { META_SUBSCRIPTION_ID: context.id.to_value() },
            "notifications": filter.to_value()
        });
        let acknowledged =
            Message::notification("notifications/subscriptions/acknowledged", &acknowledged);
        let listener = Listener::new(context.sink.clone(), filter, Some(context.id.clone()));
        context
            .server
            .listeners()
            .add_acknowledged(&listener, acknowledged)
            .await;
        context.cancelled.cancelled().await;
        Reply::Silence
    })
}
