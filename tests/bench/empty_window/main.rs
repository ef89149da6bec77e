//! Opens a Tauri window on an empty page and does nothing else: the floor of the launch.
//!
//! What the application takes beyond this window's time and memory is its own; the rest is
//! Tauri's and WebKit's, and differs from machine to machine.

#[cfg(target_os = "linux")]
fn main() {
    use serde_json::json;
    use tauri::{
        Config, Context, PackageInfo, Pattern, WebviewUrl, WebviewWindowBuilder, Wry,
        http::{Response, header::CONTENT_TYPE},
        utils::assets::AssetKey,
    };

    /// Tells that it is painted: the second frame begins after the first was.
    const PAGE: &str = "<!doctype html><title>Empty</title><script>\
        requestAnimationFrame(() => requestAnimationFrame(() => fetch('/ready')))</script>";

    /// The page is no file of the bundle.
    struct NoAssets;

    impl tauri::Assets<Wry> for NoAssets {
        fn get(&self, _: &AssetKey) -> Option<std::borrow::Cow<'_, [u8]>> {
            None
        }
        fn iter(&self) -> Box<tauri::utils::assets::AssetsIter<'_>> {
            Box::new(std::iter::empty())
        }
        fn csp_hashes(
            &self,
            _: &AssetKey,
        ) -> Box<dyn Iterator<Item = tauri::utils::assets::CspHash<'_>> + '_> {
            Box::new(std::iter::empty())
        }
    }

    let config: Config = serde_json::from_value(json!({ "identifier": "dev.sightglass.empty" }))
        .expect("a configuration");
    let package = PackageInfo {
        name: "empty-window".to_owned(),
        version: env!("CARGO_PKG_VERSION").parse().expect("a version"),
        authors: "",
        description: "",
        crate_name: "sightglass-bench-empty-window",
    };
    let context = Context::new(
        config,
        Box::new(NoAssets),
        None,
        None,
        package,
        Pattern::Brownfield,
        tauri::runtime_authority!(Default::default(), Default::default()),
        None,
    );
    tauri::Builder::<Wry>::new()
        .register_uri_scheme_protocol("empty", |_, request| {
            if request.uri().path() == "/ready" {
                eprintln!("window ready");
            }
            Response::builder()
                .header(CONTENT_TYPE, "text/html")
                .body(PAGE.as_bytes())
                .expect("a response")
        })
        .setup(|app| {
            let page = "empty://localhost/".parse().expect("an address");
            WebviewWindowBuilder::new(app, "main", WebviewUrl::CustomProtocol(page))
                .title("Empty")
                .inner_size(1440.0, 900.0)
                .build()?;
            Ok(())
        })
        .run(context)
        .expect("the window runs");
}

#[cfg(not(target_os = "linux"))]
fn main() {}
