//! Every field of changedetection.io 0.60.10, each set by the program itself: what becomes of it is what its table says.

use std::collections::BTreeSet;
use std::fs;

use driftline_archive::import::changedetection::{Backup, Settings as Fields};
use serde_json::{Value, json};

use super::outcome::{Outcome, data};
use super::*;
use crate::watches::import::changedetection::{fields, general, tags};
use crate::watches::import::fate::{Fate, UNKNOWN};

const TAG: &str = "00000000-0000-4000-8000-000000000003";
const WATCH: &str = "00000000-0000-4000-8000-000000000004";
/// Fields that only older backups have.
const OLDER: [&str; 2] = ["content_type", "previous_md5_before_filters"];
const OLDER_OF_TAGS: [&str; 2] = ["datastore_path", "restock_settings"];

/// A backup with one tag and one watch.
#[derive(Clone)]
struct Scene {
    general: Value,
    tag: Fields,
    watch: Fields,
}

impl Scene {
    fn of(kind: &str) -> Self {
        let inventory = Backup::open(&data(&format!("changedetection-0.60.10-{kind}.zip"))).unwrap().inventory();
        assert!(inventory.skips.is_empty(), "{:?}", inventory.skips);
        let tag = inventory.tags.into_values().next().unwrap();
        let [(_, watch)] = inventory.watches.as_slice() else { panic!("one watch") };
        Self { general: inventory.general, tag, watch: watch.clone() }
    }

    fn import(&self) -> Imported {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("changedetection.json"), json!({"settings": self.general}).to_string()).unwrap();
        for (id, file, fields) in [(TAG, "tag.json", &self.tag), (WATCH, "watch.json", &self.watch)] {
            fs::create_dir(folder.path().join(id)).unwrap();
            fs::write(folder.path().join(id).join(file), serde_json::to_string(fields).unwrap()).unwrap();
        }
        Imported::read(folder.path(), None).unwrap()
    }

    /// What becomes of one thing that is set beside all that is as usual.
    fn outcome(&self, set: impl FnOnce(&mut Self)) -> Outcome {
        let mut with = self.clone();
        set(&mut with);
        Outcome::of(&self.import(), &with.import())
    }
}

