//! Reads the redirect address of a sign-in, which has to lead back to this machine.
//!
//! A client that was registered by hand may have a fixed one, with a host, a port and a path of its
//! own. Any other host than the loopback interface would hand the code to another machine (RFC
//! 8252, section 7.3).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use thiserror::Error;
use url::{Host, Url};

/// The path where none was chosen.
const DEFAULT_PATH: &str = "/callback";

/// The most characters of a redirect address.
const MAX_REDIRECT_LENGTH: usize = 2000;

/// Error of an address that the browser must not be sent back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum RedirectError {
    #[error("The login redirect is not a valid address.")]
    Invalid,
    #[error("The login redirect must begin with http://, as in http://localhost:8080/callback.")]
    Scheme,
    #[error(
        "The login redirect must lead to this machine: localhost, 127.0.0.1 or [::1]. Another host \
         would get the code."
    )]
    Host,
    #[error("The login redirect must not hold a user name or a password.")]
    UserInfo,
    #[error("The login redirect must not have a fragment (#).")]
    Fragment,
    #[error("The login redirect must not have a query (?).")]
    Query,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoopbackHost {
    Name,
    Ipv4,
    Ipv6,
}

impl LoopbackHost {
    fn text(self) -> &'static str {
        match self {
            Self::Name => "localhost",
            Self::Ipv4 => "127.0.0.1",
            Self::Ipv6 => "[::1]",
        }
    }
}

/// A redirect address on the loopback interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Redirect {
    host: LoopbackHost,
    port: Option<u16>,
    /// The path as a browser asks for it.
    path: String,
    /// The address as it was entered, where it fixes the port: authorization servers compare it
    /// letter by letter (RFC 9700, section 2.1).
    entered: Option<String>,
}

impl Redirect {
    /// The redirect address where none was chosen, on this port or on any free one.
    pub fn standard(port: Option<u16>) -> Self {
        Self {
            host: LoopbackHost::Ipv4,
            port,
            path: DEFAULT_PATH.to_owned(),
            entered: None,
        }
    }

