//! Lists what servers have: tools, resources and prompts.

use serde::Deserialize;
use serde_json::{Value, json};
use sightglass_inspector::{ItemRow, ListKind, ServerId, view::ServerView, visible};
use sightglass_json_text::{object, quoted};

use super::{MAX_ROWS, page, text_of};
use crate::{reach::ServingError, serving::Serving, upstream::check_listed};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedItems {
    server: String,
    #[serde(default)]
    filter: String,
    #[serde(default)]
    offset: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedTool {
    server: String,
    tool: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchTools {
    query: String,
}

/// Lists what a server has, by the name of the tool that was called.
pub async fn list(
    serving: &Serving,
    tool: &str,
    wanted: ListedItems,
) -> Result<String, ServingError> {
    let server = serving.reach.server(&wanted.server)?;
    serving.reach.ready(&server).await?;
    let lists: &[ListKind] = match tool {
        "list_tools" => &[ListKind::Tools],
        "list_prompts" => &[ListKind::Prompts],
        _ => &[ListKind::Resources, ListKind::ResourceTemplates],
    };
    let mut pages = json!({ "server": server });
    for list in lists {
        let found = serving.inspector.calls.lists.items(
            &server,
            *list,
            &wanted.filter,
            wanted.offset,
            MAX_ROWS,
        )?;
        let rows = found.rows.iter().map(row).collect();
        let listed = page("from_server", rows, wanted.offset, found.matched as usize);
        pages[list.member()] = listed;
    }
    let text = pages.to_string();
    Ok(serving.outgoing.masked_of(&server, &text))
}

fn row(item: &ItemRow) -> Value {
    let mut row = json!({ "name": visible(&item.name) });
    if let Some(title) = &item.title {
        row["title"] = json!(visible(title));
    }
    if let Some(description) = &item.description {
        row["description"] = json!(visible(description));
    }
    if !item.hints.is_empty() {
        row["hints"] = json!(item.hints);
    }
    if let Some(problem) = &item.problem {
        row["problem"] = json!(problem);
    }
    row
}

/// Returns the definition of a tool.
pub async fn get_tool(serving: &Serving, wanted: WantedTool) -> Result<String, ServingError> {
    let server = serving.reach.server(&wanted.server)?;
    serving.reach.ready(&server).await?;
    check_listed(&serving.inspector, &server, ListKind::Tools, &wanted.tool)?;
    let definition = serving
        .inspector
        .calls
        .lists
        .definition(&server, &wanted.tool);
    let text = object([
        ("server", quoted(server.as_str()).as_str()),
        ("from_server", definition.as_deref().unwrap_or("null")),
    ]);
    Ok(serving.outgoing.masked_of(&server, &text))
}

/// Finds items over all servers that are connected.
pub fn search(serving: &Serving, wanted: SearchTools) -> Result<String, ServingError> {
    let views = serving.inspector.servers.sidebar.server_views();
    let (live, others): (Vec<&ServerView>, Vec<&ServerView>) =
        views.iter().partition(|view| view.status.phase.is_live());
    let mut rows = Vec::new();
    let mut total = 0;
    for view in live {
        for list in ListKind::ALL {
            let lists = &serving.inspector.calls.lists;
            let found = lists.items(&view.id, list, &wanted.query, 0, MAX_ROWS)?;
            total += found.matched as usize;
            let room = MAX_ROWS as usize - rows.len();
            rows.extend(found.rows.iter().take(room).map(|item| {
                let text = row(item).to_string();
                let masked = serving.outgoing.masked_of(&view.id, &text);
                json!({
                    "server": view.id,
                    "list": list,
                    "from_server": serde_json::from_str::<Value>(&masked).unwrap_or_default(),
                })
            }));
        }
    }
    let mut found = json!({ "found": rows, "total": total });
    if total > rows_of(&found) {
        let more = total - rows_of(&found);
        found["more"] = json!(format!("{more} more; search for a longer part of a name"));
    }
    let names: Vec<&ServerId> = others.iter().map(|view| &view.id).collect();
    if !names.is_empty() {
        found["not_searched"] = json!({ "servers": names, "reason": "not connected" });
    }
    text_of(&found)
}

fn rows_of(found: &Value) -> usize {
    found["found"].as_array().map_or(0, Vec::len)
}
