//! Computes what a client's model sees: names, lists, tokens and tool search.
//!
//! The tools are those that servers list now, without the secrets that are known. Counting and
//! converting many of them takes a while, so hosts call these on threads that may block.

pub mod choice;
mod clients;
pub(crate) mod counted;
mod selection;
pub mod sent;

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;
use sightglass_area_calls::{client_limits::ClientResultLimits, current_surface::CurrentSurface};
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{
        ModelNamesView, ResultCostView, SentToolView, SentToolsView, TokenColumns, TokenCostView,
        TokenQuestion, TokenTableView, ToolSearchView,
    },
};
use sightglass_area_servers::open_connections::OpenConnections;
use sightglass_config::Client;
use sightglass_connection::{ListKind, estimated_tokens};
use sightglass_llm_tools::{
    names::{
        ItemKind, NameCandidate, NamedResource, NamedServer, NamingScheme, qualified_names, resolve,
    },
    providers::{Provider, portability, sent_list},
    tokens::{Cost, Precision, precision, tokens_of},
    tool_search::{
        DEFAULT_MAX_RESULTS, SearchedTool, ToolSearchCase, ToolSearchSetting, found_tools,
        tool_search,
    },
};
use sightglass_model::{Finding, ServerId};
use sightglass_surface::{ItemDefinition, Part, Silence, Surface, SurfacePlace};

use counted::CountedList;
use selection::{LeftOutReason, LeftOutTool};

/// Tools of one server that a client puts before its model.
#[derive(Default)]
pub struct ClientTools {
    pub tools: Vec<ItemDefinition>,
    /// Name that the server gives each.
    pub own_names: Vec<String>,
    /// Name under which each is sent.
    pub names: Vec<String>,
    /// Tools that the client does not send.
    pub left_out: Vec<LeftOutTool>,
}

/// Tools that a server lists, with the names of all that it lists.
struct ListedTools {
    /// Has as many tools as there are, in their order.
    named: NamedServer,
    tools: Vec<ItemDefinition>,
}

/// Host of Anthropic's own interface.
const FIRST_PARTY: &str = "api.anthropic.com";

/// Returns the scheme by which a client names items; `None` where none is known.
pub fn naming_scheme(client: Client) -> Option<NamingScheme> {
    match client {
        Client::ClaudeCode => Some(NamingScheme::ClaudeCode),
        Client::McpJson => Some(NamingScheme::Chimera),
        Client::Codex => Some(NamingScheme::Codex),
        Client::Opencode => Some(NamingScheme::Opencode),
        Client::Caliban => Some(NamingScheme::Caliban),
        Client::Gemini => Some(NamingScheme::GeminiCli),
        Client::Vscode | Client::VscodeInsiders | Client::Vscodium => Some(NamingScheme::Vscode),
        _ => None,
    }
}

/// Computes what a client's model sees: names, lists, tokens and tool search.
pub struct LlmTools {
    pub(crate) core: Arc<Core>,
    pub(crate) client_limits: Arc<ClientResultLimits>,
    pub(crate) current_surface: Arc<CurrentSurface>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) counted: CountedList,
}

#[commands]
impl LlmTools {
    /// Computes the names that a client gives to what servers offer, as if it had these servers
    /// alone.
    #[command(name = "list_model_names")]
    pub fn model_names(
        &self,
        scheme: NamingScheme,
        servers: &[ServerId],
    ) -> Result<ModelNamesView, InspectorError> {
        let mut not_sent = Vec::new();
        let (named, not_connected) = self.named_servers(servers, |server, listed| {
            let left_out = self.extract_not_selected(scheme, server, listed);
            not_sent.extend(left_out.into_iter().map(|one| one.into_name(server)));
        })?;
        let mut names = qualified_names(scheme, &named);
        names.extend(not_sent);
        Ok(ModelNamesView {
            scheme,
            id: scheme.id().to_owned(),
            source: scheme.source().to_owned(),
            names,
            not_connected,
        })
    }

    /// Returns the items that a name out of a log may mean, in each of the schemes.
    #[command]
    pub fn resolve_model_name(
        &self,
        schemes: &[NamingScheme],
        servers: &[ServerId],
        name: &str,
    ) -> Result<Vec<NameCandidate>, InspectorError> {
        let (named, _) = self.named_servers(servers, |_, _| {})?;
        let candidates = schemes
            .iter()
            .flat_map(|scheme| resolve(*scheme, &named, name));
        Ok(candidates.collect())
    }

