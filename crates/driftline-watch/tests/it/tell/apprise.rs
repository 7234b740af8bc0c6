//! What `apprise` is told to tell, by the real one.

use driftline::event::Kind;
use driftline_testkit::python;
use driftline_testkit::receiver::Receiver;

use super::*;

/// Where the command is.
fn command() -> String {
    let venv = python::tools();
    venv.command("apprise").get_program().to_str().unwrap().to_owned()
}

#[test]
fn apprise_tells_its_services() {
    let receiver = Receiver::start();
    let address = receiver.server().address();
    let folder = tempfile::tempdir().unwrap();
    let target =
        format!("[other]\ntype = 'apprise'\ncommand = '{}'\nurls = ['json://{address}/in?x=hushhush']\n", command());
    let teller = teller(&target, folder.path());
    assert_eq!(teller.send("other", &[event(Kind::Changed, 1)], at(0)), Ok(()));
    let [body] = receiver.take_json().try_into().unwrap();
    assert_eq!(body["title"], "Opening hours: from nine to five → six, also on Sundays and 1 more change");
    let text = body["message"].as_str().unwrap();
    assert!(text.contains("Open from nine to [-five-] {+six, also on Sundays+}."), "{text}");

    receiver.answer([500]);
    let error = teller.send("other", &[event(Kind::Changed, 1)], at(0)).unwrap_err();
    assert!(error.contains("apprise could not tell everybody") && !error.contains("hushhush"), "{error}");
}

#[test]
fn a_command_that_is_not_there_is_told_with_the_cure() {
    let folder = tempfile::tempdir().unwrap();
    let target = "[other]\ntype = 'apprise'\ncommand = '/nowhere/apprise'\nurls = ['json://127.0.0.1/']\n";
    let error = teller(target, folder.path()).send("other", &[event(Kind::Changed, 1)], at(0)).unwrap_err();
    assert!(error.contains("cannot run `/nowhere/apprise`") && error.contains("pipx install apprise"), "{error}");
}

#[cfg(unix)]
#[test]
fn no_secret_is_an_argument_and_a_command_that_hangs_is_ended() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("apprise");
    let seen = folder.path().join("seen");
    let text =
        format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{0}'\nls -l \"$2\" >> '{0}'\nexec sleep 1000\n", seen.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let target = format!(
        "[other]\ntype = 'apprise'\ncommand = '{}'\nurls = ['json://user:hushhush@127.0.0.1/']\ntimeout = '2s'\n",
        script.display()
    );
    let error = teller(&target, folder.path()).send("other", &[event(Kind::Changed, 1)], at(0)).unwrap_err();
    assert!(error.contains("did not end within 2 s"), "{error}");
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(!seen.contains("hushhush") && seen.contains("-rw-------"), "{seen}");
    let file = seen.lines().nth(1).unwrap();
    assert!(!Path::new(file).exists(), "the file with the addresses is gone");
}

/// Is a process there, and not only its remains?
#[cfg(target_os = "linux")]
fn runs(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_hangs_is_killed_with_what_it_started_and_others_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, receiver) = (tempfile::tempdir().unwrap(), Receiver::start());
    let (script, processes) = (folder.path().join("apprise"), folder.path().join("processes"));
    // The shell waits for another command, which holds its streams open; neither minds a polite request to end.
    let text = format!("#!/bin/sh\ntrap '' TERM HUP\nsleep 1000 &\necho $$ $! > '{}'\nwait\n", processes.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let office = Office::new(&format!(
        "[hangs]\ntype = 'apprise'\ncommand = '{}'\nurls = ['json://127.0.0.1/']\ntimeout = '500ms'\n\
         [hook]\ntype = 'webhook'\nurl = '{}'\n",
        script.display(),
        receiver.url()
    ));
    office.release(&[event(Kind::Changed, 1)], at(0));
    let began = std::time::Instant::now();
    let [hangs, hook] = office.round(at(0)).told.try_into().unwrap();
    assert!(began.elapsed().as_secs() < 10, "a thousand seconds were not waited for");
    let Outcome::Later { error, .. } = &hangs.outcome else { panic!("{hangs:?}") };
    assert_eq!(error, "apprise did not end within 0.5 s");
    assert_eq!((hook.outcome, receiver.take().len()), (Outcome::Acknowledged, 1));
    let processes = std::fs::read_to_string(processes).unwrap();
    let processes: Vec<&str> = processes.split_whitespace().collect();
    assert_eq!(processes.len(), 2);
    // What the command had started is nobody's child now: it is gone a moment after its signal.
    let all_ended = || processes.iter().all(|process| !runs(process));
    while !all_ended() && began.elapsed().as_secs() < 10 {
        std::thread::yield_now();
    }
    assert!(all_ended(), "{processes:?}");
}
