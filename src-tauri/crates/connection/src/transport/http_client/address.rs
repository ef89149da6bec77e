//! Maps the address of an entry to the URL that HTTP requests go to.

use std::path::PathBuf;

use url::Url;

/// Address of a server, in terms of HTTP.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Address {
    /// Always `http:` or `https:`.
    pub url: Url,
    /// The Unix socket that takes the place of the URL's host.
    pub socket: Option<PathBuf>,
    /// The scheme that the entry has.
    scheme: String,
}

impl Address {
    /// # Errors
    ///
    /// What is wrong with the address, in words.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let given = Url::parse(text).map_err(|error| format!("the URL is not valid: {error}"))?;
        let scheme = given.scheme().to_owned();
        let (url, socket) = match scheme.as_str() {
            "http" | "https" => (given, None),
            "ws" | "wss" => {
                let rest = given.as_str().trim_start_matches(scheme.as_str());
                let secure = if scheme == "wss" { "https" } else { "http" };
                let url = Url::parse(&format!("{secure}{rest}"))
                    .map_err(|error| format!("the URL is not valid: {error}"))?;
                (url, None)
            }
            "unix" => {
                let path = given.fragment().unwrap_or("/");
                let slash = if path.starts_with('/') { "" } else { "/" };
                let url = Url::parse(&format!("http://localhost{slash}{path}"))
                    .map_err(|error| format!("the path behind # is not valid: {error}"))?;
                (url, Some(socket_path(&given)?))
            }
            other => {
                return Err(format!(
                    "the URL must begin with http://, https://, ws://, wss:// or unix://, not {other}:"
                ));
            }
        };
        Ok(Self {
            url,
            socket,
            scheme,
        })
    }

    /// A URL as the user knows it: with the scheme of the entry.
    pub(crate) fn shown(&self, url: &Url) -> String {
        match (self.scheme.as_str(), &self.socket) {
            ("unix", Some(socket)) => format!("unix://{}#{}", socket.display(), url.path()),
            ("ws" | "wss", _) => format!(
                "{}{}",
                self.scheme,
                url.as_str().trim_start_matches(url.scheme())
            ),
            _ => url.to_string(),
        }
    }
}

fn socket_path(url: &Url) -> Result<PathBuf, String> {
    // A file URL of the same path, so that percent signs are read as in any URL.
    let file = Url::parse(&format!("file://{}", url.path())).ok();
    file.and_then(|file| file.to_file_path().ok())
        .filter(|path| url.host_str().unwrap_or_default().is_empty() && path.parent().is_some())
        .ok_or_else(|| {
            "a Unix socket is written unix:///path/to/socket, and the path of the endpoint \
             behind a #"
                .to_owned()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_the_scheme_that_the_entry_has() {
        for (text, url) in [
            ("https://h:1/mcp?a=b", "https://h:1/mcp?a=b"),
            ("ws://h/mcp", "http://h/mcp"),
            ("wss://h:8443/mcp", "https://h:8443/mcp"),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!((address.url.as_str(), address.socket.clone()), (url, None));
            assert_eq!(address.shown(&address.url), text);
        }
    }

    #[test]
    fn a_unix_socket_has_its_path_and_that_of_the_endpoint() {
        let address = Address::parse("unix:///run/my%20server.sock#/mcp").unwrap();
        assert_eq!(address.url.as_str(), "http://localhost/mcp");
        assert_eq!(address.socket, Some("/run/my server.sock".into()));
        assert!(
            Address::parse("unix:///run/x.sock")
                .unwrap()
                .url
                .as_str()
                .ends_with('/')
        );
        assert!(Address::parse("unix://host/x").is_err());
        assert!(Address::parse("ftp://host/x").is_err());
    }
}