    /// Converts the tools of a server for a model interface, with the names of a client or those of
    /// the server.
    pub fn sent_tools(
        &self,
        server: &ServerId,
        provider: Provider,
        scheme: Option<NamingScheme>,
    ) -> Result<SentToolsView, InspectorError> {
        let ClientTools {
            tools,
            own_names,
            names,
            left_out,
        } = self.client_tools(server, scheme)?;
        let tools = values_of(&tools);
        let mut list = sent_list(provider, &tools, &names);
        list.changes
            .extend(sent::left_out_changes(scheme, &left_out));
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let rows = own_names.into_iter().zip(&tools).zip(&list.tools);
        let rows = rows.map(|((name, tool), sent)| SentToolView {
            name,
            original: pretty(tool),
            sent: pretty(sent),
        });
        Ok(SentToolsView {
            provider,
            title: provider.title().to_owned(),
            converter: self.converter(provider, scheme),
            tools: rows.collect(),
            changes: list.changes,
            has_more_changes: list.has_more_changes,
        })
    }

    /// Examines the tools of a server for model interfaces: what is refused, beyond a limit or left
    /// out.
    pub fn portability(
        &self,
        server: &ServerId,
        providers: &[Provider],
        silenced: &[Silence],
    ) -> Result<Vec<Finding<SurfacePlace>>, InspectorError> {
        let ClientTools { tools, names, .. } = self.client_tools(server, None)?;
        Ok(portability(providers, &values_of(&tools), &names, silenced))
    }

    /// Estimates the tokens that the tools of each server take in a client's model: those of its list
    /// without what the client leaves out.
    #[command(name = "get_token_estimates")]
    pub fn estimate_tokens(
        &self,
        scheme: Option<NamingScheme>,
        servers: &[ServerId],
    ) -> Result<Vec<u32>, InspectorError> {
        let estimate = |server: &ServerId| -> Result<u32, InspectorError> {
            let lists = self.core.connections.lists(server);
            let tools = lists.iter().find(|list| list.list == ListKind::Tools);
            let left_out = self.client_tools(server, scheme)?.left_out;
            let characters = left_out
                .iter()
                .map(|one| sent_characters(&one.tool.value()));
            let characters: usize = characters.sum();
            let listed = tools.map_or(0, |list| list.tokens);
            Ok(listed.saturating_sub(estimated_tokens(characters)))
        };
        servers.iter().map(estimate).collect()
    }

    /// Computes the tokens of the tools of servers, as one list, in columns.
    #[command(name = "get_token_cost")]
    pub fn token_table(&self, question: &TokenQuestion) -> Result<TokenTableView, InspectorError> {
        let places = (0..).zip(&question.servers);
        let places: HashMap<&ServerId, u32> = places.map(|(place, id)| (id, place)).collect();
        let view = self.token_cost(question)?;
        let mut table = TokenTableView {
            precision: view.precision,
            total: view.cost.total,
            window: view.window,
            whole_permille: view.whole_permille,
            sent_permille: view.sent_permille,
            names_permille: view.names_permille,
            tool_search: view.tool_search,
            servers: question.servers.clone(),
            tools: TokenColumns::default(),
        };
        let columns = &mut table.tools;
        for tool in view.cost.tools {
            let server = view.servers.get(tool.index as usize);
            let place = server.and_then(|server| places.get(server));
            columns.index.push(tool.index);
            columns.server.push(place.copied().unwrap_or_default());
            columns.name.push(tool.name);
            columns.tokens.push(tool.figures.sent.tokens);
            columns.bytes.push(tool.figures.sent.bytes);
            columns.name_tokens.push(tool.name_part.tokens);
            columns.description_tokens.push(tool.description.tokens);
            columns.schema_tokens.push(tool.schema.tokens);
        }
        Ok(table)
    }

