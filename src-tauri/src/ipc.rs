//! Lists every command and channel between the window and the backend, in one place.
//!
//! Commands are thin: they parse, call the [`Inspector`](sightglass_inspector::Inspector) and
//! map the error. What changes goes out over the two channels of [`events`]. The TypeScript
//! side of all this, `ui/src/backend/bindings.ts`, is generated from here by
//! `cargo xtask bindings`; a test fails when it is out of date.

pub mod answer_rules;
pub mod auth;
pub mod calls;
pub mod configuration;
pub mod events;
pub mod export;
pub mod extensions;
pub mod items;
pub mod llm_tools;
mod model_endpoints;
pub mod projects;
pub mod requests;
pub mod servers;
pub mod sessions;
pub mod skills;
pub mod surface;
pub mod system;
pub mod tasks;
pub mod testing;
pub mod traffic;

use std::path::Path;

use sightglass_inspector::{CharacterClasses, MAX_BLANKS, character_classes};
use specta_typescript::Typescript;
use tauri::{Runtime, Wry};
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands};

/// Lists every command, for the window or for the runtime of the tests. The types of a command
/// are the same on both; its handler takes the runtime from the builder.
pub fn builder<R: Runtime>() -> Builder<R> {
    Builder::<R>::new()
        .error_handling(ErrorHandlingMode::Throw)
        .disable_serde_phases()
        .commands(collect_commands![
            projects::projects,
            projects::open_project,
            projects::choose_project::<Wry>,
            projects::close_project,
            projects::store_draft,
            projects::kept_draft,
            servers::snapshot,
            servers::connect,
            servers::disconnect,
            servers::ping,
            servers::server_settings,
            servers::save_server_settings,
            servers::set_session_variable,
            servers::store_entry_secret,
            servers::forget_found,
            servers::try_server,
            servers::tried_draft,
            servers::forget_tried,
            servers::trust_folder,
            servers::distrust_folder,
            servers::save_roots,
            servers::run_doctor,
            servers::stop_doctor,
            items::items,
            items::list_outline,
            items::item,
            items::find_item,
            items::definition_changes,
            items::refresh_list,
            extensions::extensions,
            extensions::switch_extension,
            extensions::declare_extensions,
            skills::skills,
            skills::skill,
            skills::verify_skill,
            skills::read_skill_file,
            calls::call_tool,
            calls::tool_call_command,
            calls::check_value,
            calls::read_resource,
            calls::open_resource,
            calls::get_prompt,
            calls::complete,
            calls::subscribe_resource,
            calls::unsubscribe_resource,
            calls::set_log_level,
            calls::cancel_call,
            calls::answer_confirmation,
            calls::answer_request,
            tasks::tasks,
            tasks::refresh_task,
            tasks::cancel_task,
            tasks::task_result,
            tasks::list_server_tasks,
            tasks::forget_task,
            answer_rules::answer_rules,
            answer_rules::answer_rules_text,
            answer_rules::check_answer_rules,
            answer_rules::save_answer_rules,
            answer_rules::rule_from_question,
            auth::auth_view,
            auth::sign_in,
            auth::cancel_sign_in,
            auth::continue_sign_in,
            auth::set_sign_in_pauses,
            auth::restart_sign_in,
            auth::paste_redirect,
            auth::sign_out,
            auth::choose_identity,
            auth::forget_identity,
            calls::call_tool_as,
            auth::tokens,
            auth::reveal_token,
            auth::token_action,
            auth::auth_settings,
            auth::save_auth_settings,
            auth::store_auth_secret,
            auth::rebind_auth,
            auth::agree_to_issuer,
            auth::agree_to_endpoints,
            auth::export_sign_in,
            auth::move_secrets,
            configuration::configuration,
            configuration::explain_configuration,
            configuration::definition_draft,
            configuration::check_draft,
            configuration::draft_launch,
            configuration::plan_configuration,
            configuration::apply_configuration,
            configuration::apply_configuration_outside,
            configuration::apply_configuration_with_secrets,
            configuration::unused_bundles,
            configuration::remove_unused_bundles,
            configuration::restore_bundles,
            configuration::configuration_text,
            configuration::read_configuration_text,
            configuration::draft_into_text,
            configuration::configuration_backups,
            configuration::trust_request,
            configuration::trust_requests,
            configuration::approve_server,
            configuration::approve_servers,
            configuration::revoke_approval,
            configuration::import_candidates,
            configuration::search_registry,
            configuration::registry_versions,
            configuration::choose_bundle::<Wry>,
            configuration::read_bundle,
            configuration::download_bundle,
            configuration::look_on_local_network,
            configuration::export_servers,
            configuration::save_export::<Wry>,
            requests::requests,
            requests::request_text,
            requests::check_request,
            requests::save_request,
            requests::create_request,
            requests::create_request_stubs,
            requests::move_request,
            requests::move_request_folder,
            requests::rename_request,
            requests::delete_request,
            requests::add_expectation,
            requests::remove_expectation,
            requests::request_approvals,
            requests::approve_requests,
            requests::run_requests,
            requests::stop_request_run,
            requests::watch_and_run,
            requests::stop_watch,
            requests::choose_requests_folder::<Wry>,
            requests::show_project_requests,
            servers::restart_on_change,
            servers::stop_restart_on_change,
            servers::restarts,
            llm_tools::model_clients,
            llm_tools::model_names,
            llm_tools::resolve_model_name,
            llm_tools::sent_tool_list,
            llm_tools::sent_tool,
            llm_tools::grouped_portability,
            llm_tools::token_cost,
            llm_tools::result_cost,
            llm_tools::search_model_tools,
            llm_tools::tool_choice,
            llm_tools::permission_rules,
            llm_tools::permission_verdict,
            model_endpoints::model_endpoints,
            model_endpoints::set_model_key,
            model_endpoints::ask_model,
            model_endpoints::explain_choice,
            model_endpoints::count_model_tokens,
            surface::surface,
            surface::pin_surface,
            surface::accept_surface,
            surface::keep_surface_alarm,
            surface::forget_surface,
            surface::silence_findings,
            testing::run_conformance,
            testing::stop_conformance,
            testing::conformance_suite,
            testing::install_conformance_suite,
            testing::remote_host,
            testing::load_plan,
            testing::start_load,
            testing::stop_load,
            surface::compare_surface,
            traffic::traffic_window,
            traffic::traffic_operations,
            traffic::traffic_operation,
            traffic::traffic_causality,
            traffic::tool_calls,
            traffic::past_call,
            traffic::traffic_timeline,
            traffic::traffic_timeline_step,
            traffic::traffic_timeline_operation,
            traffic::traffic_detail,
            traffic::payload_lines,
            traffic::payload_text,
            traffic::search_payload,
            traffic::blob_hex,
            traffic::blob_base64,
            traffic::copy_exchange,
            traffic::save_part::<Wry>,
            traffic::set_bookmark,
            traffic::clear_traffic,
            traffic::clear_server_traffic,
            export::preview_export,
            export::export_traffic::<Wry>,
            export::collector_address,
            export::send_spans,
            export::stop_export,
            traffic::retry_recording,
            sessions::open_session,
            sessions::sessions,
            sessions::close_session,
            sessions::check_session,
            sessions::compare_recordings,
            sessions::list_replay,
            sessions::replay_step,
            sessions::forget_replay,
            system::choose_file::<Wry>,
            system::show_log::<Wry>,
            system::open_address,
            system::reveal_path::<Wry>,
            system::clipboard_offer,
            system::save_settings::<Wry>,
            system::notify::<Wry>,
            system::window_ready::<Wry>,
            events::subscribe_events,
            events::subscribe_traffic,
        ])
}

/// Writes the TypeScript bindings of [`builder`] to `path`.
///
/// # Errors
///
/// When a type cannot be said in TypeScript, for instance a 64-bit integer, or the file
/// cannot be written.
pub fn export_bindings(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    builder::<Wry>().export(Typescript::default(), path)?;
    Ok(())
}

/// Returns the characters that the window shows as escapes, as a module of TypeScript.
pub fn characters() -> String {
    let CharacterClasses {
        invisible,
        other_blank,
        pictograph,
        skin_tone,
    } = character_classes();
    let mut text = "// This file has been generated by `cargo xtask bindings`. Do not edit it manually.\n\n\
                    /** Classes of characters, each the inside of a class of a regular expression. */\n\
                    export const CHARACTERS = {\n"
        .to_owned();
    for (name, class) in [
        ("invisible", invisible),
        ("otherBlank", other_blank),
        ("pictograph", pictograph),
        ("skinTone", skin_tone),
    ] {
        text.push_str(&format!("  {name}: String.raw`{class}`,\n"));
    }
    text.push_str("} as const;\n\n");
    text.push_str(&format!(
        "/** Spaces in a row beyond which their number is shown. */\nexport const MAX_BLANKS = {MAX_BLANKS};\n"
    ));
    text
}
