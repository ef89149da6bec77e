//! A user signs in to a server with a browser, and everything that can become of that.

use serde_json::json;
use sightglass_tests::{
    oidc::Guarded,
    window::{AppWindow, Locator, Story, WindowError, button, region, tab, tell},
};

use crate::common::{call, field, phase, result, server, show_settings, show_traffic, traffic_row};

/// Returns the state of the sign-in, on the Auth tab.
fn standing() -> Locator {
    Locator::role("status").inside(Locator::role("main"))
}

/// A step of the sign-in.
fn step(title: &str) -> Locator {
    Locator::role("row")
        .starting(title)
        .inside(Locator::role("grid").named("Steps"))
}

/// One of the pages of the Auth tab.
fn page(name: &str) -> Locator {
    Locator::role("radio").named(name)
}

/// Opens the window on a project with this server, and lets it be refused.
async fn open_refused(story: &mut Story, guarded: &Guarded) -> Result<(), WindowError> {
    let entry = json!({ "type": "http", "url": guarded.url() });
    story.directories.configure(json!({ "guarded": entry }))?;
    story.open().await?;
    let window = story.window();
    window.click(&server("guarded")).await?;
    window.click(&button("Connect")).await?;
    window.shows(&phase(), "Failed: sign-in required").await
}

/// Signs in from where the window is, until the server is ready.
async fn sign_in(window: &AppWindow) -> Result<(), WindowError> {
    window.click(&button("Sign in")).await?;
    window.shows(&standing(), "Signed in").await?;
    window.shows(&phase(), "Ready").await
}

