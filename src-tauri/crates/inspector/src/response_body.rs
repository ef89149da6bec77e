//! Bodies of answers, read up to a size.

/// Reason why an answer was not read to its end.
pub(crate) enum BodyError {
    Broken(reqwest::Error),
    TooLarge,
}

/// The body of an answer, up to a size.
pub(crate) async fn body_of(
    mut answer: reqwest::Response,
    limit: usize,
) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(BodyError::Broken)? {
        if body.len() + chunk.len() > limit {
            return Err(BodyError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
