//! People, sessions and tokens: who is let in, and until when; and the log of who did what.

use driftline_catalog::{AuditEntry, Catalog, Person, Role, every};

use super::{on_both, time};

on_both!(
    a_name_is_taken_in_any_case,
    a_session_ends_by_itself_by_hand_and_with_its_person,
    another_password_ends_all_sessions,
    a_token_is_scoped_expires_and_is_revoked,
    people_and_tokens_are_paged,
    the_log_has_what_was_done_to_each_subject,
);

fn add(catalog: &Catalog, name: &str) -> Person {
    catalog.add_person(name, Role::Editor, "$argon2id$…", time("2024")).unwrap().unwrap();
    catalog.person(name).unwrap().unwrap()
}

fn name(person: Option<Person>) -> Option<String> {
    person.map(|person| person.name)
}

fn a_name_is_taken_in_any_case(catalog: &Catalog) {
    let person = add(catalog, "Ärna");
    assert_eq!((person.name.as_str(), person.role, person.created), ("Ärna", Role::Editor, time("2024")));
    assert_eq!(catalog.add_person(" äRNA", Role::Viewer, "", time("2024")).unwrap(), None);
    assert_eq!(name(catalog.person("ÄRNA").unwrap()), Some("Ärna".to_owned()));
    assert!(catalog.remove_person(person.id).unwrap() && !catalog.remove_person(person.id).unwrap());
    let error = catalog.put_person(&person).unwrap_err().to_string();
    assert!(error.contains("has no person `Ärna`"), "{error}");
}

fn a_session_ends_by_itself_by_hand_and_with_its_person(catalog: &Catalog) {
    let (one, two) = (add(catalog, "one"), add(catalog, "two"));
    for secret in ["s1", "s2"] {
        catalog.begin_session(one.id, secret, time("2024"), time("2026")).unwrap();
    }
    catalog.begin_session(two.id, "s3", time("2024"), time("2026")).unwrap();
    assert!(catalog.begin_session(two.id, "s3", time("2024"), time("2026")).is_err(), "a secret is of one session");
    let session = |secret: &str, now: &str| name(catalog.session(secret, time(now)).unwrap());
    assert_eq!((session("s1", "2025"), session("s3", "2025")), (Some("one".to_owned()), Some("two".to_owned())));
    assert_eq!((session("s1", "2026"), session("none", "2025"), session("", "2025")), (None, None, None));
    catalog.end_session("s1").unwrap();
    assert_eq!((session("s1", "2025"), session("s2", "2025")), (None, Some("one".to_owned())));
    catalog.put_person(&Person { disabled_at: Some(time("2025")), ..one }).unwrap();
    assert_eq!(session("s2", "2025"), None);
    catalog.remove_person(two.id).unwrap();
    assert_eq!(session("s3", "2025"), None);
}

fn another_password_ends_all_sessions(catalog: &Catalog) {
    let person = add(catalog, "one");
    catalog.begin_session(person.id, "s", time("2024"), time("2026")).unwrap();
    let promoted = Person { role: Role::Administrator, ..person };
    catalog.put_person(&promoted).unwrap();
    assert_eq!(catalog.session("s", time("2025")).unwrap(), Some(promoted.clone()));
    catalog.put_person(&Person { password: "another".to_owned(), ..promoted }).unwrap();
    assert_eq!(catalog.session("s", time("2025")).unwrap(), None);
}

fn a_token_is_scoped_expires_and_is_revoked(catalog: &Catalog) {
    let person = add(catalog, "one");
    let scopes = ["watches:read".to_owned(), "events:read".to_owned()];
    let id = catalog.add_token(person.id, "secret", "backup", &scopes, time("2024"), Some(time("2026"))).unwrap();
    let ever = catalog.add_token(person.id, "other", "for good", &[], time("2024"), None).unwrap();
    let (owner, token) = catalog.use_token("secret", time("2025")).unwrap().unwrap();
    assert_eq!((&owner, token.id, token.name.as_str(), &token.scopes[..]), (&person, id, "backup", &scopes[..]));
    assert_eq!(token.used_at, Some(time("2025")));
    assert_eq!(catalog.use_token("secret", time("2026")).unwrap(), None, "it has expired");
    assert_eq!(catalog.use_token("other", time("2099")).unwrap().unwrap().1.expires, None);
    assert!(!catalog.revoke_token(person.id + 1, ever).unwrap(), "it is of somebody else");
    assert!(catalog.revoke_token(person.id, ever).unwrap());
    assert_eq!(catalog.use_token("other", time("2025")).unwrap(), None);
    catalog.put_person(&Person { disabled_at: Some(time("2025")), ..person }).unwrap();
    assert_eq!(catalog.use_token("secret", time("2025")).unwrap(), None);
}

fn people_and_tokens_are_paged(catalog: &Catalog) {
    let people: Vec<Person> = (0..7).map(|number| add(catalog, &format!("person {number}"))).collect();
    assert_eq!(every(|after| catalog.people(after, 3)).unwrap(), people);
    for number in 0..7 {
        catalog.add_token(people[0].id, &number.to_string(), "t", &[], time("2024"), None).unwrap();
    }
    assert_eq!(every(|after| catalog.tokens(people[0].id, after, 3)).unwrap().len(), 7);
    assert!(catalog.tokens(people[1].id, None, 3).unwrap().items.is_empty());
}

fn the_log_has_what_was_done_to_each_subject(catalog: &Catalog) {
    let entry = |number: usize| AuditEntry {
        at: time(["2024", "2025"][number % 2]),
        person: "one".to_owned(),
        action: "watch-edited".to_owned(),
        subject: ["a", "b"][number / 2 % 2].to_owned(),
        before: number.to_string(),
        after: "{}".to_owned(),
    };
    (0..20).for_each(|number| catalog.put_audit(&entry(number)).unwrap());
    let all = every(|after| catalog.audit(None, after, 3)).unwrap();
    assert_eq!((all.len(), all.is_sorted_by_key(|entry| std::cmp::Reverse(entry.at))), (20, true));
    let of_a = every(|after| catalog.audit(Some("a"), after, 3)).unwrap();
    assert_eq!((of_a.len(), &of_a[0]), (10, &entry(17)));
    assert!(catalog.audit(Some("c"), None, 3).unwrap().items.is_empty());
}