#[tokio::test(flavor = "multi_thread")]
async fn one_click_signs_in_and_the_call_succeeds() {
    tell("signing-in", async |story| {
        let guarded = Guarded::start();
        open_refused(story, &guarded).await?;
        let window = story.window();
        sign_in(window).await?;
        window
            .shows(&standing(), "Signed in as ada@acme.example")
            .await?;

        call(window, "whoami", &[]).await?;
        window.shows(&result(), "ada with").await?;

        show_settings(window, "Sign-in").await?;
        window.click(&page("Steps")).await?;
        for title in [
            "Challenge",
            "Resource metadata",
            "Registration",
            "Callback",
            "Token",
            "Retry",
        ] {
            window.shows(&step(title), "Done").await?;
        }
        window.click(&step("Token")).await?;
        let detail = region("Token");
        window.click(&tab("Request").inside(detail.clone())).await?;
        window.shows(&detail, "code_verifier").await?;
        show_traffic(window, "Raw").await?;
        // The table follows what is newest; the filter brings the older rows back.
        window
            .fill(
                &Locator::role("searchbox").named("Filter traffic"),
                "/token",
            )
            .await?;
        window.find(&traffic_row("/token")).await?;

        window.click(&button("Sign out")).await?;
        window.shows(&standing(), "Not signed in").await?;
        assert_eq!(guarded.asked("/reg"), 1, "one registration");
        assert!(guarded.asked("/token/revocation") > 0, "a revocation");
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_expires_is_renewed_without_a_word() {
    tell("token-expires", async |story| {
        let guarded = Guarded::with(&json!({ "lifetime": 2 }));
        open_refused(story, &guarded).await?;
        let window = story.window();
        sign_in(window).await?;
        let before = guarded.asked("/token");
        // A token of two seconds has expired by the second call at the latest.
        for _ in 0..2 {
            call(window, "whoami", &[]).await?;
            window.shows(&result(), "ada with").await?;
            tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        }
        call(window, "whoami", &[]).await?;
        window.shows(&result(), "ada with").await?;
        assert!(guarded.asked("/token") > before, "it was refreshed");
        window.shows(&phase(), "Ready").await?;
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_that_the_server_revoked_is_told_and_given_again() {
    tell("grant-revoked", async |story| {
        let guarded = Guarded::start();
        open_refused(story, &guarded).await?;
        let window = story.window();
        sign_in(window).await?;
        guarded.revoke_all();
        call(window, "whoami", &[]).await?;
        show_settings(window, "Sign-in").await?;
        window.click(&page("Account")).await?;
        // The window says that it is over, and why.
        window.find(&button("Sign in")).await?;
        window
            .shows(&Locator::role("main"), "You have to sign in again")
            .await?;
        sign_in(window).await?;
        call(window, "whoami", &[]).await?;
        window.shows(&result(), "ada with").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_was_registered_beforehand_signs_in_with_its_secret() {
    tell("pre-registered", async |story| {
        let guarded = Guarded::with(&json!({ "client": {
            "client_id": "sightglass-tests",
            "client_secret": "a secret of the tests",
            "application_type": "native",
            "redirect_uris": ["http://127.0.0.1/callback"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "client_secret_basic",
        } }));
        open_refused(story, &guarded).await?;
        let window = story.window();
        show_settings(window, "Sign-in").await?;
        window.click(&page("Client")).await?;
        window.fill(&field("Client ID"), "sightglass-tests").await?;
        window
            .fill(&field("Client secret"), "a secret of the tests")
            .await?;
        window.click(&button("Save")).await?;
        window
            .shows(&Locator::role("main"), "Stored for http://127.0.0.1")
            .await?;
        window.click(&page("Account")).await?;
        window.click(&button("Sign in")).await?;
        // The secret goes to nobody before that is agreed to.
        window
            .shows(&Locator::role("main"), "Is this your authorization server?")
            .await?;
        window
            .shows(&Locator::role("main"), guarded.issuer())
            .await?;
        assert_eq!(guarded.asked("/token"), 0);
        window.click(&button("Agree and continue")).await?;
        window.shows(&standing(), "Signed in").await?;
        window.shows(&phase(), "Ready").await?;
        assert_eq!(guarded.asked("/reg"), 0, "nobody registered");
        call(window, "whoami", &[]).await?;
        window.shows(&result(), "ada with").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_needs_one_scope_more_leads_to_a_step_up() {
    tell("step-up", async |story| {
        let guarded = Guarded::start();
        open_refused(story, &guarded).await?;
        let window = story.window();
        sign_in(window).await?;
        call(window, "administer", &[]).await?;
        show_settings(window, "Sign-in").await?;
        window.click(&page("Account")).await?;
        window
            .shows(&standing(), "More permissions required")
            .await?;
        sign_in(window).await?;
        call(window, "administer", &[]).await?;
        window.shows(&result(), "administered by ada").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_issuer_with_a_path_is_found_and_the_search_is_shown() {
    tell("issuer-with-path", async |story| {
        let guarded = Guarded::with(&json!({ "path": "/tenants/acme" }));
        open_refused(story, &guarded).await?;
        let window = story.window();
        sign_in(window).await?;
        window.click(&page("Steps")).await?;
        window.click(&step("Server metadata")).await?;
        let tried = Locator::role("grid").named("Addresses tried");
        window
            .shows(
                &tried,
                "/.well-known/oauth-authorization-server/tenants/acme",
            )
            .await?;
        window.shows(&tried, "404").await?;
        let used = format!("{}/.well-known/openid-configuration", guarded.issuer());
        window.shows(&tried, &used).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_is_walked_through_and_cancelled() {
    tell("step-by-step", async |story| {
        let guarded = Guarded::start();
        let entry = json!({ "type": "http", "url": guarded.url() });
        story.directories.configure(json!({ "guarded": entry }))?;
        story.open().await?;
        let window = story.window();
        // Never connected: the steps work all the same.
        window.click(&server("guarded")).await?;
        show_settings(window, "Sign-in").await?;
        window.click(&page("Steps")).await?;
        window.click(&button("Sign in step by step")).await?;
        for title in [
            "challenge",
            "resource metadata",
            "server metadata",
            "registration",
        ] {
            window
                .shows(&standing(), &format!("Paused before {title}"))
                .await?;
            if title != "registration" {
                window.click(&button("Continue")).await?;
            }
        }
        window.shows(&step("Registration"), "Paused").await?;
        window
            .fill(
                &field("Headers one per line"),
                "content-type: application/json",
            )
            .await?;
        window.click(&button("Cancel")).await?;
        window.find(&button("Sign in")).await?;
        assert_eq!(guarded.asked("/reg"), 0, "the request was held back");
        Ok(())
    })
    .await;
}
