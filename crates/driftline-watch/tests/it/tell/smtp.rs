//! What comes by mail, through a real mail server.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use driftline::event::Kind;
use driftline_testkit::receiver::Receiver;
use driftline_testkit::server::Server;
use driftline_testkit::smtp::{Options, Privacy, Smtp};
use serde_json::Value;

use super::*;

fn server(privacy: Privacy, login: bool, refusals: &[&str]) -> Smtp {
    let login = login.then(|| ("drift".to_owned(), "open sesame".to_owned()));
    Smtp::start(&Options { privacy, login, refusals: refusals.iter().map(|one| (*one).to_owned()).collect() })
}

fn mail(smtp: &Smtp, more: &str) -> String {
    format!(
        "[mail]\ntype = 'email'\nserver = 'localhost'\nport = {}\nfrom = 'Drift Ω <drift@example.org>'\n\
         to = ['me@example.org', 'You <you@example.org>']\ntimeout = '10s'\n{more}",
        smtp.port()
    )
}

/// A message read by a program that is not ours: its headers and its two bodies.
fn read(message: &Value) -> Value {
    let script = "import email, email.policy, json, sys\n\
                  m = email.message_from_string(sys.stdin.read(), policy=email.policy.default)\n\
                  print(json.dumps({'headers': {k.lower(): str(v) for k, v in m.items()}, 'type': m.get_content_type(),\n\
                  'text': m.get_body(('plain',)).get_content(), 'html': m.get_body(('html',)).get_content(),\n\
                  'defects': [repr(d) for p in m.walk() for d in p.defects]}))";
    let mut python = std::process::Command::new("python3");
    python.args(["-c", script]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = python.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), message["data"].as_str().unwrap().as_bytes()).unwrap();
    serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn a_mail_has_a_text_a_web_page_and_honest_headers() {
    let mut smtp = server(Privacy::Plain, false, &[]);
    let office = Office::new(&mail(&smtp, "security = 'none'\n"));
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(office.outcomes(at(0)), ["acknowledged"]);
    let message = smtp.message();
    assert_eq!(message["from"], "drift@example.org");
    assert_eq!(message["to"], serde_json::json!(["me@example.org", "you@example.org"]));
    let mail = read(&message);
    assert_eq!((&mail["type"], &mail["defects"]), (&"multipart/alternative".into(), &serde_json::json!([])));
    let headers = &mail["headers"];
    let key = office.teller.plan(&event(Kind::Changed, 1), &[], at(0))[0].key.clone();
    assert_eq!(headers["message-id"], format!("<{key}@driftline.example.org>"));
    assert_eq!(headers["subject"], "Opening hours: from nine to five → six, also on Sundays and 1 more change");
    assert_eq!(headers["from"], "Drift Ω <drift@example.org>");
    assert_eq!(
        (&headers["auto-submitted"], &headers["list-id"]),
        (&"auto-generated".into(), &"<mail.driftline.example.org>".into())
    );
    assert_eq!(headers["date"], "Mon, 16 Nov 2026 08:00:00 +0000");
    assert!(mail["text"].as_str().unwrap().contains("Open from nine to [-five-] {+six, also on Sundays+}."));
    assert!(mail["html"].as_str().unwrap().contains("six, also on Sundays</ins>"));
}

#[test]
fn a_page_cannot_add_headers() {
    let mut smtp = server(Privacy::Plain, false, &[]);
    let office = Office::new(&mail(&smtp, "security = 'none'\nsubject = '{{names}}'\n"));
    let name = "Sale\r\nBcc: victim@example.org\r\n\r\nBody =?utf-8?q?=0D=0ABcc:?= \u{85}\u{2028}x é".to_owned();
    office.release(&[Event { name, ..event(Kind::Changed, 1) }], at(0));
    assert_eq!(office.outcomes(at(0)), ["acknowledged"]);
    let message = smtp.message();
    assert_eq!(message["to"].as_array().unwrap().len(), 2);
    let mail = read(&message);
    assert!(mail["headers"].get("bcc").is_none(), "{}", mail["headers"]);
    assert!(mail["headers"]["subject"].as_str().unwrap().starts_with("Sale Bcc: victim@example.org Body"));
}

#[test]
fn a_mail_goes_by_starttls_or_tls_with_a_login() {
    for (privacy, security) in [(Privacy::StartTls, "starttls"), (Privacy::Tls, "tls")] {
        let mut smtp = server(privacy, true, &[]);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ca.pem"), smtp.authority()).unwrap();
        std::fs::write(folder.path().join("password"), "open sesame\n").unwrap();
        let password = format!("password = 'file:{}'\n", folder.path().join("password").display());
        let more = format!("security = '{security}'\nca = 'ca.pem'\nuser = 'drift'\n{password}");
        let teller = teller(&mail(&smtp, &more), folder.path());
        assert_eq!(teller.send("mail", &[event(Kind::Changed, 1)], at(0)), Ok(()));
        let message = smtp.message();
        assert_eq!((&message["tls"], &message["user"]), (&true.into(), &"drift".into()), "{security}");
    }
}

