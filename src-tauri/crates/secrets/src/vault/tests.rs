use super::*;

fn mock_keychain(limit: usize) -> Keychain {
    let store = keyring_core::mock::Store::new().expect("a store");
    Keychain::from_store(limit, move || Ok(store.clone()))
}

fn vault(directory: &Path, keychain: Keychain) -> Vault {
    Vault::open(VaultOptions {
        directory: directory.to_owned(),
        keychain,
    })
}

fn text(directory: &Path) -> String {
    std::fs::read_to_string(directory.join("secrets.json")).expect("the file")
}

#[tokio::test]
async fn a_keychain_that_works_is_used_and_the_file_holds_names_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let vault = vault(directory.path(), mock_keychain(usize::MAX));
    vault
        .set("grant/a", Secret::new("hunter2".into()))
        .await
        .expect("kept");
    assert_eq!(vault.state().kind, Some(VaultKind::Keychain));
    let value = vault.get("grant/a").await.expect("read");
    assert_eq!(value, Some(Secret::new("hunter2".into())));
    assert!(vault.has("grant/a") && !text(directory.path()).contains("hunter2"));
    vault.remove("grant/a").await.expect("removed");
    assert_eq!(vault.get("grant/a").await.expect("read"), None);
}

#[tokio::test]
async fn without_a_keychain_a_file_of_the_owners_alone_holds_the_secrets_and_says_so() {
    let directory = tempfile::tempdir().expect("a directory");
    let vault = vault(directory.path(), Keychain::none());
    vault
        .set("a", Secret::new("hunter2".into()))
        .await
        .expect("kept");
    let state = vault.state();
    assert_eq!(state.kind, Some(VaultKind::File));
    assert!(
        state
            .problem
            .expect("words")
            .contains("file that only you can read")
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let metadata = std::fs::metadata(vault.file().expect("a file")).expect("metadata");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn secrets_move_both_ways_and_none_is_left_behind() {
    let directory = tempfile::tempdir().expect("a directory");
    let vault = vault(directory.path(), mock_keychain(usize::MAX));
    for name in ["a", "b"] {
        vault
            .set(name, Secret::new(format!("secret-{name}")))
            .await
            .expect("kept");
    }
    vault.move_to(VaultKind::File).await.expect("moved");
    assert_eq!(vault.state().kind, Some(VaultKind::File));
    assert!(text(directory.path()).contains("secret-a"));
    vault
        .move_to(VaultKind::Keychain)
        .await
        .expect("moved back");
    assert!(!text(directory.path()).contains("secret-"));
    for name in ["a", "b"] {
        let value = vault.get(name).await.expect("read");
        assert_eq!(value, Some(Secret::new(format!("secret-{name}"))));
    }
}

#[tokio::test]
async fn a_file_that_holds_secrets_stays_in_use_when_a_keychain_appears() {
    let directory = tempfile::tempdir().expect("a directory");
    vault(directory.path(), Keychain::none())
        .set("a", Secret::new("hunter2".into()))
        .await
        .expect("kept");
    let later = vault(directory.path(), mock_keychain(usize::MAX));
    assert_eq!(later.state().kind, Some(VaultKind::File));
    assert_eq!(
        later.get("a").await.expect("read"),
        Some(Secret::new("hunter2".into()))
    );
}

#[tokio::test]
async fn a_long_value_is_kept_in_parts_where_entries_are_small() {
    let directory = tempfile::tempdir().expect("a directory");
    let vault = vault(directory.path(), mock_keychain(10));
    for value in [
        "ünïcödé and longer than ten bytes",
        "short",
        "",
        "again much longer than ten",
    ] {
        vault
            .set("a", Secret::new(value.to_owned()))
            .await
            .expect("kept");
        let read = vault.get("a").await.expect("read").expect("a value");
        assert_eq!(read.expose(), value);
    }
}

#[tokio::test]
async fn a_keychain_that_stays_locked_is_an_error_and_not_a_reason_for_the_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let keychain = Keychain::from_store(usize::MAX, || Ok(Arc::new(Locked)));
    let vault = vault(directory.path(), keychain);
    let refused = vault.set("a", Secret::new("hunter2".into())).await;
    assert_eq!(refused, Err(VaultError::Locked));
    assert!(!text(directory.path()).contains("hunter2"));
    assert_ne!(vault.state().kind, Some(VaultKind::File));
}

/// A store whose dialog the user closed.
#[derive(Debug)]
struct Locked;

impl keyring_core::api::CredentialStoreApi for Locked {
    fn vendor(&self) -> String {
        "locked".into()
    }
    fn id(&self) -> String {
        "locked".into()
    }
    fn build(
        &self,
        _: &str,
        _: &str,
        _: Option<&std::collections::HashMap<&str, &str>>,
    ) -> keyring_core::Result<keyring_core::Entry> {
        Err(keyring_core::Error::NoStorageAccess("locked".into()))
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
