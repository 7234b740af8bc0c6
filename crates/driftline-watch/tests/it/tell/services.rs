//! What the services get. The servers here look at it as the services document it.

use driftline::event::Kind;
use driftline_testkit::server::{Request, Response, Server};
use serde_json::{Value, json};

use super::*;

/// A server that takes what `wrong` finds nothing wrong with, and says what is wrong otherwise.
fn service(wrong: fn(&Request, &Value) -> Option<&'static str>, taken: &'static str) -> Server {
    Server::start(move |request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        match wrong(request, &body) {
            _ if request.method != "POST" => Response::new(405, "POST only"),
            _ if request.header("content-type") != Some("application/json") => Response::new(415, "JSON only"),
            Some(wrong) => Response::new(400, wrong),
            None => Response::new(200, taken).with("Content-Type", "application/json"),
        }
    })
}

/// More events than fit into a message of any service, with text that would act if it could.
fn many() -> Vec<Event> {
    let of_watch = |number: u32| Event { watch: Some(format!("watch-{number}")), ..event(Kind::Changed, number) };
    let mut all: Vec<Event> = (0..60).map(of_watch).collect();
    "<!channel> @everyone <b>x</b> **y** ~z~".clone_into(&mut all[0].name);
    all[0].importance = 0.95;
    all
}

/// Sends one event and then many; what the server got.
fn sent(server: &Server, target: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let teller = teller(target, folder.path());
    let name = target[1..].split(']').next().unwrap();
    assert_eq!(teller.send(name, &[event(Kind::Changed, 1)], at(0)), Ok(()));
    assert_eq!(teller.send(name, &many(), at(0)), Ok(()));
    server.take_requests().iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
}

fn characters(value: &Value) -> usize {
    value.as_str().map_or(0, |text| text.encode_utf16().count())
}

#[test]
fn ntfy_gets_a_title_a_priority_and_a_link() {
    let server = service(
        |request, body| {
            let priority = body["priority"].as_u64().unwrap_or(0);
            match () {
                () if request.path != "/" => Some("JSON is published to the root"),
                () if body["topic"] != "news" => Some("no topic"),
                () if request.header("authorization") != Some("Bearer tk_x") => Some("unauthorized"),
                () if !(1..=5).contains(&priority) => Some("invalid priority"),
                () if body["message"].as_str().is_none_or(|text| text.len() > 4096) => Some("message too large"),
                () => None,
            }
        },
        "{\"id\":\"abc\"}",
    );
    let target = format!("[phone]\ntype = 'ntfy'\nurl = '{}'\ntopic = 'news'\ntoken = 'tk_x'\n", server.url(""));
    let [one, many] = sent(&server, &target).try_into().unwrap();
    assert_eq!(one["title"], "Opening hours: from nine to five → six, also on Sundays and 1 more change");
    assert_eq!((&one["priority"], &one["click"]), (&json!(3), &json!("https://museum.example/visit")));
    assert!(one["message"].as_str().unwrap().contains("Open from nine to [-five-] {+six, also on Sundays+}."));
    assert_eq!(many["priority"], 5);
    assert!(many["message"].as_str().unwrap().contains(" more."));
}

#[test]
fn slack_gets_marked_words_and_no_mentions() {
    let server = service(
        |request, body| {
            let section = &body["blocks"][0];
            match () {
                () if request.path != "/services/T/B/x" => Some("no_service"),
                () if section["type"] != "section" || section["text"]["type"] != "mrkdwn" => Some("invalid_blocks"),
                () if characters(&section["text"]["text"]) > 3_000 => Some("invalid_blocks"),
                () if characters(&body["text"]) == 0 => Some("no_text"),
                () => None,
            }
        },
        "ok",
    );
    let target = format!("[chat]\ntype = 'slack'\nurl = '{}'\n", server.url("/services/T/B/x"));
    let [one, many] = sent(&server, &target).try_into().unwrap();
    let text = one["blocks"][0]["text"]["text"].as_str().unwrap();
    assert!(text.starts_with("*Opening hours*\nhttps://museum.example/visit\n"), "{text}");
    assert!(text.contains("Open from nine to ~five~ *six, also on Sundays*."), "{text}");
    let text = many["blocks"][0]["text"]["text"].as_str().unwrap();
    assert!(text.contains("&lt;!channel&gt;") && !text.contains("<!"), "{text}");
}

