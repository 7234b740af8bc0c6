//! What is a count of something, and what only looks like one?

use super::{both, forms, unicode, whitespace};

#[test]
fn a_count_and_its_noun_have_one_form() {
    for (text, form) in [
        ("1 comment", "#|comment"),
        ("2 comments", "#|comment"),
        ("1,234 views", "#|view"),
        ("3.2k Followers", "#|follower"),
        ("17 Kommentare", "#|kommentar"),
        ("1.234 Aufrufe", "#|aufruf"),
        ("1\u{202F}234 vues", "#|vue"),
        ("1 commentaire", "#|commentaire"),
        ("12 visitas", "#|visita"),
        ("8 risposte", "#|risposta"),
        ("5 comentários", "#|comentário"),
        ("9 reacties", "#|reactie"),
        ("Views 1,234", "view|#"),
        ("조회 1,234", "조회|#"),
        ("조회수 1,234", "조회|#"),
        ("댓글 12", "댓글|#"),
        ("閲覧 1,234", "閲覧|#"),
        ("コメント 17", "コメント|#"),
        ("17 评论", "#|评论"),
    ] {
        assert_eq!(both("counters", text), form, "{text}");
    }
}

#[test]
fn a_label_may_have_a_sign() {
    assert_eq!(forms("counters", whitespace, "Views: 1,234 Likes:5"), "view:|#|like:#");
    assert_eq!(forms("counters", unicode, "Views: 1,234 | Like: 5"), "view|#|like|#");
    assert_eq!(forms("counters", whitespace, "閲覧数：1,234"), "閲覧：#");
}

#[test]
fn scripts_without_spaces_have_their_classifiers() {
    assert_eq!(
        forms("counters", whitespace, "17件のコメント 1.2万次观看 12개의 댓글"),
        "#件のコメント|#次观看|#개의|댓글"
    );
    assert_eq!(forms("counters", whitespace, "阅读1234 조회수 1,234회"), "阅读#|조회|#회");
}

#[test]
fn a_number_alone_in_parentheses_is_a_count() {
    assert_eq!(both("counters", "(17)"), "(#)");
    assert_eq!(both("counters", "more (1,234)"), "more|(#)");
    assert_eq!(both("counters", "Comments (17)"), "comment|(#)");
    assert_eq!(forms("counters", whitespace, "Comments(17), コメント（17）"), "comment(#),|コメント(#)");
    assert_eq!(forms("counters", unicode, "「コメント（17）」"), "コメント|(#)");
}

#[test]
fn many_counts_in_a_row_are_each_found() {
    assert_eq!(both("counters", "5 comments 12 shares 1 like"), "#|comment|#|share|#|like");
    assert_eq!(both("counters", "Comments 5 Shares 12 Likes 1"), "comment|#|share|#|like|#");
}

#[test]
fn a_number_between_two_nouns_counts_the_one_that_has_no_other() {
    assert_eq!(both("counters", "the comments 5 shares there"), "the|comments|#|share|there");
    assert_eq!(both("counters", "10 old comments 5 shares"), "10|old|comments|#|share");
    assert_eq!(forms("counters", whitespace, "3 vistas · 3 comentarios"), "#|vista|·|#|comentario");
}

#[test]
fn one_word_may_stand_between_a_number_and_its_noun() {
    assert_eq!(both("counters", "12 new comments"), "#|new|comment");
    assert_eq!(both("counters", "1,2 mil vistas"), "#|mil|vista");
    assert_eq!(both("counters", "1,2 M de vues"), "#|M|de|vue");
    assert_eq!(forms("counters", whitespace, "1,2 Mio. Aufrufe"), "#|Mio.|aufruf");
}

#[test]
fn a_time_beside_a_noun_is_no_count() {
    assert_eq!(both("dates counters", "5 comments 3 hours ago"), "#|comment|#date");
    assert_eq!(both("dates counters", "comments 3 hours ago"), "comments|#date");
}

#[test]
fn numbers_and_nouns_alone_stay() {
    for text in [
        "read 5 books",
        "like 3 others",
        "comments from 5 people",
        "our 5 best views",
        "17 apples",
        "the comments",
        "chapter 17",
        "web2 comments",
        "17 viewsx",
    ] {
        assert_eq!(both("counters", text), text.replace(' ', "|"));
    }
}

#[test]
fn a_year_in_parentheses_is_no_count() {
    assert_eq!(forms("counters", whitespace, "Kwon (2024) (2,024) (2150)"), "Kwon|(2024)|(#)|(#)");
    assert_eq!(forms("counters", whitespace, "(17 of them) (a) (5-year)"), "(17|of|them)|(a)|(5-year)");
}
