//! Is a watch checked when its schedule says so?

use driftline::span::Span;
use driftline::time::Time;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Crowd, Schedule};

#[derive(Debug, Serialize, Deserialize)]
struct File {
    schedule: Schedule,
}

fn read(text: &str) -> Result<Schedule, String> {
    toml::from_str::<File>(&format!("schedule = {text}")).map(|file| file.schedule).map_err(|error| error.to_string())
}

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

const HOUR: Span = Span::from_seconds(3_600);

/// When a watch is checked that is always checked when it is due.
fn times(schedule: &Schedule, from: &str, count: usize) -> Vec<String> {
    let mut last = time(from);
    let mut next = || {
        last = schedule.due("a", last, HOUR);
        last.to_string()
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn a_schedule_is_written_as_it_was_read() {
    for text in [
        "\"auto\"",
        "\"10m\"",
        "\"0 9 * * mon-fri\"",
        "\"@daily\"",
        "{ every = \"10m\", windows = [\"mon-fri 09:00-17:00\", \"sat,sun\", \"22:00-06:00\"], zone = \"Europe/Berlin\" }",
        "{ cron = \"*/30 * * * * *\", zone = \"UTC\" }",
    ] {
        let schedule = read(text).unwrap();
        let written = toml::to_string(&File { schedule: schedule.clone() }).unwrap();
        assert_eq!(toml::from_str::<File>(&written).unwrap().schedule, schedule, "{written}");
    }
    assert_eq!(read("{ windows = [\"fri-mon 9:00-24:00\"] }").unwrap().to_string(), "auto, mon,fri-sun 09:00-24:00");
}

#[test]
fn what_is_no_schedule_is_told_with_what_is() {
    for (text, told) in [
        ("\"often\"", "hint: write auto, 10m"),
        ("\"0s\"", "every 1s to 520w, not every 0s"),
        ("\"61 * * * *\"", "hint: write minute, hour"),
        ("\"0 0 30 2 *\"", "`0 0 30 2 *` is not a valid cron line: it names no time at all"),
        ("{ every = \"10m\", cron = \"@daily\" }", "not both"),
        ("{ zone = \"Mars/Olympus\" }", "there is no time zone `Mars/Olympus`\nhint: write a name"),
        ("{ windows = [\"mon-fri 9-17\"] }", "hint: write days, hours or both"),
        ("{ windows = [\"09:00-09:00\"] }", "no window"),
        ("{ windows = [\"24:00-25:00\"] }", "no window"),
        ("{ often = true }", "unknown field `often`, expected one of `every`"),
        ("7", "expected a schedule: `auto`"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(told), "{text}: {error}");
    }
}

#[test]
fn a_wrong_cron_line_is_answered_with_the_field_that_is_wrong() {
    for (line, told) in [
        ("0 25 * * *", "the hour `25` is not within 0 to 23"),
        ("61 * * * *", "the minute `61` is not within 0 to 59"),
        ("90 0 9 * * *", "the second `90` is not within 0 to 59"),
        ("0 9 0 * *", "the day of the month `0` is not within 1 to 31"),
        ("0 9 * Brumaire *", "the month `Brumaire` is not within 1 to 12 or jan to dec"),
        ("0 9 * * mon-fry", "the day of the week `mon-fry` is not within 0 to 7 or sun to sat"),
        ("0 9 * * * * 2027", "it has 7 fields instead of 5, or 6 with the second first"),
        ("@never", "after @ it has one of yearly, monthly, weekly, daily, hourly"),
    ] {
        let error = line.parse::<Schedule>().unwrap_err().to_string();
        let expected = format!("`{line}` is not a valid cron line: {told}\nhint: write minute, hour");
        assert!(error.starts_with(&expected), "{line}: {error}");
    }
}

#[test]
fn a_cron_line_means_the_clock_of_its_zone() {
    let berlin = read("{ cron = \"30 2 * * *\", zone = \"Europe/Berlin\" }").unwrap();
    // On 31 March there is no 02:30 in Berlin; on 27 October it comes twice.
    let spring = times(&berlin, "2024-03-29T12:00:00Z", 3);
    assert_eq!(spring, ["2024-03-30T01:30:00Z", "2024-03-31T01:00:00Z", "2024-04-01T00:30:00Z"]);
    let autumn = times(&berlin, "2024-10-26T12:00:00Z", 2);
    assert_eq!(autumn, ["2024-10-27T00:30:00Z", "2024-10-28T01:30:00Z"]);
}

#[test]
fn a_cron_line_outside_of_its_windows_waits_for_them() {
    let line = read("{ cron = \"0 */6 * * *\", windows = [\"mon 05:00-07:00\"], zone = \"UTC\" }").unwrap();
    assert_eq!(times(&line, "2024-01-02T00:00:00Z", 2), ["2024-01-08T06:00:00Z", "2024-01-15T06:00:00Z"]);
    let never = read("{ cron = \"0 12 * * *\", windows = [\"22:00-23:00\"], zone = \"UTC\" }").unwrap();
    assert_eq!(times(&never, "2024-01-02T00:00:00Z", 1), ["2024-01-02T22:00:00Z"], "when the window opens");
}

#[test]
fn a_day_that_a_zone_skipped_is_passed_over() {
    // Samoa had no 30 December 2011.
    let daily = read("{ cron = \"0 9 * * *\", zone = \"Pacific/Apia\" }").unwrap();
    let wanted = ["2011-12-29T19:00:00Z", "2011-12-30T19:00:00Z", "2011-12-31T19:00:00Z"];
    assert_eq!(times(&daily, "2011-12-29T18:00:00Z", 3), wanted);
    let midnight = read("{ cron = \"0 0 * * *\", zone = \"Pacific/Apia\" }").unwrap();
    assert_eq!(times(&midnight, "2011-12-29T10:30:00Z", 1), ["2011-12-30T10:00:00Z"]);
    let once = read("{ cron = \"0 9 30 dec *\", zone = \"Pacific/Apia\" }").unwrap();
    assert_eq!(times(&once, "2011-12-29T10:30:00Z", 1), ["2012-12-29T19:00:00Z"]);
}

#[test]
fn windows_keep_to_their_hours_also_over_midnight() {
    let night = read("{ every = \"1h\", windows = [\"fri 22:00-02:00\"], zone = \"UTC\" }").unwrap();
    let found = times(&night, "2024-01-05T12:00:00Z", 9);
    // Friday the 5th and the 12th, each into Saturday.
    for (count, date) in [(4, "2024-01-05T22"), (4, "2024-01-12T22")] {
        let opens = time(&format!("{date}:00:00Z"));
        let closes = Time::from_microseconds(opens.microseconds() + 4 * HOUR.microseconds());
        let within = found.iter().filter(|found| (opens..closes).contains(&time(found))).count();
        assert_eq!(within, count, "{found:?}");
    }
}

#[test]
fn hours_that_a_clock_skips_or_repeats_are_no_trap() {
    let schedule = read("{ every = \"10m\", windows = [\"sun 02:00-03:00\"], zone = \"Europe/Berlin\" }").unwrap();
    // On 31 March these hours do not exist: the next window is a week later.
    let spring = time(&times(&schedule, "2024-03-31T00:00:00Z", 1)[0]);
    assert!(spring >= time("2024-04-07T00:00:00Z") && spring < time("2024-04-07T00:10:00Z"), "{spring}");
    // On 27 October they last two hours.
    let autumn = times(&schedule, "2024-10-26T12:00:00Z", 20);
    let on_the_day = autumn.iter().filter(|time| time.starts_with("2024-10-27")).count();
    assert_eq!(on_the_day, 12, "{autumn:?}");
}

#[test]
fn who_opens_with_a_window_is_spread_over_it() {
    let schedule = read("{ every = \"1h\", windows = [\"09:00-17:00\"], zone = \"UTC\" }").unwrap();
    let night = time("2024-01-05T03:00:00Z");
    let mut due: Vec<_> = (0..600).map(|id| schedule.due(&format!("w{id}"), night, HOUR)).collect();
    due.sort_unstable();
    assert!(due[0] >= time("2024-01-05T09:00:00Z") && due[599] < time("2024-01-05T10:00:00Z"));
    let most = due.windows(30).map(|thirty| thirty[29].distance(thirty[0])).min().unwrap();
    assert!(most > 60_000_000, "thirty of 600 are not within one minute of sixty");
}

#[test]
fn a_new_watch_is_checked_at_once_and_a_million_are_not() {
    let schedule = Schedule::every(HOUR);
    let now = time("2024-01-05T03:00:00Z");
    let alone = schedule.catch_up("one", now, HOUR, Crowd(1));
    assert!(alone.distance(now) < 100_000, "{alone}");
    let crowd: Vec<_> =
        (0..1_000).map(|id| schedule.catch_up(&format!("w{id}"), now, HOUR, Crowd(1_000_000))).collect();
    let (first, last) = (crowd.iter().min().unwrap(), crowd.iter().max().unwrap());
    assert!(last.distance(*first) > 1_700_000_000 && last.distance(now) < 1_800_000_000, "over half an hour");
}

#[test]
fn a_crowd_keeps_to_a_budget_and_never_hurries_for_one() {
    assert_eq!(Crowd(10).at_most(600.0), Crowd(600), "ten checks in a minute");
    assert_eq!(Crowd(10).at_most(1e9), Crowd(10));
}

proptest! {
    #[test]
    fn the_next_check_is_about_an_interval_away(id in "[a-z]{1,12}", last in 0_i64..4_000_000_000_000_000, seconds in 1_u64..1_000_000) {
        let span = Span::from_seconds(seconds);
        let last = Time::from_microseconds(last);
        let first = Schedule::every(span).due(&id, last, HOUR);
        let away = first.microseconds() - last.microseconds();
        prop_assert!(away * 2 >= span.microseconds() && away * 2 <= 3 * span.microseconds());
        let second = Schedule::every(span).due(&id, first, HOUR);
        prop_assert_eq!(second.microseconds() - first.microseconds(), span.microseconds(), "and then exactly one");
    }

    #[test]
    fn whatever_slept_is_checked_once(id in "[a-z]{1,12}", slept in 1_i64..1_000, seconds in 60_u64..100_000) {
        let schedule = Schedule::every(Span::from_seconds(seconds));
        let last = time("2024-01-05T03:00:00Z");
        let now = Time::from_microseconds(last.microseconds() + slept * i64::try_from(seconds).unwrap() * 1_000_000);
        let once = schedule.catch_up(&id, now, HOUR, Crowd(500));
        let after = schedule.due(&id, once, HOUR);
        prop_assert!(once >= now && after.distance(once) * 2 >= Span::from_seconds(seconds).microseconds().unsigned_abs());
    }

    #[test]
    fn no_text_makes_a_schedule_panic(text in "\\PC{0,40}") {
        if let Ok(schedule) = text.parse::<Schedule>() {
            prop_assert!(schedule.due("a", time("2024"), HOUR) > time("2024"));
        }
        let _ = text.parse::<super::Window>();
    }
}
