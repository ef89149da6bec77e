//! Loads a list page by page (MCP, pagination).

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    ListKind, ListState,
    json::Params,
    rpc::{peer::OutgoingRequest, response::RequestError},
    session::context::RequestContext,
    session::list::{
        page::{HeaderRules, Items, excerpt_of_cursor},
        store::{ListNotice, Lists},
    },
};

/// More pages than any list needs.
const MAX_PAGES: usize = 10_000;
/// Interval at which a list that is loading is reported to the window.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// JSON-RPC: the method does not exist.
const METHOD_NOT_FOUND: i64 = -32601;

/// Parts that loading a list needs.
#[derive(Clone)]
pub(crate) struct Loader {
    pub context: Arc<RequestContext>,
    pub lists: Arc<Lists>,
    pub rules: HeaderRules,
}

/// Reason why a list is incomplete.
enum ListStop {
    /// The server does not have the method.
    Unsupported,
    /// In words.
    Failed(String),
    /// The server refused with this answer.
    Refused { message: String, answer: Box<str> },
    /// The connection ended; its own failure says why.
    Lost,
}

/// Manner in which the pages of a list ended.
enum PagesEnd {
    /// The server gave no further cursor.
    Complete,
    /// The server refused the empty cursor that it gave itself: in some servers it stands for none.
    EmptyCursorRefused(String),
    /// There were more pages than are asked for.
    TooMany(String),
}

impl PagesEnd {
    /// Notes in the items what is to be known of the end.
    fn note(self, items: &mut Items) {
        match self {
            PagesEnd::Complete => {}
            PagesEnd::EmptyCursorRefused(warning) => items.warn(warning),
            PagesEnd::TooMany(warning) => items.cut(warning),
        }
    }
}

/// Loads a list for the first time, or again after it changed.
///
/// `progress` hears of each page: its number and the items so far.
pub(crate) async fn load(loader: &Loader, kind: ListKind, progress: impl Fn(usize, usize)) {
    let again = matches!(
        loader.lists.state(kind),
        ListState::Loaded | ListState::Failed { .. }
    ) && loader.lists.current(kind).len() > 0;
    let outcome = if again {
        reload(loader, kind).await
    } else {
        loader.lists.begin(kind, loader.rules);
        first_load(loader, kind, progress).await
    };
    match outcome {
        Ok(()) if again => {}
        Ok(()) => loader.lists.set_state(kind, ListState::Loaded),
        Err(ListStop::Unsupported) => loader.lists.set_state(kind, ListState::Unsupported),
        Err(ListStop::Failed(message)) => loader.lists.failed(kind, message, None),
        Err(ListStop::Refused { message, answer }) => {
            loader.lists.failed(kind, message, Some(answer));
        }
        Err(ListStop::Lost) => {}
    }
    if let Some(warning) = loader.lists.current(kind).warning() {
        loader
            .context
            .peer
            .connection
            .recorder
            .note("list", &format!("{}: {warning}", kind.method()));
    }
    if kind == ListKind::Tools
        && let Some(link) = loader.context.peer.streamable_http()
    {
        link.set_parameter_headers(loader.lists.current(kind).parameter_headers());
    }
}

async fn first_load(
    loader: &Loader,
    kind: ListKind,
    progress: impl Fn(usize, usize),
) -> Result<(), ListStop> {
    let mut reported = Instant::now();
    let end = pages(loader, kind, |page, text| {
        let notice = if reported.elapsed() >= PROGRESS_INTERVAL {
            ListNotice::Now
        } else {
            ListNotice::Later
        };
        if notice == ListNotice::Now {
            reported = Instant::now();
        }
        let (end, count) = loader.lists.push_page(kind, text, notice)?;
        progress(page, count);
        Ok(end.next_cursor)
    })
    .await?;
    loader.lists.amend(kind, |items| end.note(items));
    Ok(())
}

/// Loads aside and replaces the list in one step, so that half a list is never shown.
async fn reload(loader: &Loader, kind: ListKind) -> Result<(), ListStop> {
    let mut items = Items::new(kind, loader.rules);
    let end = pages(loader, kind, |_, text| {
        Ok(items.push_page(text)?.next_cursor)
    })
    .await?;
    end.note(&mut items);
    loader.lists.replace(kind, items);
    Ok(())
}

/// Asks for page after page until the server has no more.
async fn pages(
    loader: &Loader,
    kind: ListKind,
    mut page: impl FnMut(usize, Bytes) -> Result<Option<Box<RawValue>>, serde_json::Error>,
) -> Result<PagesEnd, ListStop> {
    let mut cursor: Option<Box<RawValue>> = None;
    for number in 1..=MAX_PAGES {
        let text = match one_page(loader, kind, cursor.as_deref()).await {
            Err(ListStop::Refused { message, .. }) if cursor.as_deref().is_some_and(is_empty) => {
                return Ok(PagesEnd::EmptyCursorRefused(format!(
                    "The server gave the cursor \"\" and refuses it: {message}. The list is taken \
                     to end there."
                )));
            }
            text => text?,
        };
        cursor = page(number, text)
            .map_err(|error| ListStop::Failed(format!("page {number} cannot be read: {error}")))?;
        if cursor.is_none() {
            return Ok(PagesEnd::Complete);
        }
    }
    let last = cursor.as_deref().map(excerpt_of_cursor).unwrap_or_default();
    Ok(PagesEnd::TooMany(format!(
        "The server gave the cursor {last} after {MAX_PAGES} pages. No further page was asked for."
    )))
}

/// Returns true when a cursor is the empty string.
fn is_empty(cursor: &RawValue) -> bool {
    cursor.get() == "\"\""
}

async fn one_page(
    loader: &Loader,
    kind: ListKind,
    cursor: Option<&RawValue>,
) -> Result<Bytes, ListStop> {
    let params = Params::page(cursor);
    let context = &loader.context;
    let mut pending = context
        .peer
        .request(OutgoingRequest::plain(
            kind.method(),
            &params,
            &context.meta(),
        ))
        .await;
    match pending.response().await {
        Ok(page) if page.is_error => Err(refused(kind, &page.text)),
        Ok(page) => Ok(page.text),
        Err(RequestError::TooLarge { size }) => Err(ListStop::Failed(format!(
            "a page of {size} bytes is larger than the message limit"
        ))),
        Err(RequestError::Transport(error)) => Err(ListStop::Failed(error.to_string())),
        Err(_) => Err(ListStop::Lost),
    }
}

fn refused(kind: ListKind, text: &[u8]) -> ListStop {
    #[derive(Deserialize)]
    struct RefusedPage {
        error: RefusedError,
    }
    #[derive(Deserialize)]
    struct RefusedError {
        code: i64,
        message: String,
    }
    match serde_json::from_slice::<RefusedPage>(text) {
        // Templates have no capability of their own: a server without them may not know
        // the method at all.
        Ok(refused)
            if kind == ListKind::ResourceTemplates && refused.error.code == METHOD_NOT_FOUND =>
        {
            ListStop::Unsupported
        }
        refused => ListStop::Refused {
            message: match refused {
                Ok(RefusedPage { error }) => format!("{} (code {})", error.message, error.code),
                Err(_) => format!("the server refused {}", kind.method()),
            },
            answer: String::from_utf8_lossy(text).into(),
        },
    }
}
