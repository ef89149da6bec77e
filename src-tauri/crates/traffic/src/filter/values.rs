//! Reads the values of filter terms, and says in a sentence what is wrong with one.

use chrono::{Local, NaiveDate, NaiveDateTime, NaiveTime, TimeZone as _};
use sightglass_model::Timestamp;

use super::{Comparison, Test};
use crate::{Direction, ExchangeKind, Outcome};

/// The levels of log messages, the least severe first.
pub(super) const LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

pub(super) fn status(value: &str) -> Result<Test, String> {
    let outcome = match value {
        "ok" => Outcome::Ok,
        "error" | "failed" => Outcome::Error,
        "pending" => Outcome::Pending,
        "cancelled" | "canceled" => Outcome::Cancelled,
        "unanswered" => Outcome::Unanswered,
        "none" => Outcome::None,
        _ => {
            return value.parse().map(Test::Code).map_err(|_| {
                format!(
                    "{value} is not a status. Try ok, error, pending, cancelled, unanswered or a \
                     code such as -32602 or 404."
                )
            });
        }
    };
    Ok(Test::Outcome(outcome))
}

pub(super) fn kind(value: &str) -> Result<Test, String> {
    let kind = match value {
        "request" => ExchangeKind::Request,
        "notification" => ExchangeKind::Notification,
        "log" => ExchangeKind::Log,
        "http" => ExchangeKind::Http,
        "oauth" => ExchangeKind::Oauth,
        "stderr" => ExchangeKind::Stderr,
        "phase" => ExchangeKind::Phase,
        _ => {
            return Err(format!(
                "{value} is not a kind. Try request, notification, log, http, oauth, stderr or \
                 phase."
            ));
        }
    };
    Ok(Test::Kind(kind))
}

/// The comparison, the number and the unit of for instance `>=1.5mb`.
pub(super) fn comparison<'a>(
    key: &str,
    value: &'a str,
) -> Result<(Comparison, f64, &'a str), String> {
    let example = if key == "size" {
        "size:>1mb"
    } else {
        "dur:>200ms"
    };
    let (comparison, rest) =
        sign(value).ok_or_else(|| format!("Use < or >, for instance {example}"))?;
    let end = rest
        .find(|character: char| !character.is_ascii_digit() && character != '.')
        .unwrap_or(rest.len());
    let (number, unit) = rest.split_at(end);
    let number = number
        .parse()
        .map_err(|_| format!("{value} has no number. Try {example}"))?;
    Ok((comparison, number, unit.trim()))
}

pub(super) fn duration_unit(unit: &str) -> Result<f64, String> {
    match unit {
        "" | "ms" => Ok(1.0),
        "us" | "µs" => Ok(0.001),
        "s" => Ok(1000.0),
        "m" | "min" => Ok(60_000.0),
        "h" => Ok(3_600_000.0),
        _ => Err(format!(
            "{unit} is not a unit of time. Try us, ms, s, min or h."
        )),
    }
}

pub(super) fn size_unit(unit: &str) -> Result<f64, String> {
    match unit {
        "" | "b" => Ok(1.0),
        "k" | "kb" | "kib" => Ok(1024.0),
        "m" | "mb" | "mib" => Ok(1024.0 * 1024.0),
        "g" | "gb" | "gib" => Ok(1024.0 * 1024.0 * 1024.0),
        _ => Err(format!(
            "{unit} is not a unit of size. Try b, kb, mb or gb."
        )),
    }
}

/// The sign of a comparison, and what follows it.
fn sign(value: &str) -> Option<(Comparison, &str)> {
    [
        (">=", Comparison::AtLeast),
        ("<=", Comparison::AtMost),
        (">", Comparison::Above),
        ("<", Comparison::Below),
        ("=", Comparison::Exactly),
    ]
    .into_iter()
    .find_map(|(sign, comparison)| Some((comparison, value.strip_prefix(sign)?)))
}

