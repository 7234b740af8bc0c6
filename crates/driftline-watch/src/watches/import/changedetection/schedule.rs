//! How often, and at which hours, does changedetection.io check a watch?

use driftline::span::Span;
use driftline_archive::import::changedetection::Settings;
use serde_json::Value;

use super::general::General;
use crate::schedule::Schedule;
use crate::watches::import::draft::Draft;

const UNITS: [(&str, u64); 5] =
    [("weeks", 604_800), ("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1)];
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Carries the schedule over: the watch's own, or that of all, which most watches have.
pub(super) fn take(draft: &mut Draft, settings: &Settings, general: &General<'_>) {
    let is_usual = settings.get("time_between_check_use_default").and_then(Value::as_bool) == Some(true);
    let own = seconds(settings.get("time_between_check"));
    let seconds = if is_usual || own == 0 { seconds(general.between) } else { own };
    if (1..=315_360_000).contains(&seconds) {
        draft.settings.schedule = Schedule::every(Span::from_seconds(seconds));
    }
    let limit = if is_usual { general.hours } else { settings.get("time_schedule_limit") };
    if let Some(limit) = limit.filter(|limit| limit.get("enabled") == Some(&Value::Bool(true))) {
        windows(draft, limit, general.time_zone);
    }
}

/// Weeks, days, hours, minutes and seconds together; 0 if none of them is said.
fn seconds(between: Option<&Value>) -> u64 {
    let between = between.unwrap_or(&Value::Null);
    UNITS.iter().fold(0_u64, |sum, (unit, size)| {
        sum.saturating_add(between.get(unit).and_then(Value::as_u64).unwrap_or(0).saturating_mul(*size))
    })
}

fn windows(draft: &mut Draft, limit: &Value, usual: Option<&str>) {
    for day in DAYS {
        let Some(hours) = limit.get(day).filter(|hours| hours.get("enabled") == Some(&Value::Bool(true))) else {
            continue;
        };
        match window(day, hours).and_then(|text| text.parse().ok()) {
            Some(window) => draft.settings.schedule.windows.push(window),
            None => draft.tell(format!("`time_schedule_limit`: the hours of {day} cannot be read")),
        }
    }
    let zone = limit.get("timezone").and_then(Value::as_str).filter(|zone| !zone.trim().is_empty());
    match zone.or(usual).map(|zone| zone.trim().parse()) {
        Some(Ok(zone)) => draft.settings.schedule.zone = zone,
        Some(Err(_)) => draft.tell("`time_schedule_limit`: the time zone is not known"),
        None => {}
    }
}

/// `mon 09:00-17:00`, from when it begins and how long it is.
fn window(day: &str, hours: &Value) -> Option<String> {
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
    let (hour, minute) = hours.get("start_time")?.as_str()?.split_once(':')?;
    let start = hour.trim().parse::<u64>().ok()? * 60 + minute.trim().parse::<u64>().ok()?;
    let duration = hours.get("duration")?;
    let part = |key: &str| duration.get(key).and_then(number).unwrap_or(0).min(10_000);
    let length = part("hours") * 60 + part("minutes");
    let end = match start + length {
        _ if length >= 1_440 => return Some(day[..3].to_owned()),
        end if end <= 1_440 => end,
        end => end - 1_440,
    };
    Some(format!("{} {:02}:{:02}-{:02}:{:02}", &day[..3], start / 60, start % 60, end / 60, end % 60))
}