    /// Reads an address that was entered.
    pub fn parse(text: &str) -> Result<Self, RedirectError> {
        let text = text.trim();
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain || text.len() > MAX_REDIRECT_LENGTH || text.contains('\\') {
            return Err(RedirectError::Invalid);
        }
        let url = Url::parse(text).map_err(|_| RedirectError::Invalid)?;
        if url.scheme() != "http" {
            return Err(RedirectError::Scheme);
        }
        // An empty user name is dropped by the reader, and is seen in the text alone.
        let authority = text.get("http://".len()..).unwrap_or_default();
        let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(RedirectError::UserInfo);
        }
        let host = match url.host() {
            Some(Host::Domain("localhost")) => LoopbackHost::Name,
            Some(Host::Ipv4(Ipv4Addr::LOCALHOST)) => LoopbackHost::Ipv4,
            Some(Host::Ipv6(Ipv6Addr::LOCALHOST)) => LoopbackHost::Ipv6,
            _ => return Err(RedirectError::Host),
        };
        if url.fragment().is_some() {
            return Err(RedirectError::Fragment);
        }
        if url.query().is_some() {
            return Err(RedirectError::Query);
        }
        let port = match url.port() {
            None if authority.ends_with(":80") => Some(80),
            port => port.filter(|port| *port != 0),
        };
        Ok(Self {
            host,
            port,
            path: url.path().to_owned(),
            entered: port.is_some().then(|| text.to_owned()),
        })
    }

    pub fn port(&self) -> Option<u16> {
        self.port
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns true for the path of a sign-in where none was chosen, which published documents
    /// list.
    pub fn is_at_standard_path(&self) -> bool {
        self.path == DEFAULT_PATH
    }

    /// Fixes the port, unless the address does.
    pub fn or_port(mut self, port: Option<u16>) -> Self {
        self.port = self.port.or(port);
        self
    }

    /// The address with this port, as it is sent to the authorization server.
    pub fn uri(&self, port: u16) -> String {
        match &self.entered {
            Some(entered) => entered.clone(),
            None => format!("http://{}:{port}{}", self.host.text(), self.path),
        }
    }

    /// The port of an address that was used before, if it differs from this one in nothing but
    /// the port, and only where this one leaves that open.
    pub fn port_of(&self, used: &str) -> Option<u16> {
        let before = Self::parse(used).ok()?;
        let is_same = before.host == self.host && before.path == self.path;
        let is_open = self.port.is_none() || self.port == before.port;
        before.port.filter(|_| is_same && is_open)
    }

    /// The addresses to listen at, the one that must answer first. A browser tries either kind
    /// for a name.
    pub fn addresses(&self) -> &'static [IpAddr] {
        const V4: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
        const V6: IpAddr = IpAddr::V6(Ipv6Addr::LOCALHOST);
        match self.host {
            LoopbackHost::Name => &[V4, V6],
            LoopbackHost::Ipv4 => &[V4],
            LoopbackHost::Ipv6 => &[V6],
        }
    }

    /// Returns true when a `Host` header names this address. Another site whose name was made to
    /// point here has another one.
    pub fn is_host(&self, header: &str, port: u16) -> bool {
        let names: &[LoopbackHost] = match self.host {
            LoopbackHost::Ipv6 => &[LoopbackHost::Ipv6],
            _ => &[LoopbackHost::Ipv4, LoopbackHost::Name, LoopbackHost::Ipv6],
        };
        names.iter().any(|name| {
            let host = name.text();
            header.eq_ignore_ascii_case(&format!("{host}:{port}"))
                || (port == 80 && header.eq_ignore_ascii_case(host))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_redirected_to() {
        for (text, error) in [
            ("http://evil.test/callback", RedirectError::Host),
            ("http://localhost.evil.test:1/", RedirectError::Host),
            ("http://127.0.0.1.evil.test/", RedirectError::Host),
            ("http://127.0.0.2:1/cb", RedirectError::Host),
            ("http://0.0.0.0:1/cb", RedirectError::Host),
            ("http://[::]:1/cb", RedirectError::Host),
            ("http://[::ffff:127.0.0.1]:1/cb", RedirectError::Host),
            ("http://localhost.:1/cb", RedirectError::Host),
            ("http://192.168.1.2:1/cb", RedirectError::Host),
            ("http://localhost@evil.test/cb", RedirectError::UserInfo),
            ("http://a:b@localhost:1/cb", RedirectError::UserInfo),
            ("http://@localhost:1/cb", RedirectError::UserInfo),
            ("http://localhost:1/cb#x", RedirectError::Fragment),
            ("http://localhost:1/cb#", RedirectError::Fragment),
            ("http://localhost:1/cb?x=1", RedirectError::Query),
            ("https://localhost:1/cb", RedirectError::Scheme),
            ("file:///cb", RedirectError::Scheme),
            ("com.example:/cb", RedirectError::Scheme),
            ("http://evil.test\\@localhost:1/", RedirectError::Invalid),
            ("http://localhost:1/a b", RedirectError::Invalid),
            ("localhost:1/cb", RedirectError::Scheme),
            ("cb", RedirectError::Invalid),
        ] {
            assert_eq!(Redirect::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn an_address_with_a_port_is_sent_as_it_was_entered() {
        for text in [
            "http://localhost:8080",
            "http://LOCALHOST:8080/oauth/cb",
            "http://127.0.0.1:1/%7Ea//b",
            "http://[::1]:65535/",
        ] {
            let redirect = Redirect::parse(text).expect(text);
            let port = redirect.port().expect("a port");
            assert_eq!(redirect.uri(port), text);
            assert_eq!(redirect.port_of(text), Some(port));
        }
        let open = Redirect::parse("http://localhost/oauth/cb").expect("without a port");
        assert_eq!(open.uri(5), "http://localhost:5/oauth/cb");
        assert_eq!(open.port_of("http://localhost:7/oauth/cb"), Some(7));
        assert_eq!(open.port_of("http://localhost:7/callback"), None);
        assert_eq!(open.port_of("http://127.0.0.1:7/oauth/cb"), None);
        assert_eq!(open.or_port(Some(9)).uri(9), "http://localhost:9/oauth/cb");
        let standard = Redirect::standard(None);
        assert_eq!(standard.uri(5), "http://127.0.0.1:5/callback");
    }
}
