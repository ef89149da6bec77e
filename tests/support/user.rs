//! A user with a browser, without a window: opens what the program asks to open, follows
//! redirects, keeps cookies, fills in forms and sends them off, and reads the last page.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use reqwest::{Client, Response, Url, header, redirect};
use sightglass_inspector::Host;
use sightglass_model::lock;

/// More pages than any sign-in has.
const MAX_PAGES: usize = 20;

/// Action of the user once the browser is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behavior {
    SignsIn,
    /// Looks at the address and does nothing.
    Stays,
    /// There is no browser.
    None,
    /// The browser brings the program down.
    Crashes,
}

/// See the [module](self).
pub struct User {
    /// Cookies of every site, `login` among them.
    login: Mutex<String>,
    behavior: Mutex<Behavior>,
    /// Sites that are looked at, and where nothing is done.
    ignored: Mutex<Vec<String>>,
    opened: Mutex<Vec<String>>,
    visited: Mutex<Vec<String>>,
    pages: Mutex<Vec<String>>,
    me: std::sync::Weak<Self>,
}

impl User {
    /// Signs in wherever the program asks.
    pub fn signs_in(login: &str) -> Arc<Self> {
        Self::of(login, Behavior::SignsIn)
    }

    /// Never comes back from the browser.
    pub fn stays() -> Arc<Self> {
        Self::of("ada", Behavior::Stays)
    }

    /// Has no browser.
    pub fn without_browser() -> Arc<Self> {
        Self::of("ada", Behavior::None)
    }

    fn of(login: &str, behavior: Behavior) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            login: Mutex::new(login.to_owned()),
            behavior: Mutex::new(behavior),
            ignored: Mutex::default(),
            opened: Mutex::default(),
            visited: Mutex::default(),
            pages: Mutex::default(),
            me: me.clone(),
        })
    }

    /// Signs in under another name from now on.
    pub fn becomes(&self, login: &str) {
        login.clone_into(&mut lock(&self.login));
    }

    /// From now on nothing is done at addresses that begin so.
    pub fn ignores(&self, site: &str) {
        lock(&self.ignored).push(site.to_owned());
    }

    /// From now on opening the browser brings the program down.
    pub fn crashes(&self) {
        *lock(&self.behavior) = Behavior::Crashes;
    }

    /// The addresses that the program opened, in order.
    pub fn opened(&self) -> Vec<String> {
        lock(&self.opened).clone()
    }

    /// Every address that the browser was at, in order.
    pub fn visited(&self) -> Vec<String> {
        lock(&self.visited).clone()
    }

    /// The text of the pages at which the browser ended.
    pub fn pages(&self) -> Vec<String> {
        lock(&self.pages).clone()
    }

    /// Goes where the address leads, and gives the address at the end. The last page before the
    /// program's own is not left when `short_of` says so.
    ///
    /// # Panics
    /// When there are too many pages, or one cannot be reached.
    pub async fn walk(&self, address: &str, short_of: Option<&str>) -> String {
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            // The user's browser was told long ago whom to trust.
            .danger_accept_invalid_certs(true)
            .build()
            .expect("a client");
        let login = lock(&self.login).clone();
        let mut jar: HashMap<String, BTreeMap<String, String>> = HashMap::new();
        let mut request = client.get(address);
        let mut url = Url::parse(address).expect("an address");
        for _ in 0..MAX_PAGES {
            lock(&self.visited).push(url.to_string());
            if short_of.is_some_and(|end| url.as_str().starts_with(end)) {
                return url.to_string();
            }
            let site = jar.entry(url.origin().ascii_serialization()).or_default();
            site.entry("login".to_owned()).or_insert(login.clone());
            let cookies: Vec<String> = site.iter().map(|(k, v)| format!("{k}={v}")).collect();
            let response = request
                .header(header::COOKIE, cookies.join("; "))
                .send()
                .await
                .unwrap_or_else(|error| panic!("{url}: {error}"));
            keep_cookies(site, &response);
            if let Some(next) = response.headers().get(header::LOCATION) {
                let next = next.to_str().expect("text");
                url = url.join(next).unwrap_or_else(|_| panic!("{next}"));
                request = client.get(url.clone());
                continue;
            }
            let page = response.text().await.expect("a page");
            let Some(form) = Form::in_page(&page, &login) else {
                lock(&self.pages).push(page);
                return url.to_string();
            };
            url = url.join(&form.action).expect("an address");
            let fields = url::form_urlencoded::Serializer::new(String::new())
                .extend_pairs(form.fields)
                .finish();
            let kind = "application/x-www-form-urlencoded";
            let post = client.post(url.clone()).body(fields);
            request = post.header(header::CONTENT_TYPE, kind);
        }
        panic!("more pages than a sign-in has: {:?}", self.visited());
    }
}

impl Host for User {
    fn open_address(&self, address: &str) -> Result<(), String> {
        let behavior = *lock(&self.behavior);
        match behavior {
            Behavior::None => return Err("there is no browser".to_owned()),
            Behavior::Crashes => panic!("brought down in the middle of a sign-in"),
            Behavior::SignsIn | Behavior::Stays => lock(&self.opened).push(address.to_owned()),
        }
        let is_ignored = lock(&self.ignored)
            .iter()
            .any(|site| address.starts_with(site));
        if is_ignored {
            return Ok(());
        }
        if let (Behavior::SignsIn, Some(me)) = (behavior, self.me.upgrade()) {
            let address = address.to_owned();
            tokio::spawn(async move { me.walk(&address, None).await });
        }
        Ok(())
    }
}

fn keep_cookies(site: &mut BTreeMap<String, String>, response: &Response) {
    for cookie in response.headers().get_all(header::SET_COOKIE) {
        let cookie = cookie.to_str().unwrap_or_default();
        let pair = cookie.split(';').next().unwrap_or_default();
        if let Some((name, value)) = pair.split_once('=') {
            if value.is_empty() {
                site.remove(name);
            } else {
                site.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// A form, filled in.
struct Form {
    action: String,
    fields: Vec<(String, String)>,
}

impl Form {
    /// The first one that is sent with POST.
    fn in_page(page: &str, login: &str) -> Option<Self> {
        let start = page.find("<form")?;
        let (form, _) = page[start..].split_once("</form>")?;
        let head = form.split_once('>')?.0;
        if !head.to_ascii_lowercase().contains("method=\"post\"") {
            return None;
        }
        let fields = form.split("<input").skip(1).filter_map(|input| {
            let input = input.split_once('>')?.0;
            let name = attribute(input, "name")?;
            let value = match name.as_str() {
                "login" | "username" => login.to_owned(),
                "password" => "password".to_owned(),
                _ => attribute(input, "value").unwrap_or_default(),
            };
            Some((name, value))
        });
        Some(Self {
            action: attribute(head, "action").unwrap_or_default(),
            fields: fields.collect(),
        })
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(value.replace("&amp;", "&"))
}
