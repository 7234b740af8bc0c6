//! The three sites that are watched and the webhooks that are told, all in this process, and what they saw.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use driftline::time::Time;
use driftline_testkit::server::{Request, Response, Server};
use serde_json::Value;

use crate::scene::feed::{self, Feed};
use crate::scene::list::List;
use crate::scene::pages::{self, Pages};
use crate::scene::site::{self, Site};
use crate::scene::{Chance, Shown};

/// By this header each daemon tells webhooks which one it is; pages are told so by who asks.
const ROUND: &str = "X-Round";
/// Who is told everything at once, who is told everything in digests, and who is told of what has the tag `even`.
pub(crate) const TARGETS: [&str; 3] = ["hook", "digest", "even"];

/// What is watched, and who is told.
pub(crate) struct World {
    /// Pages, a site, and news with a feed and a list: each is a site of its own.
    sites: [Server; 3],
    hook: Server,
    shared: Arc<(Mutex<Log>, Condvar)>,
}

/// What they show, and what they saw.
pub(crate) struct Log {
    /// When the clock of the daemons was right.
    begun: i64,
    chance: Chance,
    pages: Pages,
    pub(crate) site: Site,
    pub(crate) feed: Feed,
    pub(crate) list: List,
    /// What was answered, in order.
    pub(crate) served: Vec<Served>,
    /// What webhooks were told, in order.
    pub(crate) posts: Vec<Post>,
    messages: u64,
}

/// Something that was asked for.
pub(crate) struct Served {
    pub(crate) round: u32,
    /// By the clock of the daemons.
    pub(crate) at: Time,
    pub(crate) path: String,
    /// None if there was no such page.
    pub(crate) version: Option<u64>,
}

/// An event that a webhook was told.
pub(crate) struct Post {
    pub(crate) round: u32,
    /// Which message it stood in.
    pub(crate) message: u64,
    pub(crate) target: String,
    /// The key of the event.
    pub(crate) event: String,
    /// The key of the delivery.
    pub(crate) delivery: String,
    pub(crate) is_taken: bool,
}

impl Served {
    /// What was checked when this was asked for: items belong to checks of their feed.
    pub(crate) fn checked(&self) -> &str {
        if self.path.starts_with("/item/") { "/feed" } else { &self.path }
    }
}

impl World {
    pub(crate) fn start(random: fastrand::Rng, begun: i64) -> Self {
        let log = Log {
            begun,
            chance: Chance::new(random),
            pages: Pages::default(),
            site: Site::default(),
            feed: Feed::default(),
            list: List::default(),
            served: Vec::new(),
            posts: Vec::new(),
            messages: 0,
        };
        let shared = Arc::new((Mutex::new(log), Condvar::new()));
        let site = |host: u8| {
            let asked = Arc::clone(&shared);
            Server::start_at(Ipv4Addr::new(127, 0, 0, host), move |request| {
                let response = hold(&asked.0).answer(request);
                asked.1.notify_all();
                response
            })
        };
        let told = Arc::clone(&shared);
        let hook = Server::start(move |request| hold(&told.0).hook(request));
        Self { sites: [1, 2, 3].map(site), hook, shared }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        let site = match path.split('/').nth(1) {
            Some("page") => 0,
            Some("site") => 1,
            _ => 2,
        };
        self.sites[site].url(path)
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        hold(&self.shared.0)
    }

    /// Nothing changes any more.
    pub(crate) fn freeze(&self) {
        self.log().chance.is_over = true;
    }

