//! Proxies: those of the environment, which is what `curl` and most clients follow, or the one that
//! the user set in the application.

use std::sync::{Arc, Mutex};

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{ClientBuilder, NoProxy, Proxy};
use sightglass_model::{ProxyUsed, lock};
use url::Url;

/// Proxies by scheme, and the hosts that are reached without one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    http: Option<NamedProxy>,
    https: Option<NamedProxy>,
    all: Option<NamedProxy>,
    none: Option<String>,
}

/// Proxies that count now. They can be changed while the program runs; a connection keeps those
/// that it was made with.
#[derive(Debug, Default)]
pub struct CurrentProxies(Mutex<Arc<Proxies>>);

impl CurrentProxies {
    pub fn new(proxies: Proxies) -> Self {
        Self(Mutex::new(Arc::new(proxies)))
    }

    pub fn get(&self) -> Arc<Proxies> {
        Arc::clone(&lock(&self.0))
    }

    pub fn set(&self, proxies: Proxies) {
        *lock(&self.0) = Arc::new(proxies);
    }
}

/// A proxy and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NamedProxy {
    /// The variable that names it, or the settings of the application.
    source: &'static str,
    address: String,
}

impl NamedProxy {
    /// The address, which need not name a scheme.
    fn url(&self) -> Option<Url> {
        let has_host = |url: &Url| url.host_str().is_some();
        let whole = Url::parse(&self.address).ok().filter(has_host);
        let is_without_scheme = !self.address.contains("://");
        let bare = || Url::parse(&format!("http://{}", self.address)).ok();
        whole.or_else(|| bare().filter(|_| is_without_scheme))
    }
}

impl Proxies {
    /// Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, each also in lower case,
    /// which wins.
    pub(crate) fn read(environment: &dyn Fn(&str) -> Option<String>) -> Self {
        let value = |name: &str| environment(name).filter(|value| !value.trim().is_empty());
        let named = |names: [&'static str; 2]| {
            names.into_iter().find_map(|variable| {
                let address = value(variable)?.trim().to_owned();
                let source = variable;
                Some(NamedProxy { source, address })
            })
        };
        Self {
            http: named(["http_proxy", "HTTP_PROXY"]),
            https: named(["https_proxy", "HTTPS_PROXY"]),
            all: named(["all_proxy", "ALL_PROXY"]),
            none: value("no_proxy").or_else(|| value("NO_PROXY")),
        }
    }

    /// One proxy for everything but the `exceptions`, which are written as in `NO_PROXY`.
    ///
    /// # Errors
    /// When `address` is not that of a proxy, in words.
    pub fn one(address: &str, exceptions: &str) -> Result<Self, String> {
        let named = NamedProxy {
            source: ProxyUsed::SETTINGS,
            address: address.trim().to_owned(),
        };
        let url = named.url().filter(|url| url.host_str().is_some());
        let url = url.ok_or_else(|| format!("{address} is not the address of a proxy"))?;
        if !["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(&url.scheme()) {
            return Err(format!(
                "A proxy begins with http://, https:// or socks5://, not {}:",
                url.scheme()
            ));
        }
        Proxy::all(url.as_str()).map_err(|error| error.to_string())?;
        Ok(Self {
            all: Some(named),
            none: Some(exceptions.trim().to_owned()).filter(|text| !text.is_empty()),
            ..Self::default()
        })
    }

    /// Those of this process.
    pub fn of_the_process() -> Self {
        Self::read(&|name| std::env::var(name).ok())
    }

