//! Shows notifications of the system.

use notify_rust::Notification;
use quick_xml::escape::partial_escape;

/// The most characters of a text that are shown: it may come from a server.
const MAX_CHARACTERS: usize = 300;

/// Shows a notification, and waits until it is gone. Returns true when the user clicked it. Where
/// the system has no notifications, nothing is shown.
pub(crate) fn show(title: &str, body: &str) -> bool {
    let mut notification = Notification::new();
    notification
        .appname("Sightglass")
        .icon("sightglass")
        .summary(&shortened(title))
        // A server of notifications may understand markup (Desktop Notifications Specification,
        // section Markup).
        .body(&partial_escape(shortened(body)));
    #[cfg(all(unix, not(target_os = "macos")))]
    notification.action("default", "Show");
    match notification.show() {
        Ok(handle) => wait(handle),
        Err(error) => {
            tracing::info!("no notification could be shown: {error}");
            false
        }
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
fn wait(handle: notify_rust::NotificationHandle) -> bool {
    let mut is_clicked = false;
    handle.wait_for_action(|action| is_clicked = action == "default");
    is_clicked
}

/// The other systems do not say what became of a notification.
#[cfg(not(all(unix, not(target_os = "macos"))))]
fn wait<T>(_: T) -> bool {
    false
}

fn shortened(text: &str) -> String {
    text.chars().take(MAX_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_text_is_no_markup_and_not_long() {
        assert_eq!(partial_escape("<a href='x'>&"), "&lt;a href='x'&gt;&amp;");
        assert_eq!(shortened(&"ö".repeat(1000)).chars().count(), MAX_CHARACTERS);
    }
}