    /// Computes the tokens of the tools of servers, as one list.
    pub fn token_cost(&self, question: &TokenQuestion) -> Result<TokenCostView, InspectorError> {
        let mut tools = Vec::new();
        let mut names = Vec::new();
        let mut servers = Vec::new();
        let mut left_out = Vec::new();
        for server in &question.servers {
            let own = match question.with_unsent {
                true => self.named_tools(server, question.scheme)?,
                false => self.client_tools(server, question.scheme)?,
            };
            servers.extend(own.tools.iter().map(|_| server.clone()));
            tools.extend(own.tools);
            names.extend(own.names);
            left_out.extend(own.left_out.into_iter().map(|one| one.tool));
        }
        let mut cost = self.counted.cost_of(&tools, &names)?;
        if !left_out.is_empty() {
            // The server sends these too.
            left_out.extend(tools);
            let whole = CountedList::default().cost_of(&left_out, &[])?;
            cost.total.whole = whole.total.whole;
        }
        let window = question.window;
        let permille = |cost: Cost| {
            let share = u64::from(cost.tokens) * 1000;
            let share = share.checked_div(u64::from(window)).unwrap_or_default();
            u32::try_from(share).unwrap_or(u32::MAX)
        };
        let total = cost.total;
        Ok(TokenCostView {
            precision: match question.model.as_str() {
                "" => Precision::Exact,
                model => precision(model),
            },
            servers,
            window,
            whole_permille: permille(total.whole),
            sent_permille: permille(total.sent),
            names_permille: permille(total.names),
            tool_search: tool_search(ToolSearchCase {
                setting: self.tool_search_setting(question.tool_search.as_deref()),
                tokens: total.sent.tokens,
                window,
                is_first_party: self.is_first_party(),
            }),
            cost,
        })
    }

    /// Judges the text of a result by the limits of a client; Sightglass's own where it has none.
    #[command(name = "get_result_cost")]
    pub fn result_cost(
        &self,
        client: Option<Client>,
        text: &str,
    ) -> Result<ResultCostView, InspectorError> {
        let limits = self.client_limits.result_limits(client);
        let cost = Cost {
            tokens: tokens_of(text)?,
            bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
        };
        Ok(ResultCostView {
            cost,
            verdict: limits.judge(cost.tokens),
            limits,
        })
    }

    /// Runs a query of Claude Code's tool search over the tools of servers.
    #[command]
    pub fn search_model_tools(
        &self,
        servers: &[ServerId],
        query: &str,
    ) -> Result<ToolSearchView, InspectorError> {
        let mut rows = Vec::new();
        for server in servers {
            let scheme = Some(NamingScheme::ClaudeCode);
            let own = self.client_tools(server, scheme)?;
            for ((name, own_name), tool) in own.names.into_iter().zip(own.own_names).zip(own.tools)
            {
                let description = tool.string("description").unwrap_or_default();
                rows.push((server.name(), name, own_name, description));
            }
        }
        let searched: Vec<SearchedTool<'_>> = rows
            .iter()
            .map(|(server, name, tool, description)| SearchedTool {
                name,
                server,
                tool,
                description,
            })
            .collect();
        Ok(ToolSearchView {
            found: found_tools(query, &searched, DEFAULT_MAX_RESULTS),
            searched: u32::try_from(searched.len()).unwrap_or(u32::MAX),
        })
    }

    /// Returns the tools of a server that a client sends, by its names or those of the server.
    pub fn client_tools(
        &self,
        server: &ServerId,
        scheme: Option<NamingScheme>,
    ) -> Result<ClientTools, InspectorError> {
        let Some(scheme) = scheme else {
            return self.named_tools(server, None);
        };
        let mut listed = self.listed_tools(server)?;
        let left_out = self.extract_not_selected(scheme, server, &mut listed);
        let mut sent = named(scheme, listed);
        sent.left_out.splice(0..0, left_out);
        Ok(sent)
    }

    /// Returns the tools of a server by the names of a client, whether its files select them or not.
    fn named_tools(
        &self,
        server: &ServerId,
        scheme: Option<NamingScheme>,
    ) -> Result<ClientTools, InspectorError> {
        let listed = self.listed_tools(server)?;
        Ok(match scheme {
            Some(scheme) => named(scheme, listed),
            None => ClientTools {
                tools: listed.tools,
                own_names: listed.named.tools.clone(),
                names: listed.named.tools,
                left_out: Vec::new(),
            },
        })
    }

    fn listed_tools(&self, server: &ServerId) -> Result<ListedTools, InspectorError> {
        let surface = self.current_surface.surface_as_read(server)?;
        Ok(ListedTools {
            named: named_server(server, &surface),
            tools: surface.tools.unwrap_or_default(),
        })
    }

    /// Takes the tools out of a list that the files of a client do not select.
    fn extract_not_selected(
        &self,
        scheme: NamingScheme,
        server: &ServerId,
        listed: &mut ListedTools,
    ) -> Vec<LeftOutTool> {
        let selection = self.selection(scheme, server);
        let names = tool_names(scheme, &listed.named);
        let mut left_out = Vec::new();
        let own_names = std::mem::take(&mut listed.named.tools);
        for (own_name, tool) in own_names.into_iter().zip(std::mem::take(&mut listed.tools)) {
            let name = names.get(&own_name).map(String::as_str).unwrap_or_default();
            match selection.reason(&own_name, name) {
                Some(reason) => left_out.push(LeftOutTool {
                    name: name.to_owned(),
                    tool,
                    own_name,
                    reason,
                }),
                None => {
                    listed.named.tools.push(own_name);
                    listed.tools.push(tool);
                }
            }
        }
        left_out
    }

