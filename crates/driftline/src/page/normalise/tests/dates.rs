//! What is a date or a time, in many languages, and what only looks like one?

use super::{both, forms, unicode, whitespace};

/// Each of them is one `#date`, alone and in a sentence, under both word rules.
fn assert_dates(dates: &[&str]) {
    for date in dates {
        assert_eq!(both("dates", date), "#date", "{date}");
        assert_eq!(both("dates", &format!("seen {date} here")), "seen|#date|here", "{date}");
    }
}

#[test]
fn numbers_that_are_dates() {
    assert_dates(&[
        "2024-01-31",
        "2024-01-31T10:45",
        "2024-01-31T10:45:00Z",
        "2024-01-31T10:45:00.123+01:00",
        "2024-01-31 10:45:00 +0100",
        "20240131T104500Z",
        "2024/01/31",
        "2024.1.31",
        "31/01/2024",
        "31.01.2024",
        "31.1.2024",
        "31. 1. 2024",
        "31.01.24",
        "31-01-2024",
        "1/31/24",
        "01/31/2024, 10:45 PM",
        "٢٠٢٤/٠١/٣١",
    ]);
}

#[test]
fn dates_with_names() {
    assert_dates(&[
        "January 31, 2024",
        "JANUARY 31 2024",
        "January 31st, 2024",
        "31 January 2024",
        "31st of January, 2024",
        "Jan 31",
        "Jan. 31",
        "31 Jan",
        "Sept. 5, 2024",
        "January 2024",
        "Jan 1-5, 2024",
        "1–5 January 2024",
        "Wed 31 Jan 2024 at 10.45 GMT",
        "May 5",
        "5 May",
        "5 may 2024",
        "31-Jan-2024",
        "31-Jan-24",
        "2024-Jan-31",
        "2024 January 31",
        "Wed, 31 Jan 2024 10:45:00 GMT",
        "Wednesday, January 31, 2024 at 10:45 am",
        "31. Januar 2024",
        "31. Jänner",
        "Mi., 31. Januar 2024 um 10:45 Uhr",
        "Montag, den 5. März 2024",
        "31 janvier 2024",
        "1er janvier 2024",
        "mercredi 31 janvier 2024 à 10h45",
        "5 août",
        "5 mai",
        "31 de enero de 2024",
        "miércoles, 31 de enero de 2024 a las 10:45",
        "5 mar. 2024",
        "31 gennaio 2024 alle 10:45",
        "31 ago 2024",
        "31 de março de 2024 às 10:45",
        "segunda-feira, 5 de fevereiro de 2024",
        "31 januari 2024 om 10:45",
        "woensdag 31 maart 2024",
        "31 января 2024",
    ]);
}

#[test]
fn dates_of_east_asia() {
    assert_dates(&[
        "2024年1月31日",
        "2024年 1月 31日",
        "1月31日",
        "2024年1月",
        "2024年1月31日(水)",
        "2024年1月31日（水曜日）10時45分",
        "2024年1月31日 午後3:45",
        "2024年1月31日 星期三 下午3点",
        "2024년 1월 31일",
        "2024년 1월 31일 수요일 오후 3:45",
        "1월 31일 오후 3시",
        "2024. 1. 31.",
        "2024. 1. 31. 오후 3:45",
        "2024-01-31 (Wed)",
    ]);
    assert_eq!(forms("dates", whitespace, "公開日：2024年1月31日更新"), "公開日：#date更新");
    assert_eq!(forms("dates", unicode, "2024年1月31日更新"), "#date|更新");
}

