//! What a program of the operator's own gets.

use driftline::event::Kind;
use driftline_testkit::receiver::Receiver;
use driftline_testkit::server::tls::{TlsServer, Trust};
use driftline_testkit::server::{Response, Server};

use super::*;

fn hook(url: &str, more: &str) -> String {
    format!("[hook]\ntype = 'webhook'\nurl = '{url}'\n{more}")
}

#[test]
fn a_webhook_gets_the_events_and_the_message_signed() {
    let receiver = Receiver::start();
    let office = Office::new(&hook(&receiver.url(), "secret = 'hush'\nheaders = { Authorization = 'Bearer abcdef' }"));
    office.release(&[event(Kind::Changed, 1), event(Kind::PageGone, 2)], at(0));
    assert_eq!(office.outcomes(at(0)), ["acknowledged"], "both are of one watch, so they go in one message");
    let requests = receiver.take();
    let [request] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(request.method, "POST");
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("authorization"), Some("Bearer abcdef"));
    assert!(request.header("user-agent").unwrap().starts_with("driftline/"));
    assert_eq!(request.header("x-driftline-timestamp"), Some("1794816000"));
    let signed = [b"1794816000.".as_slice(), &request.body].concat();
    assert_eq!(request.header("x-driftline-signature"), Some(format!("sha256={}", hmac("hush", &signed)).as_str()));

    let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!((&body["format"], &body["target"]), (&1.into(), &"hook".into()));
    assert_eq!(body["key"].as_str(), request.header("idempotency-key"));
    assert_eq!(body["events"][1]["kind"], "changed");
    assert_eq!(body["events"][1]["excerpts"][0]["pieces"][1]["mark"], "dropped");
    assert_eq!(body["events"][0]["delivery"].as_str().map(str::len), Some(32));
    assert_eq!(body["message"]["subject"], "2 changes: Opening hours");
}

/// By a program that is not ours.
fn hmac(key: &str, text: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text");
    std::fs::write(&file, text).unwrap();
    let script = "import hashlib, hmac, sys; \
                  print(hmac.new(sys.argv[1].encode(), open(sys.argv[2], 'rb').read(), hashlib.sha256).hexdigest())";
    let output = std::process::Command::new("python3").args(["-c", script, key]).arg(&file).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn without_a_secret_nothing_is_signed() {
    let receiver = Receiver::start();
    let office = Office::new(&hook(&receiver.url(), ""));
    office.release(&[event(Kind::Changed, 1)], at(0));
    office.round(at(0));
    let [request] = receiver.take().try_into().unwrap();
    assert_eq!(request.header("x-driftline-signature"), None);
    let key = office.teller.plan(&event(Kind::Changed, 1), &[], at(99))[0].key.clone();
    assert_eq!(request.header("idempotency-key"), Some(key.as_str()), "one event's message has its delivery's key");
}

#[test]
fn redirects_are_not_followed() {
    let elsewhere = Receiver::start();
    let url = elsewhere.url();
    let server = Server::start(move |_| Response::new(302, "").with("Location", &url));
    let office = Office::new(&hook(&server.url("/"), ""));
    office.release(&[event(Kind::Changed, 1)], at(0));
    let [told] = office.round(at(0)).told.try_into().unwrap();
    let Outcome::Later { error, .. } = told.outcome else { panic!("{told:?}") };
    assert!(error.contains("answered 302") && error.contains("redirects are not followed"), "{error}");
    assert!(elsewhere.take().is_empty());
}

#[test]
fn certificates_are_checked_unless_the_operator_vouches() {
    let server = TlsServer::start(Trust::Good, |_| Response::new(200, "ok"));
    let plain = Office::new(&hook(&server.url("/"), ""));
    plain.release(&[event(Kind::Changed, 1)], at(0));
    let [told] = plain.round(at(0)).told.try_into().unwrap();
    let Outcome::Later { error, .. } = told.outcome else { panic!("{told:?}") };
    assert_eq!(error, "the certificate of the server is from an unknown authority");

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ca.pem"), server.authority()).unwrap();
    let teller = teller(&hook(&server.url("/"), "ca = 'ca.pem'"), folder.path());
    assert_eq!(teller.send("hook", &[event(Kind::Changed, 1)], at(0)), Ok(()));

    let expired = TlsServer::start(Trust::Expired, |_| Response::new(200, "ok"));
    std::fs::write(folder.path().join("ca.pem"), expired.authority()).unwrap();
    let teller = super::teller(&hook(&expired.url("/"), "ca = 'ca.pem'"), folder.path());
    assert!(teller.send("hook", &[event(Kind::Changed, 1)], at(0)).unwrap_err().to_lowercase().contains("expired"));
}

#[test]
fn files_and_templates_that_cannot_be_used_are_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let error = try_teller(&hook("https://a.example/", "template = 'none.txt'"), folder.path()).unwrap_err();
    assert!(error.contains("none.txt") && error.contains("`hook`"), "{error}");
    let error = try_teller(&hook("https://a.example/", "subject = '{{nmae}}'"), folder.path()).unwrap_err();
    assert!(error.contains("there is no field `nmae`") && error.contains("`hook`"), "{error}");
    std::fs::write(folder.path().join("ca.pem"), "nothing").unwrap();
    let error = try_teller(&hook("https://a.example/", "ca = 'ca.pem'"), folder.path()).unwrap_err();
    assert!(error.contains("no certificate"), "{error}");
}

#[test]
fn a_template_of_the_target_is_used() {
    let receiver = Receiver::start();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.txt"), "{{#events}}{{what}} at {{url}}{{/events}}").unwrap();
    let more = "template = 'mine.txt'\nsubject = 'News of {{names}}'";
    let teller = teller(&hook(&receiver.url(), more), folder.path());
    teller.send("hook", &[event(Kind::PageGone, 1)], at(0)).unwrap();
    let body = receiver.take_json().remove(0);
    assert_eq!(body["message"]["subject"], "News of Opening hours");
    assert_eq!(body["message"]["text"], "page gone at https://museum.example/visit\n");
}
