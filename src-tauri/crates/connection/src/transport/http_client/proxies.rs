//! Reads proxies from the environment, which is what `curl` and most clients follow.

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{ClientBuilder, NoProxy, Proxy, Url};

/// Proxy settings of the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Proxies {
    http: Option<Named>,
    https: Option<Named>,
    all: Option<Named>,
    none: Option<String>,
}

/// A proxy and the variable that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Named {
    variable: &'static str,
    address: String,
}

impl Named {
    /// The address, which need not name a scheme.
    fn url(&self) -> Option<Url> {
        let has_host = |url: &Url| url.host_str().is_some();
        let whole = Url::parse(&self.address).ok().filter(has_host);
        whole.or_else(|| Url::parse(&format!("http://{}", self.address)).ok())
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
                Some(Named { variable, address })
            })
        };
        Self {
            http: named(["http_proxy", "HTTP_PROXY"]),
            https: named(["https_proxy", "HTTPS_PROXY"]),
            all: named(["all_proxy", "ALL_PROXY"]),
            none: value("no_proxy").or_else(|| value("NO_PROXY")),
        }
    }

    /// Those of this process.
    pub(crate) fn of_the_process() -> Self {
        Self::read(&|name| std::env::var(name).ok())
    }

    /// The names of their hosts.
    pub(crate) fn hosts(&self) -> Vec<String> {
        [&self.http, &self.https, &self.all]
            .into_iter()
            .flatten()
            .filter_map(|named| named.url()?.host_str().map(str::to_owned))
            .collect()
    }

    /// Sets the client up to use them. What is not the address of a proxy is left out.
    pub(crate) fn apply(&self, mut builder: ClientBuilder) -> ClientBuilder {
        builder = builder.no_proxy();
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

    /// The variable and the proxy that count for an address. Passwords are left out.
    pub(crate) fn of(&self, url: &Url) -> Option<(&'static str, String)> {
        let own = match url.scheme() {
            "https" => &self.https,
            _ => &self.http,
        };
        let named = own.as_ref().or(self.all.as_ref())?;
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
        Some((named.variable, address))
    }

    /// Returns the value of `NO_PROXY`.
    pub(crate) fn exceptions(&self) -> Option<&str> {
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
