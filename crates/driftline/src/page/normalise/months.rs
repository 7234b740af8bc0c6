//! How do people write months and weekdays? Names and abbreviations, language by language.
//!
//! Lower case, composed letters, without the dot of abbreviations. To teach driftline a language,
//! add a line to each table; nothing else needs to know. Japanese, Chinese and Korean number their
//! months, so they have signs in the [`vocabulary`](super::vocabulary) instead of names here.

/// A language and its words, with spaces between them.
pub(super) type Words = (&'static str, &'static str);

/// Months.
pub(super) const MONTHS: &[Words] = &[
    (
        "English",
        "january february march april may june july august september october november december \
         jan feb mar apr jun jul aug sep sept oct nov dec",
    ),
    (
        "German",
        "januar jänner februar feber märz april mai juni juli august september oktober november dezember \
         jan jän feb mär mrz apr jun jul aug sep sept okt nov dez",
    ),
    (
        "French",
        "janvier février fevrier mars avril mai juin juillet août aout septembre octobre novembre décembre decembre \
         janv févr fevr fév avr juil sept oct nov déc dec",
    ),
    (
        "Spanish",
        "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre \
         ene feb mar abr jun jul ago sept sep set oct nov dic",
    ),
    (
        "Italian",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre \
         gen feb mar apr mag giu lug ago sett set ott nov dic",
    ),
    (
        "Portuguese",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro \
         jan fev mar abr mai jun jul ago set out nov dez",
    ),
    (
        "Dutch",
        "januari februari maart april mei juni juli augustus september oktober november december \
         jan feb mrt apr jun jul aug sep sept okt nov dec",
    ),
    (
        "Polish, after a day",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    ),
    ("Swedish", "januari februari mars april maj juni juli augusti september oktober november december"),
    ("Danish and Norwegian", "januar februar marts mars april maj mai juni juli august september oktober desember"),
    ("Russian, after a day", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    ("Turkish", "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık"),
];

/// Months that are also everyday words: without a capital they need a day and a year.
pub(super) const MONTHS_OF_PROSE: &str = "may march";

/// Abbreviations that are words elsewhere ("5 out of 10", "3 years ago", "Gen 5"): they need a day and a year.
pub(super) const DOUBTFUL_MONTHS: &str = "out set ago gen mag mart maja";

/// Weekdays. A name of two letters counts only with a dot or a comma behind it, for `so` and `do`
/// are words.
pub(super) const WEEKDAYS: &[Words] = &[
    ("English", "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun"),
    ("German", "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so"),
    ("French", "lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim"),
    ("Spanish", "lunes martes miércoles miercoles jueves viernes sábado sabado domingo lun mar mié jue vie sáb dom"),
    ("Italian", "lunedì martedì mercoledì giovedì venerdì sabato domenica lun mar mer gio ven sab dom"),
    ("Portuguese", "sábado domingo segunda terça quarta quinta sexta seg ter qua qui sex sáb dom"),
    ("Dutch", "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma di wo do vr za zo"),
    ("Japanese", "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 月曜 火曜 水曜 木曜 金曜 土曜 日曜"),
    ("Japanese and Korean, in parentheses", "月 火 水 木 金 土 日 월 화 수 목 금 토 일"),
    (
        "Chinese",
        "星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 周一 周二 周三 周四 周五 周六 周日 週一 週二 \
         週三 週四 週五 週六 週日",
    ),
    ("Korean", "월요일 화요일 수요일 목요일 금요일 토요일 일요일"),
];