#[test]
fn nothing_is_sent_to_a_server_that_cannot_be_trusted() {
    let tls = server(Privacy::StartTls, true, &[]);
    let login = "user = 'drift'\npassword = 'open sesame'\n";
    let office = Office::new(&mail(&tls, login));
    office.release(&[event(Kind::Changed, 1)], at(0));
    let [told] = office.round(at(0)).told.try_into().unwrap();
    let Outcome::Later { error, .. } = told.outcome else { panic!("{told:?}") };
    assert_eq!(error, "localhost: the certificate of the server is from an unknown authority");

    let plain = server(Privacy::Plain, false, &[]);
    let office = Office::new(&mail(&plain, login));
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_ne!(office.outcomes(at(0)), ["acknowledged"], "a server without STARTTLS gets neither mail nor password");
}

#[test]
fn a_wrong_password_is_not_told() {
    let smtp = server(Privacy::StartTls, true, &[]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ca.pem"), smtp.authority()).unwrap();
    let teller = teller(&mail(&smtp, "ca = 'ca.pem'\nuser = 'drift'\npassword = 'hushhush'\n"), folder.path());
    let error = teller.send("mail", &[event(Kind::Changed, 1)], at(0)).unwrap_err();
    assert!(error.contains("535") && !error.contains("hushhush"), "{error}");
}

#[test]
fn a_mail_server_that_refuses_does_not_lose_the_mail() {
    let mut smtp = server(Privacy::Plain, false, &["451 try again", "550 no such user"]);
    let office = Office::new(&mail(&smtp, "security = 'none'\n"));
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(office.outcomes(at(0)), ["later"]);
    assert_eq!(office.outcomes(at(600)), ["later"]);
    assert_eq!(office.outcomes(at(1_200)), ["acknowledged"]);
    assert_eq!(smtp.message()["from"], "drift@example.org");
}

/// What becomes of a mail to a server that never comes to an end; another target is told in the same round.
fn stuck(server: &Server, security: &str) -> String {
    let receiver = Receiver::start();
    let office = Office::new(&format!(
        "[hook]\ntype = 'webhook'\nurl = '{}'\n[mail]\ntype = 'email'\nserver = '127.0.0.1'\nport = {}\n\
         security = '{security}'\nfrom = 'drift@example.org'\nto = ['me@example.org']\ntimeout = '300ms'\n",
        receiver.url(),
        server.address().port()
    ));
    office.release(&[event(Kind::Changed, 1)], at(0));
    let began = std::time::Instant::now();
    let [hook, mail] = office.round(at(0)).told.try_into().unwrap();
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    assert_eq!((hook.outcome, receiver.take().len()), (Outcome::Acknowledged, 1));
    match mail.outcome {
        Outcome::Later { error, .. } => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_mail_server_that_never_greets_costs_its_time_only() {
    let silent = Server::raw(|stream| {
        let _ = std::io::Read::read_to_end(&mut &stream, &mut Vec::new());
    });
    for security in ["none", "starttls"] {
        let error = stuck(&silent, security);
        assert!(error.starts_with("127.0.0.1: "), "{error}");
    }
}

#[test]
fn a_mail_server_whose_greeting_never_ends_costs_its_time_only() {
    let endless = Server::raw(|mut stream| while std::io::Write::write_all(&mut stream, b"220-wait\r\n").is_ok() {});
    assert_eq!(stuck(&endless, "none"), "127.0.0.1: no end within 0.6 s");
}

/// Speaks as a mail server does, and takes its time before it says that it has taken the mail.
fn slow(mut stream: TcpStream, time: Duration) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let mut say = |text: &str| stream.write_all(text.as_bytes()).unwrap();
    say("220 slow\r\n");
    while let Some(Ok(line)) = lines.next() {
        match line.get(..4).unwrap_or_default() {
            "DATA" => {
                say("354 go on\r\n");
                lines.by_ref().map_while(Result::ok).find(|line| line == ".");
                std::thread::sleep(time);
                say("250 taken\r\n");
            }
            "QUIT" => return say("221 bye\r\n"),
            _ => say("250 fine\r\n"),
        }
    }
}

/// It delivers the mail all the same, so that each repeat would arrive too.
#[test]
fn a_mail_server_that_thinks_long_about_a_mail_gets_it_once() {
    let server = Server::raw(|stream| slow(stream, Duration::from_millis(1_500)));
    let office = Office::new(&format!(
        "[mail]\ntype = 'email'\nserver = '127.0.0.1'\nport = {}\nsecurity = 'none'\nfrom = 'drift@example.org'\n\
         to = ['me@example.org']\ntimeout = '500ms'\n",
        server.address().port()
    ));
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(office.outcomes(at(0)), ["acknowledged"]);
}
