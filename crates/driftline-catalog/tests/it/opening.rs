//! What is opened, what is refused, and is it told why?

use std::path::Path;
use std::process::{Child, Command, Stdio};

use driftline_catalog::{Catalog, CatalogError, FORMAT, NewEvent, Place};

use super::{add, capture, ledger, time};

/// Runs statements on a database behind the catalog's back.
pub(crate) fn behind_its_back(url: &str, sql: impl Into<String>) {
    sqlx::any::install_default_drivers();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        use sqlx::Connection;
        let mut connection = sqlx::AnyConnection::connect(url).await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql.into())).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
}

pub(crate) fn sqlite(path: &Path) -> String {
    format!("sqlite://{}?mode=rwc", path.display())
}

/// A place of each sort where nothing is yet, with its address.
fn places(folder: &Path) -> [(Place, String); 2] {
    let (file, server) = (folder.join("catalog.db"), driftline_testkit::postgres::database());
    [(Place::File(file.clone()), sqlite(&file)), (Place::parse(&server).unwrap(), server)]
}

#[test]
fn a_newer_catalog_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (place, url) in places(folder.path()) {
        drop(Catalog::open(place.clone()).unwrap());
        behind_its_back(&url, "UPDATE _sqlx_migrations SET version = 99 WHERE version = 3");
        let error = Catalog::open(place).unwrap_err();
        assert!(matches!(error, CatalogError::Newer { found: 99, known: FORMAT, .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("has format 99") && message.contains("hint: use the newer driftline"), "{message}");
    }
}

#[test]
fn an_event_that_is_no_json_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    for (place, url) in places(folder.path()) {
        let catalog = Catalog::open(place).unwrap();
        let held = |key: &str| NewEvent { release: Some(time("2021")), ..ledger::event(key, "2020", None) };
        ledger::put(&catalog, vec![held("broken"), held("whole")]);
        ledger::deliver(
            &catalog,
            vec![ledger::delivery("broken", "mail", "2020"), ledger::delivery("whole", "mail", "2020")],
        );
        behind_its_back(&url, "UPDATE event SET body = '{\"key\": ' WHERE key = 'broken'");
        let text = serde_json::json!("{\"key\": ");
        assert_eq!(catalog.event("broken").unwrap().unwrap().body, text);
        assert_eq!(catalog.held_of("a", 9).unwrap().len(), 2);
        let due = catalog.due_deliveries(time("2020"), 9).unwrap();
        assert_eq!(due.iter().filter(|delivery| delivery.body == text).count(), 1);
        assert_eq!(due.len(), 2);
    }
}

#[test]
fn a_changed_migration_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (place, url) in places(folder.path()) {
        drop(Catalog::open(place.clone()).unwrap());
        behind_its_back(&url, "UPDATE _sqlx_migrations SET checksum = checksum || checksum WHERE version = 1");
        let error = Catalog::open(place).unwrap_err();
        assert!(matches!(error, CatalogError::Damaged { version: 1, .. }), "{error}");
        assert!(error.to_string().contains("hint: bring a backup back"), "{error}");
    }
}

