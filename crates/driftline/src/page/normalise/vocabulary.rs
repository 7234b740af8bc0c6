//! Which words have a part in dates, counts and numbers? One table from word to roles.
//!
//! A word has several roles where languages meet: `mar` is March and Tuesday, `an` an article and a
//! French year. Which role counts is decided by the words around it. The table is built once, from
//! readable lists, and asked once per run of letters.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::lexemes::is_glyph;
use super::months::{DOUBTFUL_MONTHS, MONTHS, MONTHS_OF_PROSE, WEEKDAYS};
use super::nouns::NOUNS;

/// A part that a word can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The name of a month.
    Month,
    /// A month that is also an everyday word.
    Prose,
    /// A month whose abbreviation is a word in another language.
    Doubtful,
    /// The name of a weekday.
    Weekday,
    /// Between a date and a time.
    At,
    /// Between a day, its month and its year.
    Of,
    /// Behind a time: before or after noon.
    Noon,
    /// Before a time: before or after noon.
    NoonAhead,
    /// Between hours and minutes: `10h45`.
    HourLetter,
    /// Behind hours: `10 Uhr`.
    Clock,
    /// A time zone, in capitals.
    Zone,
    /// A unit of time.
    Unit,
    /// A number of units, in words.
    Quantity,
    /// Roughly.
    About,
    /// Between two quantities.
    And,
    /// Behind a time span: that long ago.
    Ago,
    /// Before a time span: that long ago.
    Before,
    /// A past day that is a date by itself.
    Yesterday,
    /// A day that is a date only together with a time.
    Today,
    /// The first word of a phrase that means a moment.
    Phrase,
    /// Behind a year, month, day, hour, minute, second in Chinese, Japanese and Korean.
    YearSign,
    /// See [`Role::YearSign`].
    MonthSign,
    /// See [`Role::YearSign`].
    DaySign,
    /// See [`Role::YearSign`].
    HourSign,
    /// See [`Role::YearSign`].
    MinuteSign,
    /// See [`Role::YearSign`].
    SecondSign,
    /// Behind a number: `3rd`.
    Ordinal,
    /// Behind a number: `3k`, `3GB`.
    Magnitude,
    /// Between a number and what it counts: `12 new comments`, `1,2 mil vistas`, `17件のコメント`.
    Classifier,
}

/// All words but months, weekdays and counted nouns.
const WORDS: &[(Role, &str)] = &[
    (Role::At, "at on the um à a las la le el alle ore às as om den dem op em del il kl"),
    (Role::Of, "of de del di da do"),
    (Role::Noon, "am pm"),
    (Role::NoonAhead, "午前 午後 上午 下午 早上 晚上 凌晨 中午 오전 오후 새벽 저녁 밤"),
    (Role::HourLetter, "h u"),
    (Role::Clock, "uhr"),
    (Role::Zone, "z utc gmt est edt cst cdt mst mdt pst pdt et ct pt cet cest mez mesz bst wet west eet eest msk"),
    (Role::Zone, "ist jst kst hkt sgt aest aedt nzst nzdt akst hst"),
    // English, then German, French, Spanish, Italian, Portuguese, Dutch.
    (Role::Unit, "second minute hour day week month year seconds minutes hours days weeks months years moment moments"),
    (Role::Unit, "s m h d w y mo mos sec secs min mins hr hrs wk wks yr yrs"),
    (Role::Unit, "sekunde minute stunde tag woche monat jahr sekunden minuten stunden tagen wochen monaten jahren std"),
    (
        Role::Unit,
        "tage monate jahre seconde heure jour semaine mois an année secondes heures jours semaines ans années",
    ),
    (Role::Unit, "segundo minuto hora día dia semana mes mês año ano segundos minutos horas días dias semanas meses"),
    (Role::Unit, "años anos secondo ora giorno settimana mese anno secondi minuti ore giorni settimane mesi anni"),
    (Role::Unit, "uur dag maand jaar minuut seconden minuten uren dagen weken maanden jaren"),
    (Role::Unit, "秒 秒钟 秒鐘 分 分钟 分鐘 時間 小时 小時 个小时 個小時 日 天 週間 周 週 星期 个星期 個星期"),
    (Role::Unit, "か月 ヶ月 カ月 ケ月 个月 個月 年 초 분 시간 일 주 주일 개월 달 년"),
    (Role::Quantity, "a an one few several couple of ein eine einer einem einigen wenigen un une quelques una uno"),
    (Role::Quantity, "unos unas um uma uns umas alguns algumas alcuni alcune pochi poche qualche een enkele half"),
    (Role::Quantity, "数 數 几 幾 몇"),
    (Role::About, "about environ etwa ca circa rund ungefähr über plus de más cerca mais"),
    (Role::And, "and und et y e en"),
    (Role::Ago, "ago fa atrás geleden 前 之前 以前 전 전에 전부터"),
    (Role::Before, "vor hace há"),
    (Role::Yesterday, "yesterday gestern vorgestern ayer anteayer ieri ontem anteontem gisteren eergisteren"),
    (Role::Yesterday, "昨日 昨天 前天 어제 그저께"),
    (Role::Today, "today tomorrow heute morgen hier aujourd'hui demain hoy mañana oggi domani hoje amanhã vandaag"),
    (Role::Today, "今日 明日 今天 明天 오늘 내일"),
    (Role::YearSign, "年 년"),
    (Role::MonthSign, "月 월"),
    (Role::DaySign, "日 号 號 일"),
    (Role::HourSign, "時 时 点 點 시"),
    (Role::MinuteSign, "分 분"),
    (Role::SecondSign, "秒 초"),
    (Role::Ordinal, "st nd rd th º ª er re ère ème e de ste"),
    (Role::Magnitude, "k m b mn bn tn mio mrd tsd kb mb gb tb pb kib mib gib tib kbit mbit gbit"),
    (Role::Magnitude, "万 萬 億 亿 兆 千 百 만 억 조 천 백"),
    (Role::Classifier, "new more total other user neue weitere nouveaux autres nuevos nuovi nieuwe novos"),
    (Role::Classifier, "k m b mil mio mrd tsd thousand million millions millones milhões de"),
    (Role::Classifier, "件 回 個 个 条 條 次 人 名 の 件の 人の 回の 個の 개 회 명 건 개의 명의 건의"),
];

