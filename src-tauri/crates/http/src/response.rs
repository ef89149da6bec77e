//! Responses, and their bodies within a limit.

use std::net::IpAddr;

use bytes::Bytes;
use reqwest::{
    Response, StatusCode, Upgraded,
    header::{HeaderMap, LOCATION},
};
use url::Url;

use crate::{error::HttpError, redirect::RedirectTarget};

/// Response, whatever its status, of which the body is still to be read.
#[derive(Debug)]
pub struct HttpResponse {
    response: Response,
    peer: Option<IpAddr>,
}

impl HttpResponse {
    pub(crate) fn new(response: Response, peer: Option<IpAddr>) -> Self {
        Self { response, peer }
    }

    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Returns the address that was asked.
    pub fn url(&self) -> &Url {
        self.response.url()
    }

    /// Returns the size of the body, where it is known before the body is there.
    pub fn content_length(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// Returns the address that it came from; nothing through a proxy.
    pub fn peer(&self) -> Option<IpAddr> {
        self.peer
    }

    /// Returns where it leads, if it is a redirect from `url`.
    pub fn redirect(&self, url: &Url) -> Option<RedirectTarget> {
        let location = self.headers().get(LOCATION)?;
        let location = String::from_utf8_lossy(location.as_bytes());
        RedirectTarget::read(self.status().as_u16(), Some(&location), url)
    }

    /// Refuses a status that says that the request failed.
    ///
    /// # Errors
    /// For 400 and above.
    pub fn error_for_status(&self) -> Result<(), HttpError> {
        match self.response.error_for_status_ref() {
            Ok(_) => Ok(()),
            Err(error) => Err(HttpError::Status {
                status: self.status(),
                message: error.to_string(),
            }),
        }
    }

    /// Waits for the next part of the body; nothing at its end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, HttpError> {
        let chunk = self.response.chunk().await;
        chunk.map_err(|error| HttpError::interrupted(&error))
    }

    /// Reads the body to its end, unless it is larger than `limit` bytes.
    ///
    /// # Errors
    /// When it is, or when it broke off.
    pub async fn read(&mut self, limit: usize) -> Result<Vec<u8>, HttpError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            if body.len() + chunk.len() > limit {
                return Err(HttpError::TooLarge { limit });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// Gives the connection up to another protocol, after a 101.
    pub async fn upgrade(self) -> Result<Upgraded, HttpError> {
        let upgraded = self.response.upgrade().await;
        upgraded.map_err(|error| HttpError::interrupted(&error))
    }
}