#[test]
fn what_is_no_database_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "my notes, not a database\n").unwrap();
    let error = Catalog::open(path.clone()).unwrap_err();
    assert!(matches!(error, CatalogError::NotADatabase { .. }), "{error}");
    assert!(error.to_string().contains("driftline archive rebuild"), "{error}");
    assert!(Catalog::open(folder.path()).is_err(), "a folder is no file");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes, not a database\n");
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("urlwatch.db");
    behind_its_back(&sqlite(&path), "CREATE TABLE snapshots (guid TEXT, body TEXT)");
    let before = std::fs::read(&path).unwrap();
    let error = Catalog::open(path.clone()).unwrap_err();
    assert!(matches!(error, CatalogError::NotACatalog { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_damaged_file_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    let catalog = Catalog::open(path.clone()).unwrap();
    add(&catalog, "a", (0..200).map(|n| capture(&format!("http://a/{n}"), "2020", "A")).collect());
    drop(catalog);
    let mut bytes = std::fs::read(&path).unwrap();
    for byte in bytes.iter_mut().skip(100).step_by(3) {
        *byte = byte.wrapping_mul(31).wrapping_add(7);
    }
    std::fs::write(&path, bytes).unwrap();
    let failed = Catalog::open(path).and_then(|catalog| catalog.all(0, 1000));
    assert!(failed.is_err(), "{failed:?}");
}

#[test]
fn a_place_out_of_reach_is_told_without_the_password() {
    let url =
        driftline_testkit::postgres::database().replace("driftline@", "driftline:secret@").replace("/test_", "/no_");
    let error = Catalog::open(Place::parse(&url).unwrap()).unwrap_err();
    let told = format!("{error} {error:?}");
    assert!(error.to_string().contains("hint: is the server running"), "{told}");
    assert!(!told.contains("secret"), "{told}");
    let folder = tempfile::tempdir().unwrap();
    let error = Catalog::open(folder.path().join("none/catalog.db")).unwrap_err().to_string();
    assert!(error.contains("cannot open the catalog") && error.contains("hint: does the folder exist"), "{error}");
}

#[test]
fn odd_names_of_files_are_names_of_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a b.db", "what?.db", "100%.db", "#1.db", "ä.db", "mode=ro&x.db"] {
        let path = folder.path().join(name);
        let catalog = Catalog::open(path.clone()).unwrap();
        add(&catalog, "a", vec![capture("http://a/", "2020", "A")]);
        assert!(path.is_file(), "{name}");
    }
}

#[test]
fn two_catalogs_share_a_file_of_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    let catalogs = [Catalog::open(path.clone()).unwrap(), Catalog::open(path).unwrap()];
    std::thread::scope(|scope| {
        for (number, catalog) in catalogs.iter().enumerate() {
            scope.spawn(move || {
                for round in 0..20 {
                    add(catalog, &format!("{number}-{round}"), vec![capture("http://a/", "2020", "A")]);
                }
            });
        }
    });
    assert!(catalogs.iter().all(|catalog| catalog.captures_of("http://a/").unwrap().len() == 40));
}

const PLACE: &str = "DRIFTLINE_TEST_CATALOG";

/// Begins another process that opens a catalog and adds a capture, in a segment of its own.
fn begin_another(place: &str) -> Child {
    begin("opening::another_process", place)
}

/// Begins a test in a process of its own.
fn begin(test: &str, place: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).env(PLACE, place);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// What the tests of several processes begin, on a catalog that they share; by itself it has one of its own.
#[test]
fn another_process() {
    let folder = tempfile::tempdir().unwrap();
    let own = || folder.path().join("catalog.db").to_str().unwrap().to_owned();
    let place = std::env::var(PLACE).unwrap_or_else(|_| own());
    let catalog = Catalog::open(Place::parse(&place).unwrap()).unwrap();
    add(&catalog, &std::process::id().to_string(), vec![capture("http://a/", "2020", "A")]);
    assert!(!catalog.captures_of("http://a/").unwrap().is_empty());
}

#[test]
fn processes_that_open_a_new_catalog_at_once_all_find_it_made() {
    let folder = tempfile::tempdir().unwrap();
    for (place, url) in places(folder.path()) {
        let others: Vec<Child> = (0..6).map(|_| begin_another(url.trim_end_matches("?mode=rwc"))).collect();
        for mut other in others {
            assert!(other.wait().unwrap().success(), "{place}");
        }
        assert_eq!(Catalog::open(place).unwrap().captures_of("http://a/").unwrap().len(), 6);
    }
}