    /// Waits until a daemon has asked so often; for a minute at most.
    pub(crate) fn wait_for(&self, questions: usize, round: u32) -> bool {
        // Daemons come one after the other.
        let asked = |log: &Log| log.served.iter().rev().take_while(|served| served.round == round).count();
        let is_waiting = |log: &mut Log| asked(log) < questions;
        let waited = self.shared.1.wait_timeout_while(self.log(), Duration::from_mins(1), is_waiting);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// How often a daemon checked what it checked least, of all that is to be watched now.
    pub(crate) fn least_questions(&self, round: u32) -> usize {
        let log = self.log();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for served in log.served.iter().rev().take_while(|served| served.round == round) {
            *counts.entry(&served.path).or_default() += 1;
        }
        log.watched().iter().map(|path| counts.get(path.as_str()).copied().unwrap_or(0)).min().unwrap_or(0)
    }

    /// The addresses that the list has now.
    pub(crate) fn members(&self) -> Vec<String> {
        let mut members: Vec<String> =
            self.log().list.newest().iter().map(|member| self.url(&format!("/member/{member}"))).collect();
        members.sort_unstable();
        members
    }

    /// Writes what a daemon is to watch and to tell, with its number.
    pub(crate) fn write_settings(&self, data: &Path, round: u32) {
        let folder = data.join("watches");
        std::fs::create_dir_all(&folder).expect("a folder");
        let watch = |id: &str, path: &str, rest: &str| {
            format!("[[watch]]\nid = \"{id}\"\nurl = \"{}\"\n{rest}\n", self.url(path))
        };
        let pages: String =
            (0..pages::PAGES).map(|page| watch(&format!("page-{page}"), &format!("/page/{page}"), "")).collect();
        let even = |page: usize| if page.is_multiple_of(2) { "tags = [\"even\"]\n" } else { "" };
        let site: String =
            (0..site::PAGES).map(|page| watch(&format!("site-{page}"), &format!("/site/{page}"), even(page))).collect();
        let news = watch("feed", "/feed", "kind = \"feed\"\nfollow = true\n")
            + &watch("list", "/list", "kind = \"sitemap\"\n");
        for (name, hold, watches) in [("pages", "1m", pages), ("site", "5m", site), ("news", "0s", news)] {
            // Every version counts here, also one that comes between two fetches of one check.
            let defaults = format!(
                "[defaults]\nschedule = \"1s\"\nhold = \"{hold}\"\nlearn = false\nfetch = {{ ignore-robots = true }}\n\n"
            );
            std::fs::write(folder.join(format!("{name}.toml")), defaults + &watches).expect("a file");
        }
        let target = |name: &str, rest: &str| {
            format!(
                "[{name}]\ntype = \"webhook\"\nurl = \"{}\"\nheaders = {{ {ROUND} = \"{round}\" }}\n\
                 most-per-minute = 60000\ntags = [\"even\"]\n{rest}\n",
                self.hook.url("/hook")
            )
        };
        let own = ["all = true\n", "all = true\ndigest = \"3m\"\n", ""];
        let targets: String = TARGETS.iter().zip(own).map(|(name, own)| target(name, own)).collect();
        std::fs::write(data.join("targets.toml"), targets).expect("a file");
    }
}

impl Log {
    /// What is to be watched now.
    fn watched(&self) -> Vec<String> {
        let pages = (0..pages::PAGES).map(|page| format!("/page/{page}"));
        let site = (0..site::PAGES).map(|page| format!("/site/{page}"));
        let members = self.list.newest().iter().map(|member| format!("/member/{member}"));
        pages.chain(site).chain(members).chain(["/feed", "/list"].map(str::to_owned)).collect()
    }

    fn answer(&mut self, request: &Request) -> Response {
        let Some(round) = round(request, "User-Agent") else { return Response::status(400) };
        let host = format!("http://{}", request.header("host").unwrap_or_default());
        let shown = self.show(&request.path, &host);
        let version = shown.as_ref().map(|shown| shown.number);
        let at = crate::fast(self.begun);
        self.served.push(Served { round, at, path: request.path.clone(), version });
        let Some(shown) = shown else { return Response::status(404) };
        let response = match request.path.as_str() {
            "/feed" => Response::feed(shown.body),
            "/list" => Response::new(200, shown.body).with("Content-Type", "application/xml"),
            _ => Response::html(shown.body),
        };
        response.with_etag(&format!("\"{}\"", shown.number)).conditional(request)
    }

    fn show(&mut self, path: &str, host: &str) -> Shown {
        let mut parts = path.split('/').skip(1);
        let (name, number) = (parts.next().unwrap_or_default(), parts.next().and_then(|part| part.parse::<u64>().ok()));
        let (chance, place) = (&mut self.chance, number.and_then(|number| usize::try_from(number).ok()));
        match name {
            "page" => self.pages.ask(place?, chance),
            "site" => self.site.ask(place?, chance),
            "feed" => Some(self.feed.ask(host, chance)),
            "item" => Some(feed::page(number?)),
            "list" => Some(self.list.ask(host, chance)),
            "member" => self.list.page(number?, chance),
            _ => None,
        }
    }

    /// Every eighth time a webhook refuses.
    fn hook(&mut self, request: &Request) -> Response {
        let body: Value = serde_json::from_slice(&request.body).expect("a webhook gets JSON");
        let round = round(request, ROUND).expect("the daemon says which one it is");
        let is_taken = self.chance.below(8) > 0;
        self.messages += 1;
        let text = |value: &Value, name: &str| value[name].as_str().expect("messages have keys").to_owned();
        for event in body["events"].as_array().expect("a message has events") {
            let (target, event, delivery) = (text(&body, "target"), text(event, "key"), text(event, "delivery"));
            self.posts.push(Post { round, message: self.messages, target, event, delivery, is_taken });
        }
        Response::status(if is_taken { 200 } else { 503 })
    }
}

fn round(request: &Request, header: &str) -> Option<u32> {
    request.header(header)?.parse().ok()
}

fn hold(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}