    fn named_servers(
        &self,
        servers: &[ServerId],
        mut prepare: impl FnMut(&ServerId, &mut ListedTools),
    ) -> Result<(Vec<NamedServer>, Vec<ServerId>), InspectorError> {
        let mut named = Vec::new();
        let mut not_connected = Vec::new();
        for server in servers {
            if self.open_connections.status(server).handshake.is_none() {
                not_connected.push(server.clone());
                named.push(NamedServer {
                    name: server.name().to_owned(),
                    ..NamedServer::default()
                });
                continue;
            }
            let mut listed = self.listed_tools(server)?;
            prepare(server, &mut listed);
            named.push(listed.named);
        }
        Ok((named, not_connected))
    }

    fn tool_search_setting(&self, given: Option<&str>) -> ToolSearchSetting {
        match given {
            Some(given) => ToolSearchSetting::parse(Some(given)),
            None => {
                let set = (self.core.options.environment)("ENABLE_TOOL_SEARCH");
                ToolSearchSetting::parse(set.as_deref())
            }
        }
    }

    /// False where the environment sends requests of Claude Code to another host than Anthropic's.
    fn is_first_party(&self) -> bool {
        let address = (self.core.options.environment)("ANTHROPIC_BASE_URL");
        let Some(address) = address.filter(|address| !address.is_empty()) else {
            return true;
        };
        url::Url::parse(&address).is_ok_and(|url| url.host_str() == Some(FIRST_PARTY))
    }
}

/// Counts the characters of a tool that a model gets.
fn sent_characters(tool: &Value) -> usize {
    let schema = tool.get("inputSchema").map(Value::to_string);
    let text = |member: &str| tool.get(member).and_then(Value::as_str);
    let texts = [text("name"), text("description"), schema.as_deref()];
    texts
        .iter()
        .flatten()
        .map(|text| text.chars().count())
        .sum()
}

/// Makes values of tools that are converted together.
pub fn values_of(tools: &[ItemDefinition]) -> Vec<Value> {
    tools.iter().map(ItemDefinition::value).collect()
}

/// Computes the names that a client gives to the tools of a server, by the server's own.
fn tool_names(scheme: NamingScheme, server: &NamedServer) -> HashMap<String, String> {
    qualified_names(scheme, std::slice::from_ref(server))
        .into_iter()
        .filter(|name| name.kind == ItemKind::Tool)
        .map(|name| (name.item, name.name))
        .collect()
}

/// Names the tools of a server as a client does, and leaves out those whose names are too long for it.
fn named(scheme: NamingScheme, listed: ListedTools) -> ClientTools {
    let computed = tool_names(scheme, &listed.named);
    let longest = scheme.longest_sent_name().unwrap_or(usize::MAX);
    let mut sent = ClientTools::default();
    for (own_name, tool) in listed.named.tools.into_iter().zip(listed.tools) {
        let name = computed.get(&own_name).cloned().unwrap_or_default();
        if name.chars().count() <= longest {
            sent.tools.push(tool);
            sent.own_names.push(own_name);
            sent.names.push(name);
        } else {
            sent.left_out.push(LeftOutTool {
                tool,
                own_name,
                name,
                reason: LeftOutReason::LongName,
            });
        }
    }
    sent
}

fn named_server(server: &ServerId, surface: &Surface) -> NamedServer {
    let names = |part: Part| -> Vec<String> {
        let items = surface.items(part).unwrap_or_default().iter();
        items.map(|item| item.name(part)).collect()
    };
    let own_name = surface.server_info.as_ref().and_then(|info| {
        let name = info.get("name")?.as_str()?;
        Some(name.to_owned())
    });
    let resources = surface.resources.iter().flatten();
    NamedServer {
        name: server.name().to_owned(),
        own_name,
        tools: names(Part::Tool),
        prompts: names(Part::Prompt),
        resources: resources
            .map(|resource| NamedResource {
                name: resource.string("name").unwrap_or_default(),
                uri: resource.name(Part::Resource),
            })
            .collect(),
    }
}