#[test]
fn threads_that_open_a_new_catalog_at_once_all_find_it_made() {
    let folder = tempfile::tempdir().unwrap();
    for (place, _) in places(folder.path()) {
        std::thread::scope(|scope| {
            for number in 0..8 {
                let place = place.clone();
                scope.spawn(move || {
                    let catalog = Catalog::open(place).unwrap();
                    add(&catalog, &number.to_string(), vec![capture("http://a/", "2020", "A")]);
                });
            }
        });
        assert_eq!(Catalog::open(place).unwrap().captures_of("http://a/").unwrap().len(), 8);
    }
}

/// Whoever opens the file beside SQLite and closes it again gives up the locks of this process; then another process
/// may take itself for the last one and remove the log, and what is added here is added to nowhere.
#[test]
fn a_second_catalog_leaves_the_first_its_locks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    let first = Catalog::open(path.clone()).unwrap();
    add(&first, "a", vec![capture("http://a/", "2019", "A")]);
    let is_locked = || begin("opening::another_process_finds_a_lock", path.to_str().unwrap()).wait().unwrap().success();
    assert!(is_locked());
    drop(Catalog::open(path.clone()).unwrap());
    drop(Catalog::open_to_read(path.clone()).unwrap());
    assert!(is_locked());
    drop(std::fs::File::open(&path).unwrap());
    assert!(!is_locked(), "this test would find nothing out");
}

/// What the test of locks begins; by itself it finds none on a file that nobody has.
#[test]
fn another_process_finds_a_lock() {
    let nobodys = tempfile::NamedTempFile::new().unwrap();
    let shared = std::env::var_os(PLACE);
    let path = shared.as_deref().map_or(nobodys.path(), Path::new);
    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    let locked = rustix::fs::fcntl_lock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    assert_eq!(locked.is_err(), shared.is_some());
}

/// As a process leaves it that is killed while it makes a catalog, if it does not do it all at once.
#[test]
fn a_catalog_that_was_only_begun_is_made() {
    let folder = tempfile::tempdir().unwrap();
    for (place, url) in places(folder.path()) {
        behind_its_back(
            &url,
            "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
             installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, \
             checksum BYTEA NOT NULL, execution_time BIGINT NOT NULL)",
        );
        let catalog = Catalog::open(place).unwrap();
        add(&catalog, "a", vec![capture("http://a/", "2020", "A")]);
    }
}

#[test]
fn what_is_no_catalog_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    behind_its_back(&sqlite(&path), "CREATE TABLE snapshots (guid TEXT, body TEXT)");
    let error = Catalog::open_to_read(path.clone()).unwrap_err();
    assert!(matches!(error, CatalogError::NotACatalog { .. }), "{error}");
    std::fs::write(&path, "my notes, not a database\n").unwrap();
    let error = Catalog::open_to_read(path).unwrap_err();
    assert!(matches!(error, CatalogError::NotADatabase { .. }), "{error}");
}

#[test]
fn a_file_that_was_created_and_not_filled_has_no_archive_yet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    std::fs::write(&path, "").unwrap();
    let error = Catalog::open_to_read(path.clone()).unwrap_err();
    assert!(matches!(error, CatalogError::Empty { .. }), "{error}");
    Catalog::open(path).expect("whoever writes creates it");
}

#[test]
fn a_server_without_anything_has_no_archive_yet() {
    let place = Place::parse(&driftline_testkit::postgres::database()).unwrap();
    let error = Catalog::open_to_read(place).unwrap_err();
    assert!(matches!(error, CatalogError::Empty { .. }), "{error}");
    assert!(error.to_string().contains("no archive") && error.to_string().contains("archive import"), "{error}");
}

#[test]
fn a_damaged_file_can_be_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    drop(Catalog::open(path.clone()).unwrap());
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100..].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    for opened in [Catalog::open(path.clone()), Catalog::open_to_read(path)] {
        let error = opened.unwrap_err().to_string();
        assert!(error.contains("driftline archive rebuild"), "{error}");
    }
}