/// The levels that `error`, `>=warning` or `<info` means.
pub(super) fn levels(value: &str) -> Result<Vec<&'static str>, String> {
    let (comparison, name) = sign(value).unwrap_or((Comparison::Exactly, value));
    let name = if name == "warn" { "warning" } else { name };
    let limit = LEVELS.iter().position(|level| *level == name).ok_or_else(|| {
        format!(
            "{name} is not a level. Try debug, info, notice, warning, error, critical, alert or \
             emergency, or level:>=warning."
        )
    })?;
    Ok((0..)
        .zip(LEVELS)
        .filter(|(severity, _)| comparison.holds(*severity, limit))
        .map(|(_, level)| level)
        .collect())
}

/// The direction of what `value` sent.
pub(super) fn sender(value: &str) -> Result<Direction, String> {
    match value {
        "server" => Ok(Direction::Received),
        "client" | "us" | "me" => Ok(Direction::Sent),
        _ => Err(format!("{value} is not a sender. Try server or client.")),
    }
}

/// The moment that `>14:02`, `<2026-11-23` or `>2026-11-23t14:02` means, in the time of this
/// place; `<5min` is within the last five minutes, `>5min` earlier.
pub(super) fn moment(value: &str, now: Timestamp) -> Result<(Comparison, Timestamp), String> {
    let example = "Try time:>14:02, time:<2026-11-23 or time:<5min for the last five minutes.";
    let (comparison, rest) =
        sign(value).ok_or_else(|| format!("Use < (before) or > (after). {example}"))?;
    if let Some(moment) = clock_time(rest, now) {
        return Ok((comparison, moment));
    }
    let wrong = || format!("{rest} is not a time. {example}");
    let end = rest
        .find(|character: char| !character.is_ascii_digit() && character != '.')
        .ok_or_else(wrong)?;
    let (number, unit) = rest.split_at(end);
    let amount: f64 = number.parse().map_err(|_| wrong())?;
    let age = amount * duration_unit(unit).map_err(|_| wrong())?;
    // A smaller age is a later moment.
    let turned = match comparison {
        Comparison::Above => Comparison::Below,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Below => Comparison::Above,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Exactly => Comparison::Exactly,
    };
    Ok((turned, Timestamp::from_millis(now.as_millis() - age)))
}

/// A time of today, a date, or both.
fn clock_time(text: &str, now: Timestamp) -> Option<Timestamp> {
    let time = |text: &str| {
        ["%H:%M:%S%.f", "%H:%M"]
            .into_iter()
            .find_map(|form| NaiveTime::parse_from_str(text, form).ok())
    };
    let date = |text: &str| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "milliseconds since 1970 fit 64 bits"
    )]
    let today = Local
        .timestamp_millis_opt(now.as_millis() as i64)
        .single()?;
    let local = match text.split_once('t') {
        Some((day, clock)) => NaiveDateTime::new(date(day)?, time(clock)?),
        None => match time(text) {
            Some(time) => NaiveDateTime::new(today.date_naive(), time),
            None => NaiveDateTime::new(date(text)?, NaiveTime::MIN),
        },
    };
    let moment = Local.from_local_datetime(&local).earliest()?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "milliseconds since 1970 fit 53 bits"
    )]
    Some(Timestamp::from_millis(moment.timestamp_millis() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_time_of_today_a_date_or_an_age() {
        let noon = Local
            .with_ymd_and_hms(2026, 11, 23, 12, 0, 0)
            .single()
            .expect("a moment");
        let at = |hour: i64, minute: i64| {
            Timestamp::from_millis(
                (noon.timestamp_millis() + ((hour - 12) * 60 + minute) * 60_000) as f64,
            )
        };
        let now = at(12, 0);
        assert_eq!(moment(">11:58", now), Ok((Comparison::Above, at(11, 58))));
        assert_eq!(
            moment("<=11:58:00", now),
            Ok((Comparison::AtMost, at(11, 58)))
        );
        assert_eq!(
            moment("<2026-11-23", now),
            Ok((Comparison::Below, at(0, 0)))
        );
        assert_eq!(
            moment(">2026-11-23t10:30", now),
            Ok((Comparison::Above, at(10, 30)))
        );
        assert_eq!(moment("<5min", now), Ok((Comparison::Above, at(11, 55))));
        assert_eq!(moment(">2h", now), Ok((Comparison::Below, at(10, 0))));
        for wrong in ["11:58", ">", ">x", ">5parsec", ">24:61", ">2026-13-01"] {
            assert!(moment(wrong, now).is_err(), "{wrong}");
        }
    }
}