#[test]
fn times_of_day() {
    assert_dates(&[
        "10:45",
        "10:45:30",
        "10:45:30.5",
        "9:05",
        "10:45 pm",
        "10:45pm",
        "10:45 p.m.",
        "3pm",
        "3 PM",
        "10:45 GMT",
        "10:45 UTC+1",
        "10:45 Uhr",
        "10 Uhr",
        "10.45 Uhr",
        "10h45",
        "10\u{A0}h\u{A0}45",
        "10 h 45",
        "10.45 GMT",
        "10.45pm",
        "10時45分",
        "午前10時",
        "오후 3시 45분",
        "上午10:45",
        "9:00-17:00",
        "9am-5pm",
        "Monday at 10:45",
        "Mon, 10:45",
        "10:45, 31 January 2024",
        "10:45 on Wednesday, 31 January",
        "10:45 EST - Jan 31, 2024",
    ]);
    assert_eq!(both("dates", "매일 10:45"), "매일|#date");
    assert_eq!(forms("dates", whitespace, "10:45 -5 degrees"), "#date|-5|degrees");
    assert_eq!(forms("dates", whitespace, "10:45–11:30"), "#date–#date");
    assert_eq!(forms("dates", unicode, "10:45–11:30"), "#date|#date");
}

#[test]
fn times_told_from_now() {
    assert_dates(&[
        "3 hours ago",
        "1 hour ago",
        "an hour ago",
        "a few seconds ago",
        "a couple of days ago",
        "3h ago",
        "3 min. ago",
        "2 days and 3 hours ago",
        "2 days, 3 hours ago",
        "1.5 hours ago",
        "just now",
        "Just now",
        "yesterday",
        "Yesterday at 10:45",
        "today at 10:45",
        "vor 3 Stunden",
        "vor einer Stunde",
        "vor etwa 3 Stunden",
        "gestern",
        "gestern um 10:45 Uhr",
        "gerade eben",
        "il y a 3 heures",
        "Il y a environ 3 heures",
        "il y a un an",
        "hier à 10:45",
        "à l'instant",
        "à l’instant",
        "hace 3 horas",
        "hace una hora",
        "ayer",
        "3 ore fa",
        "3 giorni fa",
        "há 3 horas",
        "3 horas atrás",
        "3 uur geleden",
        "gisteren",
        "3時間前",
        "3分前",
        "数秒前",
        "3ヶ月前",
        "昨日",
        "3시간 전",
        "3시간전에",
        "방금 전",
        "어제",
        "3小时前",
        "3 小时前",
        "3个月前",
        "刚刚",
    ]);
}

#[test]
fn punctuation_around_a_date_stays_in_the_form() {
    let text = "(2024-01-31), on Jan 31. Il arrive l'8 janvier 2024; \"3 hours ago\"";
    assert_eq!(forms("dates", whitespace, text), "(#date),|on|#date.|Il|arrive|l'#date;|\"#date\"");
    assert_eq!(forms("dates", unicode, text).matches("#date").count(), 4);
}

#[test]
fn a_date_may_go_over_a_line_but_not_over_an_empty_one() {
    assert_eq!(both("dates", "seen 3 hours\nago"), "seen|#date");
    assert_eq!(both("dates", "in May\n\n5 apples"), "in|May|5|apples");
}

#[test]
fn near_misses_stay() {
    for text in [
        "2024",
        "in 2024 we",
        "42",
        "you may 5 say",
        "section 5 may be",
        "they march on",
        "May we",
        "mai più",
        "5 out of 10",
        "long ago 5 kings",
        "Gen 5",
        "Monday",
        "so 5",
        "3 hours",
        "in 3 hours",
        "hace frío",
        "vor 3 Bäumen",
        "il y a 3 chats",
        "hier ist es",
        "today we",
        "now",
        "just nowhere",
        "Haus 5 am See",
        "10 amber",
        "25 pm",
        "T10",
        "w3 jan",
        "31 Janx",
        "5일 전체 회원",
        "3 uur",
        "20240131",
    ] {
        assert_eq!(both("dates", text), text.replace(' ', "|"));
    }
}

#[test]
fn numbers_with_the_signs_of_dates_stay() {
    for text in [
        "16:9",
        "10:75",
        "1/2",
        "1.2.3",
        "1.2.24",
        "192.168.1.12",
        "10.12.24.5",
        "31.13.2024",
        "2024-13-01",
        "2024-01",
        "2024年",
        "31日",
        "3時間",
        "example.org/2024/01/31/news",
        "2024-01-31-report",
        "v2024.1.31",
        "3日前後",
    ] {
        assert_eq!(forms("dates", whitespace, text), text);
        assert!(!forms("dates", unicode, text).contains("#date"), "{text}");
    }
}