fn fate(table: &[(&'static str, Fate)], field: &str) -> Option<Fate> {
    table.iter().find(|(known, _)| *known == field).map(|(_, fate)| *fate)
}

/// The fields of a table that are not among those of the program.
fn absent<'a>(table: &'a [(&'static str, Fate)], there: &Fields) -> BTreeSet<&'a str> {
    table.iter().map(|(field, _)| *field).filter(|field| !there.contains_key(*field)).collect()
}

#[test]
fn every_field_of_a_watch_becomes_what_its_table_says() {
    let (usual, every) = (Scene::of("defaults"), Scene::of("every-field"));
    assert_eq!(absent(&fields::FIELDS, &every.watch), BTreeSet::from(OLDER));
    let (mut wrong, mut lines) = (Vec::new(), String::new());
    for (field, value) in &every.watch {
        let mut base = usual.clone();
        // Without its own times a watch has those of all, and the other way round.
        match field.as_str() {
            "time_between_check" | "time_schedule_limit" => {
                base.watch.insert("time_between_check_use_default".to_owned(), json!(false));
            }
            "time_between_check_use_default" => {
                base.watch.insert("time_between_check".to_owned(), every.watch["time_between_check"].clone());
            }
            _ => {}
        }
        let outcome = base.outcome(|with| drop(with.watch.insert(field.clone(), value.clone())));
        let fate = fate(&fields::FIELDS, field).unwrap_or_else(|| panic!("`{field}` is in no table"));
        wrong.extend(outcome.contradiction(field, fate));
        lines += &outcome.line(field, &value.to_string());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!("changedetection_watch", lines);
}

#[test]
fn every_field_of_a_tag_becomes_what_its_table_says() {
    let (mut usual, every) = (Scene::of("defaults"), Scene::of("every-field"));
    assert_eq!(absent(&tags::FIELDS, &every.tag), BTreeSet::from(OLDER_OF_TAGS));
    usual.watch.insert("tags".to_owned(), json!([TAG]));
    let (mut wrong, mut lines) = (Vec::new(), String::new());
    for (field, value) in &every.tag {
        let mut base = usual.clone();
        if field == "url_match_pattern" {
            base.watch.insert("tags".to_owned(), json!([]));
        }
        let outcome = base.outcome(|with| drop(with.tag.insert(field.clone(), value.clone())));
        let of_watches = || fate(&fields::FIELDS, field).map(|_| Fate::Needless("it does nothing there"));
        let fate = fate(&tags::FIELDS, field).or_else(of_watches).unwrap_or_else(|| panic!("`{field}` is in no table"));
        wrong.extend(outcome.contradiction(field, fate));
        if fate != Fate::Needless("it does nothing there") {
            lines += &outcome.line(field, &value.to_string());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!("changedetection_tag", lines);
}

#[test]
fn every_setting_of_all_becomes_what_its_table_says() {
    let (usual, every) = (Scene::of("defaults"), Scene::of("every-field"));
    let limit = &every.general["requests"]["time_schedule_limit"];
    let (mut wrong, mut lines, mut seen) = (Vec::new(), String::new(), BTreeSet::new());
    for (path, value) in paths(&every.general) {
        let mut base = usual.clone();
        if path == "application.scheduler_timezone_default" {
            base.general["requests"]["time_schedule_limit"] = limit.clone();
            base.general["requests"]["time_schedule_limit"]["timezone"] = Value::Null;
        }
        let outcome = base.outcome(|with| match path.split_once('.') {
            Some((group, key)) => with.general[group][key] = value.clone(),
            None => with.general[&*path] = value.clone(),
        });
        let fate = fate(&general::SETTINGS, &path).unwrap_or_else(|| panic!("`{path}` is in no table"));
        // Tags are files of their own since 0.52: the table of settings is empty.
        if path != "application.tags" {
            let key = path.rsplit('.').next().unwrap();
            wrong.extend(outcome.contradiction(key, fate));
            lines += &outcome.line(&path, &value.to_string());
        }
        seen.insert(path);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unseen: Vec<_> = general::SETTINGS.iter().filter(|(path, _)| !seen.contains(*path)).collect();
    assert!(unseen.is_empty(), "{unseen:?}");
    insta::assert_snapshot!("changedetection_settings", lines);
}

/// The settings of all by their paths, tables in tables as one.
fn paths(general: &Value) -> Vec<(String, Value)> {
    let mut paths = Vec::new();
    for (group, value) in general.as_object().unwrap() {
        match value {
            Value::Object(inner) if group != "headers" => {
                paths.extend(inner.iter().map(|(key, value)| (format!("{group}.{key}"), value.clone())));
            }
            value => paths.push((group.clone(), value.clone())),
        }
    }
    paths
}

#[test]
fn a_backup_with_every_field_has_none_that_is_not_known_and_shows_no_secret() {
    let imported = Imported::read(&data("changedetection-0.60.10-every-field.zip"), None).unwrap();
    let told = told(&imported);
    assert!(!told.contains(UNKNOWN) && !told.contains("made-up"), "{told}");
    let [watch] = imported.watches.as_slice() else { panic!("{imported:?}") };
    assert!(watch.settings.paused && watch.settings.note.as_deref().is_some_and(|note| note.contains("`method`")));
    let usual = Imported::read(&data("changedetection-0.60.10-defaults.zip"), None).unwrap();
    assert_eq!(super::told(&usual), "", "a watch with all defaults needs no note");
}

#[test]
fn a_field_that_no_table_names_is_told_once_however_many_watches_have_it() {
    let watch = |name: &str, value: &str| {
        format!(r#"{{"url": "https://{name}.example/", "title": "{name}", "brand_new": {value}, "empty_new": []}}"#)
    };
    let general = r#"{"settings": {"requests": {"newer": true}, "newest": {"a": 1}}}"#;
    let tag = r#"{"title": "t", "new_in_tags": "x"}"#;
    let watches = [watch("a", "\"s3cr3t\""), watch("b", "7"), watch("c", "0")];
    let watches: Vec<&str> = watches.iter().map(String::as_str).collect();
    let told = told(&backup(general, &[tag], &watches));
    for expected in [
        "brand_new: a field of a watch that is not known here, of 2, such as `a`: what it does there is not done\n",
        "new_in_tags: a field of a tag that is not known here, of `t`: ",
        "newer: a field of the settings of all that is not known here, of `requests`: ",
        "newest: a field of the settings of all that is not known here, of `settings`: ",
    ] {
        assert_eq!(told.matches(expected).count(), 1, "{expected} in {told}");
    }
    assert_eq!(told.lines().count(), 4, "{told}");
    assert!(!told.contains("s3cr3t"), "{told}");
}

#[test]
fn a_file_of_headers_in_a_backup_is_told() {
    let imported = Imported::read(&data("changedetection-0.60.10-every-field.zip"), None).unwrap();
    let told = told(&imported);
    let expected =
        format!("{WATCH}/headers.txt: files of headers are not read: write what they say into `fetch.headers`\n");
    assert_eq!(told.matches(&expected).count(), 1, "{told}");
}

#[test]
fn a_delay_of_0_is_that_of_all_watches() {
    let general = r#"{"settings": {"application": {"webdriver_delay": 7}}}"#;
    let imported = backup(general, &[], &[r#"{"url": "https://a.example/", "webdriver_delay": 0}"#]);
    let extra = imported.watches[0].settings.fetch.wait.extra;
    assert_eq!(extra, Some(driftline::span::Span::from_seconds(7)));
}
