//! Commands that need the desktop: addresses to open, settings, the clipboard, the window itself.

use sightglass_inspector::{
    CommandError, Host, contained,
    view::{ClipboardOffer, Settings},
};
use tauri::{AppHandle, Runtime, ipc::Channel};
use tauri_plugin_opener::OpenerExt;

use crate::{
    desktop::Desktop,
    error::{CommandResult, blocking},
    logging, notification,
    projects::Current,
};

/// Shows the log file in the file manager.
#[tauri::command]
#[specta::specta]
pub async fn show_log<R: Runtime>(app: AppHandle<R>, inspector: Current) -> CommandResult<()> {
    let file = logging::file(inspector.core.data.directory());
    reveal_path(app, file.display().to_string()).await
}

/// Opens an http(s) address in the browser.
#[tauri::command]
#[specta::specta]
pub async fn open_address(address: String) -> CommandResult<()> {
    contained(async move {
        // Waits until the browser is started.
        let opening = tokio::task::spawn_blocking(move || {
            Desktop.open_address(&address).map_err(|error| {
                CommandError::system(format!("{address} was not opened: {error}."))
            })
        });
        opening
            .await
            .map_err(|error| CommandError::system(error.to_string()))?
    })
    .await
}

/// Shows a file in the file manager.
#[tauri::command]
#[specta::specta]
pub async fn reveal_path<R: Runtime>(app: AppHandle<R>, path: String) -> CommandResult<()> {
    contained(async move {
        // Asks the file manager over D-Bus, and waits for its answer.
        let revealing = tokio::task::spawn_blocking(move || {
            app.opener().reveal_item_in_dir(&path).map_err(|error| {
                CommandError::system(format!("{path} could not be shown: {error}"))
            })
        });
        revealing
            .await
            .map_err(|error| CommandError::system(error.to_string()))?
    })
    .await
}

/// Returns the servers that the clipboard's text adds; nothing for any other text, so that what
/// else was copied, such as a password, never reaches the page.
#[tauri::command]
#[specta::specta]
pub async fn get_clipboard_offer(inspector: Current) -> CommandResult<Option<ClipboardOffer>> {
    blocking(&inspector, move |inspector| {
        // Without a clipboard, or a text in it, there is nothing to offer.
        let text = arboard::Clipboard::new().and_then(|mut clipboard| clipboard.get_text());
        Ok(text
            .ok()
            .and_then(|text| inspector.setup.import_sources.clipboard_offer(&text)))
    })
    .await
}

/// Saves the settings.
#[tauri::command]
#[specta::specta]
pub async fn update_settings<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
    settings: Settings,
) -> CommandResult<()> {
    crate::desktop::zoom(&app, &settings);
    blocking(&inspector, move |inspector| {
        inspector.core.save_settings(settings)
    })
    .await
}

/// The window has drawn itself and can be used.
#[tauri::command]
#[specta::specta]
pub async fn window_ready<R: Runtime>(app: AppHandle<R>) -> CommandResult<()> {
    contained(async move {
        crate::desktop::window_ready(&app);
        Ok(())
    })
    .await
}

/// Shows a notification of the system; a click on it brings the window to the front and answers on
/// the channel.
#[tauri::command]
#[specta::specta]
pub async fn notify<R: Runtime>(
    app: AppHandle<R>,
    title: String,
    body: String,
    clicked: Channel<()>,
) -> CommandResult<()> {
    contained(async move {
        // Waits for the click for as long as the notification is there.
        std::thread::spawn(move || {
            if notification::show(&title, &body) {
                crate::desktop::bring_to_front(&app);
                // A page that was left needs no message.
                let _ = clicked.send(());
            }
        });
        Ok(())
    })
    .await
}
