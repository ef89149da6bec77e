//! Checks the parameters that a user adds to an authorization request: none may replace one of
//! Sightglass's own, on which the checks of the answer rest.

use sightglass_model::brief;
use thiserror::Error;

use crate::AuthorizationParameter;

/// The most parameters that are added, and the most bytes of one of them.
const MAX_PARAMETERS: usize = 32;
const MAX_PARAMETER_SIZE: usize = 2000;

/// Parameters that Sightglass sets itself, those that bring in others (RFC 9101), those that
/// change how the answer comes back, and those that prove the client. In any case of letters,
/// since some authorization servers do not tell them apart.
const RESERVED: [&str; 28] = [
    "assertion",
    "client_assertion",
    "client_assertion_type",
    "client_id",
    "client_id_scheme",
    "client_secret",
    "code",
    "code_challenge",
    "code_challenge_method",
    "code_verifier",
    "dpop_jkt",
    "error",
    "grant_type",
    "id_token",
    "iss",
    "nonce",
    "password",
    "redirect_uri",
    "refresh_token",
    "registration",
    "request",
    "request_uri",
    "resource",
    "response_mode",
    "response_type",
    "scope",
    "state",
    "token",
];

/// Error of a parameter that must not be added.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum ParameterError {
    #[error("The parameter {0} is reserved: Sightglass sets it itself.")]
    Reserved(String),
    #[error(
        "The parameter name {0:?} is invalid. It may hold letters, digits, dots, hyphens and \
         underscores."
    )]
    Name(String),
    #[error("A parameter has no name.")]
    Unnamed,
    #[error("The parameter {0} has no value.")]
    Empty(String),
    #[error("The parameter {0} stands there twice.")]
    Repeated(String),
    #[error("The parameter {0} is too long: at most {MAX_PARAMETER_SIZE} bytes.")]
    TooLong(String),
    #[error("These are too many parameters: at most {MAX_PARAMETERS}.")]
    TooMany,
}

/// Checks the parameters that are added to an authorization request.
///
/// # Errors
/// With the first one that must not be sent.
pub(crate) fn check_parameters(
    parameters: &[AuthorizationParameter],
) -> Result<(), ParameterError> {
    if parameters.len() > MAX_PARAMETERS {
        return Err(ParameterError::TooMany);
    }
    for (index, AuthorizationParameter { name, value }) in parameters.iter().enumerate() {
        if name.is_empty() {
            return Err(ParameterError::Unnamed);
        }
        // RFC 6749, section 8.2.
        let is_name_byte =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        if !name.bytes().all(is_name_byte) || name.len() > MAX_PARAMETER_SIZE {
            return Err(ParameterError::Name(brief(name, 80).into_owned()));
        }
        if RESERVED.iter().any(|own| name.eq_ignore_ascii_case(own)) {
            return Err(ParameterError::Reserved(name.clone()));
        }
        if value.is_empty() {
            return Err(ParameterError::Empty(name.clone()));
        }
        if value.len() > MAX_PARAMETER_SIZE {
            return Err(ParameterError::TooLong(name.clone()));
        }
        // RFC 6749, section 3.1: a parameter must not stand there twice.
        let before = &parameters[..index];
        if before
            .iter()
            .any(|other| other.name.eq_ignore_ascii_case(name))
        {
            return Err(ParameterError::Repeated(name.clone()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, value: &str) -> AuthorizationParameter {
        AuthorizationParameter {
            name: name.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn what_a_sign_in_rests_on_cannot_be_replaced() {
        for name in RESERVED {
            let upper = name.to_ascii_uppercase();
            for name in [name, &upper] {
                let error = check_parameters(&[parameter(name, "x")]).expect_err(name);
                assert_eq!(error, ParameterError::Reserved(name.to_owned()));
            }
        }
        for name in [
            "state ",
            "st\u{430}te",
            "a&state",
            "state=x",
            "a b",
            "%73tate",
        ] {
            let error = check_parameters(&[parameter(name, "x")]).expect_err(name);
            assert!(matches!(error, ParameterError::Name(_)), "{name}: {error}");
        }
        let twice = [parameter("prompt", "login"), parameter("Prompt", "none")];
        assert!(check_parameters(&twice).is_err());
        assert!(check_parameters(&[parameter("prompt", "")]).is_err());
        assert!(check_parameters(&[parameter("prompt", &"x".repeat(2001))]).is_err());
        assert!(check_parameters(&vec![parameter("a", "b"); 33]).is_err());
    }

    #[test]
    fn parameters_of_providers_are_added() {
        let parameters = [
            parameter("audience", "https://api.example"),
            parameter("prompt", "select_account consent"),
            parameter("access_type", "offline"),
            parameter("login_hint", "ada@acme.example"),
        ];
        assert_eq!(check_parameters(&parameters), Ok(()));
    }
}
