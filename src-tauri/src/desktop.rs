//! Starts the window, wires it to the backend, and shuts both down.

use std::{
    collections::hash_map::DefaultHasher,
    env,
    hash::{Hash, Hasher},
    path::{self, Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::{
    arguments::{self, Arguments, ShownFirst},
    background, fail, ipc, logging, page, places,
    projects::{self, Projects},
    snapshot,
};
use sightglass_inspector::{
    ConfirmationMode, Host, Inspector, InspectorOptions, ListKind, Persistence, Places,
    REAPER_ARGUMENT, ReaperCommand, install_panic_hook, open_in_browser, view::Settings,
};
use tauri::{
    AppHandle, Manager, RunEvent, Runtime, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    async_runtime::JoinHandle,
    webview::{Color, PageLoadEvent},
};
use tauri_plugin_window_state::StateFlags;

/// The one window's label; the capability names it too.
pub(crate) const WINDOW: &str = "main";

/// Title of the page's file, and of the window before its project is known.
const PRODUCT: &str = "Sightglass";

/// Script that loads the page anew on another project, as the page itself does it
/// (`ui/src/state/projects.ts`). Where its own way is not there yet, nothing of it is loaded either.
const LOAD_ANEW: &str = "sessionStorage.setItem('sightglass.switched', 'true');
    if (window.sightglassReload) window.sightglassReload(); else location.reload();";

/// Servers get this long to end when the application does.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// Shown until the page paints, so that the window never flashes: the page's own surface in
/// the light and the dark theme.
const LIGHT: Color = Color(0xfa, 0xfb, 0xfc, 0xff);
const DARK: Color = Color(0x0e, 0x13, 0x16, 0xff);

/// Opens the window on a project, and returns when it is closed.
pub(crate) fn run(project: Option<PathBuf>, shown_first: Option<ShownFirst>) -> ExitCode {
    let project = match places::project(project) {
        Ok(project) => project,
        Err(message) => return fail(&message),
    };
    if let Some(message) = missing_display() {
        return fail(message);
    }
    // Named from where the program was started.
    let shown_first = shown_first.map(|shown| shown_from(shown, Path::new("")));
    places::leave_start_directory();
    let own_variables = choose_renderer();
    let log = logging::start();
    install_panic_hook(|error| tracing::error!("internal error: {error}"));
    let runtime = match background::runtime(own_variables) {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("the system refused threads: {error}")),
    };
    tauri::async_runtime::set(runtime.handle().clone());
    let application = tauri::Builder::default()
        .plugin(at_setup("start-directory", places::enter_start_directory))
        .plugin(single_instance())
        .plugin(at_setup("home-directory", places::leave_start_directory))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(tauri_plugin_shell::init())
        .plugin(window_state())
        .invoke_handler(ipc::invoke_handler::<tauri::Wry>())
        .setup(move |app| {
            log.keep_in(&places::data_directory(app.handle())?);
            let opening = open_inspector(app.handle(), project.clone())?;
            // WebKit starts its processes meanwhile. The page is handed out once this has
            // returned, so that every command finds what it is about.
            let window = open_window(app.handle(), shown_first.as_ref())?;
            let inspector = tauri::async_runtime::block_on(opening)?;
            background::return_memory_at_rest(&inspector);
            begin(&inspector);
            adapt_window(&window, &inspector)?;
            app.manage(Arc::new(Projects::new(inspector, Some(Arc::new(Desktop)))));
            app.manage(Readiness::with(app.handle().clone()));
            Ok(())
        })
        .build(tauri::generate_context!());
    let application = match application {
        Ok(application) => application,
        Err(error) => return fail(&format!("the window could not be opened: {error}")),
    };
    let code = application.run_return(|app, event| {
        if let RunEvent::Exit = event {
            shut_down(app);
        }
    });
    // A thread that still waits for a keychain or a disk must not keep the application alive.
    runtime.shutdown_background();
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// Records that the page has drawn itself, once.
struct Readiness {
    announced: AtomicBool,
    /// Takes the picture that was asked for. It needs the real runtime; the command does not.
    take_picture: Box<dyn Fn() + Send + Sync>,
}

impl Readiness {
    fn with(app: AppHandle) -> Self {
        Self {
            announced: AtomicBool::new(false),
            take_picture: Box::new(move || {
                if let Some(path) = snapshot::requested() {
                    snapshot::take(app.clone(), path);
                }
            }),
        }
    }
}

/// The page has drawn itself and can be used.
pub(crate) fn window_ready<R: Runtime>(app: &AppHandle<R>) {
    let Some(readiness) = app.try_state::<Readiness>() else {
        return;
    };
    if readiness.announced.swap(true, Ordering::Relaxed) {
        return;
    }
    tracing::info!("window ready");
    (readiness.take_picture)();
}

/// Sets the size of everything in the window. The web view does it, so that text stays sharp and
/// the page lays itself out as in a smaller or larger window.
pub(crate) fn zoom<R: Runtime>(app: &AppHandle<R>, settings: &Settings) {
    if let Some(window) = app.get_webview_window(WINDOW)
        && let Err(error) = window.set_zoom(settings.zoom_factor())
    {
        tracing::warn!("the window cannot be zoomed: {error}");
    }
}

/// Connects what the user chose for the start, and keeps the project for the next time, beside the
/// window that opens.
fn begin(inspector: &Arc<Inspector>) {
    let inspector = Arc::clone(inspector);
    tauri::async_runtime::spawn(async move {
        inspector.servers.lifecycle.connect_at_start();
        if let Err(error) = inspector.core.record_project() {
            tracing::warn!("{error}");
        }
    });
}

/// Begins to open the record and to read the configuration.
fn open_inspector(app: &AppHandle, project: PathBuf) -> Result<JoinHandle<Arc<Inspector>>, String> {
    let helper = places::helper(app)?;
    let options = InspectorOptions {
        places: Places {
            home: places::home(app),
            project,
        },
        data_directory: places::data_directory(app)?,
        persistence: Persistence::Everything,
        lists: ListKind::ALL.to_vec(),
        demo: Some((
            helper.clone(),
            vec![sightglass_demo_server::ARGUMENT.to_owned()],
        )),
        reaper: Some(ReaperCommand {
            program: helper,
            arguments: vec![REAPER_ARGUMENT.into()],
        }),
        environment: Arc::new(|name| env::var(name).ok()),
        system_root: places::system_root(),
        confirmation: ConfirmationMode::Ask,
    };
    // In the background, so that the threads of the record belong to it too.
    Ok(tauri::async_runtime::spawn(async {
        let inspector = Inspector::open_on(options, Arc::new(Desktop));
        // Terminals set this and desktops do not.
        if cfg!(unix) && env::var_os("TERM").is_none() {
            inspector.use_login_shell();
        }
        inspector
    }))
}

/// The desktop around the façade.
pub(crate) struct Desktop;

impl Host for Desktop {
    /// A browser that the user chose comes before that of the desktop.
    fn open_address(&self, address: &str) -> Result<(), String> {
        open_in_browser(address, env::var("BROWSER").ok().as_deref())
    }
}

fn open_window(app: &AppHandle, shown_first: Option<&ShownFirst>) -> tauri::Result<WebviewWindow> {
    let handing_out = app.clone();
    let window = WebviewWindowBuilder::new(app, WINDOW, WebviewUrl::App(snapshot::page().into()))
        .title(PRODUCT)
        .inner_size(1440.0, 900.0)
        .min_inner_size(640.0, 420.0)
        .background_color(LIGHT)
        .visible(false)
        .initialization_script(told_to_the_page(shown_first))
        .on_web_resource_request(move |_, response| {
            page::put_snapshot(response, || {
                let projects = handing_out.try_state::<Arc<Projects>>()?;
                Some(projects.current().snapshot())
            });
        })
        // The page counts the questions of servers there. Until it has a title of its own, it has
        // that of its file, which says less than the window's.
        .on_document_title_changed(|window, title| {
            if title != PRODUCT
                && let Err(error) = window.set_title(&title)
            {
                tracing::warn!("the window's title cannot be set: {error}");
            }
        })
        .on_page_load(|window, load| {
            // Shown no sooner. WebKitGTK waits up to half a second, on the main thread, for the
            // page to take the window's size; and a page cannot answer while its files, which
            // the main thread hands out, are still missing.
            if load.event() == PageLoadEvent::Finished
                && let Err(error) = window.show()
            {
                tracing::warn!("the window cannot be shown: {error}");
            }
        })
        .build()?;
    if window
        .theme()
        .is_ok_and(|theme| theme == tauri::Theme::Dark)
    {
        window.set_background_color(Some(DARK))?;
    }
    Ok(window)
}

/// Gives the window the title of its project, and the size of everything in it that was chosen.
fn adapt_window(window: &WebviewWindow, inspector: &Inspector) -> tauri::Result<()> {
    window.set_title(&format!(
        "{} – {PRODUCT}",
        projects::name(inspector.core.project())
    ))?;
    let settings = inspector.core.settings();
    if settings.zoom_factor() != 1.0 {
        zoom(window.app_handle(), &settings);
    }
    Ok(())
}

/// Script that tells the page what to show first.
fn told_to_the_page(shown_first: Option<&ShownFirst>) -> String {
    // A path that is no Unicode cannot be told to the page.
    let shown_first = serde_json::to_string(&shown_first).unwrap_or_else(|_| "null".to_owned());
    format!("window.sightglassOpened = {shown_first};")
}

/// Keeps where the window was and how large. Whether it is shown is not its business:
/// `open_window` does that when it is time.
fn window_state() -> tauri::plugin::TauriPlugin<tauri::Wry> {
    tauri_plugin_window_state::Builder::default()
        .with_state_flags(StateFlags::all() - StateFlags::VISIBLE)
        .build()
}

/// Shows the window before all others.
pub(crate) fn bring_to_front<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(WINDOW) {
        // A window manager may refuse each of these; the window is there all the same.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// A plugin that does one thing when it is its turn to be set up.
fn at_setup(name: &'static str, run: fn()) -> tauri::plugin::TauriPlugin<tauri::Wry> {
    tauri::plugin::Builder::new(name)
        .setup(move |_, _| {
            run();
            Ok(())
        })
        .build()
}

/// A second launch on the same data directory brings the first window to the front, and shows the
/// folder that it was started for.
fn single_instance() -> tauri::plugin::TauriPlugin<tauri::Wry> {
    let builder =
        tauri_plugin_single_instance::Builder::new().callback(|app, arguments, directory| {
            show_project(app, arguments, PathBuf::from(directory));
            bring_to_front(app);
        });
    match places::chosen_data_directory() {
        Some(directory) => {
            let mut hasher = DefaultHasher::new();
            directory.hash(&mut hasher);
            builder
                .dbus_id(format!("dev.sightglass.app.data{:016x}", hasher.finish()))
                .build()
        }
        None => builder.build(),
    }
}

/// Tells the page what another launch is for; it shows that to the user.
fn show_in_page(app: &AppHandle, shown: &ShownFirst) {
    let Ok(detail) = serde_json::to_string(shown) else {
        return;
    };
    let script =
        format!("dispatchEvent(new CustomEvent('sightglass-open', {{ detail: {detail} }}))");
    if let Some(window) = app.get_webview_window(WINDOW)
        && let Err(error) = window.eval(&script)
    {
        tracing::warn!("the page cannot show it: {error}");
    }
}

/// Makes the path of a file absolute: one that is relative is named from `directory`, or from the
/// working directory where that is empty.
fn shown_from(shown: ShownFirst, directory: &Path) -> ShownFirst {
    match shown {
        ShownFirst::SessionFile { path } => {
            let path = directory.join(path);
            ShownFirst::SessionFile {
                path: path::absolute(&path).unwrap_or(path),
            }
        }
        link => link,
    }
}

/// Shows the project that another launch named, or was started in. One from a menu starts in the
/// home directory, and means whatever is shown.
fn show_project(app: &AppHandle, arguments: Vec<String>, directory: PathBuf) {
    let arguments = arguments.into_iter().skip(1).map(Into::into);
    let project = match arguments::parse(arguments) {
        Ok(Arguments::Window {
            shown: Some(shown), ..
        }) => return show_in_page(app, &shown_from(shown, &directory)),
        Ok(Arguments::Window {
            project: Some(named),
            ..
        }) => directory.join(named),
        Ok(Arguments::Window { .. }) if directory != places::home(app) => directory,
        _ => return,
    };
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let Some(projects) = app.try_state::<Arc<Projects>>() else {
            return;
        };
        match projects.show(&project) {
            Ok(true) => {
                if let Some(window) = app.get_webview_window(WINDOW)
                    && let Err(error) = window.eval(LOAD_ANEW)
                {
                    tracing::warn!("the project cannot be shown: {error}");
                }
            }
            Ok(false) => {}
            Err(error) => tracing::warn!("{error}"),
        }
    });
}

/// Ends every connection before the process does.
fn shut_down(app: &AppHandle) {
    let Some(projects) = app.try_state::<Arc<Projects>>() else {
        return;
    };
    let projects = projects.inner().clone();
    let in_time = tauri::async_runtime::block_on(async move {
        tokio::time::timeout(SHUTDOWN_TIMEOUT, projects.shutdown()).await
    });
    if in_time.is_err() {
        tracing::warn!("some servers did not end in time and were left to the reaper");
    }
}

/// Returns the place where there is no graphics card, WebKitGTK would first set up OpenGL in
/// software, which takes a third of the time until the window can be used, and then draw through
/// it, which is slower than drawing without. A variable that the user set is not overruled.
/// Returns the variables that were set.
///
/// It sets OpenGL up in this process all the same, to ask for the card's device file. Telling
/// it one (`WEBKIT_WEB_RENDER_DEVICE_FILE`) would save some 45 ms of this process's time and
/// 15 MB, but what it learns about the desktop then comes after the page (2.50): a dark theme
/// stays light.
#[cfg(target_os = "linux")]
fn choose_renderer() -> Vec<&'static str> {
    const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    let has_graphics_card = std::fs::read_dir("/dev/dri").is_ok_and(|devices| {
        devices
            .flatten()
            .any(|device| device.file_name().to_string_lossy().starts_with("renderD"))
    });
    if has_graphics_card || env::var_os(VARIABLE).is_some() {
        return Vec::new();
    }
    // SAFETY: nothing has started a thread yet that could read the environment.
    unsafe { env::set_var(VARIABLE, "1") };
    vec![VARIABLE]
}

#[cfg(not(target_os = "linux"))]
fn choose_renderer() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(target_os = "linux")]
fn missing_display() -> Option<&'static str> {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    (!set("DISPLAY") && !set("WAYLAND_DISPLAY")).then_some(
        "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); \
         start it from a desktop session, or under a virtual display: xvfb-run -a sightglass",
    )
}

#[cfg(not(target_os = "linux"))]
fn missing_display() -> Option<&'static str> {
    None
}