    /// The names of their hosts.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let all = [&self.http, &self.https, &self.all];
        let used = all.into_iter().filter(|_| !self.excepts_everything());
        used.flatten()
            .filter_map(|named| named.url()?.host_str().map(str::to_owned))
            .collect()
    }

    /// Sets the client up to use them. What is not the address of a proxy is left out.
    pub(crate) fn apply(&self, mut builder: ClientBuilder) -> ClientBuilder {
        builder = builder.no_proxy();
        if self.excepts_everything() {
            return builder;
        }
        let exceptions = || self.none.as_deref().and_then(NoProxy::from_string);
        let proxies = [
            self.http
                .as_ref()
                .and_then(|named| Proxy::http(&named.address).ok()),
            self.https
                .as_ref()
                .and_then(|named| Proxy::https(&named.address).ok()),
            self.all
                .as_ref()
                .and_then(|named| Proxy::all(&named.address).ok()),
        ];
        for proxy in proxies.into_iter().flatten() {
            builder = builder.proxy(proxy.no_proxy(exceptions()));
        }
        builder
    }

    /// The source and the proxy that count for an address. Passwords are left out.
    pub fn of(&self, url: &Url) -> Option<(&'static str, String)> {
        let own = match url.scheme() {
            "https" => &self.https,
            _ => &self.http,
        };
        let named = own.as_ref().or(self.all.as_ref())?;
        if self.excepts_everything() {
            return None;
        }
        let rules = Matcher::builder()
            .all("http://proxy")
            .no(self.none.as_deref().unwrap_or_default())
            .build();
        let uri = url.as_str().parse().ok()?;
        rules.intercept(&uri)?;
        let address = named.url().map_or_else(
            || named.address.clone(),
            |mut url| {
                // Only addresses that cannot have one refuse this.
                let _ = url.set_password(None);
                url.to_string()
            },
        );
        Some((named.source, address))
    }

    /// Returns true when no host is reached through a proxy: `*` stands for all of them.
    fn excepts_everything(&self) -> bool {
        let exceptions = self.none.as_deref().unwrap_or_default();
        exceptions.split(',').any(|host| host.trim() == "*")
    }

    /// Returns the value of `NO_PROXY`.
    pub fn exceptions(&self) -> Option<&str> {
        self.none.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(values: &'static [(&'static str, &'static str)]) -> Proxies {
        Proxies::read(&|name| {
            let value = values.iter().find(|(key, _)| *key == name)?;
            Some(value.1.to_owned())
        })
    }

    #[test]
    fn the_proxy_of_the_settings_counts_for_every_scheme_but_its_exceptions() {
        let proxies = Proxies::one(" proxy.inside:3128 ", "localhost, .inside").unwrap();
        let url = |text| Url::parse(text).unwrap();
        let found = proxies.of(&url("https://x")).unwrap();
        assert_eq!(
            found,
            (ProxyUsed::SETTINGS, "http://proxy.inside:3128/".to_owned())
        );
        assert!(proxies.of(&url("http://x")).is_some());
        assert_eq!(proxies.of(&url("http://a.inside")), None);
        for wrong in ["ftp://x", "", "http://"] {
            assert!(Proxies::one(wrong, "").is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_asterisk_excepts_every_host() {
        for exceptions in ["*", " * ", "localhost, *"] {
            let proxies = Proxies::one("http://proxy:1", exceptions).unwrap();
            for url in ["http://x", "https://x.test/mcp"] {
                assert_eq!(proxies.of(&Url::parse(url).unwrap()), None, "{exceptions}");
            }
        }
        let one = Proxies::one("http://proxy:1", "*.test").unwrap();
        assert!(one.of(&Url::parse("http://x").unwrap()).is_some());
    }

    #[test]
    fn the_variable_of_the_scheme_wins_over_the_one_for_all() {
        let proxies = proxies(&[
            ("ALL_PROXY", "socks5://everything:1"),
            ("https_proxy", "http://user:secret@secure:2"),
            ("HTTPS_PROXY", "http://other:3"),
            ("NO_PROXY", "localhost,.inside"),
        ]);
        let url = |text| Url::parse(text).unwrap();
        let (variable, address) = proxies.of(&url("https://x")).unwrap();
        assert_eq!(
            (variable, address.as_str()),
            ("https_proxy", "http://user@secure:2/")
        );
        assert_eq!(proxies.of(&url("http://x")).unwrap().0, "ALL_PROXY");
        assert_eq!(proxies.of(&url("http://x.inside/mcp")), None);
        assert_eq!(Proxies::default().of(&url("http://x")), None);
    }
}