/// Terms without a role that begin like one that has: "3日前" is three days ago, "3日前後" some three days.
const UNRELATED: &str = "前後 前半 前者";

/// Several words that mean a moment.
const PHRASES: &[&[&str]] = &[
    &["just", "now"],
    &["gerade", "eben"],
    &["soeben"],
    &["à", "l'instant"],
    &["ahora", "mismo"],
    &["proprio", "ora"],
    &["agora", "mesmo"],
    &["zojuist"],
    &["たった今"],
    &["刚刚"],
    &["剛剛"],
    &["방금", "전"],
    &["방금"],
];

/// The roles of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Roles(u32);

impl Roles {
    /// Whether `role` is among them.
    pub(super) fn contains(self, role: Role) -> bool {
        self.0 & (1 << role as u32) != 0
    }

    fn add(&mut self, role: Role) {
        self.0 |= 1 << role as u32;
    }
}

/// What a word means for dates and counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Meaning {
    /// Its parts in dates and numbers.
    pub(super) roles: Roles,
    /// Its entry in the table of counted nouns.
    pub(super) noun: Option<&'static str>,
}

/// What a run of letters means, whatever its case.
pub(super) fn meaning(letters: &str) -> Meaning {
    if letters.len() > LONGEST_WORD {
        return Meaning::default();
    }
    if letters.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return TABLE.get(letters).copied().unwrap_or_default();
    }
    let folded = letters.to_lowercase().replace('’', "'");
    TABLE.get(folded.as_str()).copied().unwrap_or_default()
}

/// The length and the meaning of the longest Chinese, Japanese or Korean term that `text` begins with.
pub(super) fn longest_term(text: &str) -> Option<(usize, Meaning)> {
    let ends = text.char_indices().map(|(start, character)| (start + character.len_utf8(), character));
    let ends = ends.take_while(|&(_, character)| is_glyph(character)).take(LONGEST_TERM);
    ends.filter_map(|(end, _)| Some((end, *TABLE.get(&text[..end])?))).last()
}

/// Whether `texts`, which may be in any case, are the words of a phrase that means a moment; says
/// how many words it has.
pub(super) fn phrase<'a>(texts: &(impl Iterator<Item = &'a str> + Clone)) -> Option<usize> {
    let says = |phrase: &&&[&str]| {
        let mut texts = texts.clone();
        phrase.iter().all(|word| texts.next().is_some_and(|text| text.to_lowercase().replace('’', "'") == *word))
    };
    PHRASES.iter().find(says).map(|phrase| phrase.len())
}

/// Bytes of the longest Latin or Cyrillic word in the table, with room; longer letters are not looked up.
const LONGEST_WORD: usize = 32;
/// Characters of the longest Chinese, Japanese or Korean term in the table.
const LONGEST_TERM: usize = 6;

static TABLE: LazyLock<HashMap<&'static str, Meaning>> = LazyLock::new(|| {
    let mut table = HashMap::<_, Meaning>::new();
    let months = MONTHS.iter().map(|&(_, words)| (Role::Month, words));
    let weekdays = WEEKDAYS.iter().map(|&(_, words)| (Role::Weekday, words));
    let prose = [(Role::Prose, MONTHS_OF_PROSE), (Role::Doubtful, DOUBTFUL_MONTHS)];
    for (role, words) in months.chain(weekdays).chain(prose).chain(WORDS.iter().copied()) {
        for word in words.split_whitespace() {
            table.entry(word).or_default().roles.add(role);
        }
    }
    for word in UNRELATED.split_whitespace() {
        table.entry(word).or_default();
    }
    for first in PHRASES.iter().filter_map(|phrase| phrase.first()) {
        table.entry(first).or_default().roles.add(Role::Phrase);
    }
    for words in NOUNS {
        let entry = words.split_whitespace().next();
        for word in words.split_whitespace() {
            table.entry(word).or_default().noun = entry;
        }
    }
    table
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_table_can_be_found() {
        for word in TABLE.keys() {
            let glyphs = word.chars().filter(|&character| is_glyph(character)).count();
            assert!(glyphs == 0 || glyphs == word.chars().count(), "{word} mixes scripts");
            assert!(glyphs <= LONGEST_TERM && (glyphs > 0 || word.len() <= LONGEST_WORD), "{word} is too long");
            assert_eq!(word.to_lowercase(), *word);
        }
    }

    #[test]
    fn no_noun_has_two_entries() {
        let mut seen = std::collections::HashSet::new();
        for word in NOUNS.iter().flat_map(|words| words.split_whitespace()) {
            assert!(seen.insert(word), "{word} stands twice");
        }
    }

    #[test]
    fn a_word_keeps_the_roles_it_has_in_each_language() {
        let mar = meaning("Mar").roles;
        assert!(mar.contains(Role::Month) && mar.contains(Role::Weekday));
        let day = longest_term("日本").unwrap().1.roles;
        assert!(day.contains(Role::DaySign) && day.contains(Role::Unit) && day.contains(Role::Weekday));
    }

    #[test]
    fn the_longest_term_wins() {
        assert_eq!(longest_term("時間前に").map(|(length, _)| length), Some("時間".len()));
        assert_eq!(longest_term("漢字"), None);
    }
}