#[test]
fn discord_gets_an_embed_and_calls_nobody() {
    let server = service(
        |request, body| {
            let embed = &body["embeds"][0];
            match () {
                () if request.path != "/api/webhooks/1/x?wait=true" => Some("Unknown Webhook"),
                () if characters(&embed["title"]) > 256 || characters(&embed["description"]) > 4_096 => {
                    Some("BASE_TYPE_MAX_LENGTH")
                }
                () if characters(&embed["description"]) == 0 => Some("Cannot send an empty message"),
                () if body["allowed_mentions"] != json!({ "parse": [] }) => Some("somebody may be called"),
                () => None,
            }
        },
        "{\"id\":\"1\"}",
    );
    let target = format!("[chat]\ntype = 'discord'\nurl = '{}'\n", server.url("/api/webhooks/1/x"));
    let [one, many] = sent(&server, &target).try_into().unwrap();
    assert_eq!(one["embeds"][0]["url"], "https://museum.example/visit");
    let text = one["embeds"][0]["description"].as_str().unwrap();
    assert!(text.contains("Open from nine to ~~five~~ **six, also on Sundays**."), "{text}");
    assert!(many["embeds"][0]["description"].as_str().unwrap().contains(r"\<!channel\> \@everyone"));
}

#[test]
fn telegram_gets_html_that_it_can_read() {
    let server = service(
        |request, body| {
            let text = body["text"].as_str().unwrap_or_default();
            match () {
                () if request.path != "/bot1:x/sendMessage" => Some("{\"ok\":false,\"description\":\"Not Found\"}"),
                () if body["chat_id"] != "-100" || body["parse_mode"] != "HTML" => Some("{\"ok\":false}"),
                () if text.is_empty() || text.encode_utf16().count() > 4_096 => {
                    Some("{\"ok\":false,\"description\":\"message is too long\"}")
                }
                () if !is_telegram_html(text) => Some("{\"ok\":false,\"description\":\"can't parse entities\"}"),
                () => None,
            }
        },
        "{\"ok\":true,\"result\":{\"message_id\":1}}",
    );
    let target = format!("[chat]\ntype = 'telegram'\nurl = '{}/'\ntoken = '1:x'\nchat = '-100'\n", server.url(""));
    let [one, many] = sent(&server, &target).try_into().unwrap();
    let text = one["text"].as_str().unwrap();
    assert!(text.contains("Open from nine to <s>five</s> <u>six, also on Sundays</u>."), "{text}");
    assert!(many["text"].as_str().unwrap().contains("&lt;b&gt;x&lt;/b&gt;"));
}

/// Only the elements that Telegram knows, closed in order, and no bare `&`.
fn is_telegram_html(text: &str) -> bool {
    let mut open = Vec::new();
    for (at, part) in text.split('<').enumerate() {
        let tag = part.split_once('>').map(|(tag, _)| tag);
        if at == 0 && tag.is_none() {
            continue;
        }
        let Some(tag) = tag.filter(|_| at > 0) else { return false };
        match tag.strip_prefix('/') {
            None if ["b", "i", "u", "s"].contains(&tag) => open.push(tag),
            Some(name) if open.last() == Some(&name) => drop(open.pop()),
            _ => return false,
        }
    }
    let escapes = ["&amp;", "&lt;", "&gt;", "&quot;"];
    open.is_empty()
        && text.match_indices('&').all(|(at, _)| escapes.iter().any(|escape| text[at..].starts_with(escape)))
}

#[test]
fn a_service_that_is_busy_says_for_how_long_in_its_own_way() {
    let discord = Server::start(|_| Response::new(429, r#"{"message":"rate limited","retry_after":300.5}"#));
    let telegram =
        Server::start(|_| Response::new(429, r#"{"ok":false,"error_code":429,"parameters":{"retry_after":900}}"#));
    let office = Office::new(&format!(
        "[discord]\ntype = 'discord'\nurl = '{}'\n[telegram]\ntype = 'telegram'\nurl = '{}'\ntoken = '1:x'\nchat = '1'\n",
        discord.url("/"),
        telegram.url("")
    ));
    office.release(&[event(Kind::Changed, 1)], at(0));
    let told = office.round(at(0)).told;
    let due: Vec<_> = told
        .iter()
        .map(|told| match &told.outcome {
            Outcome::Later { due, .. } => *due,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(due, [at(301), at(900)]);
}

#[test]
fn the_login_page_of_a_network_is_not_taken_for_telegram() {
    let portal = Server::start(|_| Response::html("<form>Accept our terms to go online</form>"));
    let office =
        Office::new(&format!("[chat]\ntype = 'telegram'\nurl = '{}'\ntoken = '1:x'\nchat = '1'\n", portal.url("")));
    office.release(&[event(Kind::Changed, 1)], at(0));
    assert_eq!(office.outcomes(at(0)), ["later"]);
}
