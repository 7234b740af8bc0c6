//! `driftline measure` as pipelines use it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::driftline;

/// The records that come out when `lines` go in.
fn measure(arguments: &[&str], lines: &str) -> Vec<Value> {
    let output = driftline().arg("measure").args(arguments).write_stdin(lines).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn versions(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// A golden case as a line of input.
fn line_of(case: &Value) -> Value {
    let words = |list: &Value| {
        let words: Vec<_> = list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        words.join(" ")
    };
    let number = |text: &Value| text.as_str().unwrap().parse::<f64>().unwrap();
    json!({
        "id": case["id"], "type": "text", "old": words(&case["A"]), "new": words(&case["B"]),
        "copy_cost": number(&case["a"]), "move_cost": number(&case["b"]), "shingle": case["k"],
    })
}

#[test]
fn every_golden_case_comes_out_of_the_command() {
    let golden: Value = serde_json::from_str(include_str!("../../../driftline/tests/golden/metrics.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    let lines: Vec<_> = cases.iter().map(|case| line_of(case).to_string()).collect();
    let records = measure(&[], &lines.join("\n"));
    assert_eq!(records.len(), cases.len());
    for (record, case) in records.iter().zip(cases) {
        let (id, expect) = (&case["id"], &case["expect"]);
        assert_eq!((&record["id"], &record["operations"]), (id, &expect["ied"]["ops"]));
        for (actual, expected) in [
            (&record["degree"]["bw"], &expect["bw"]),
            (&record["degree"]["cos"], &expect["cos_none"]),
            (&record["degree"]["wd"], &expect["wd"]),
            (&record["degree"]["ed"], &expect["ed"]),
            (&record["degree"]["shingle"], &expect["sh"]),
            (&record["degree"]["ied"], &expect["ied"]["d"]),
            (&record["degree"]["ied_refined"], &expect["ied_refined"]["d"]),
            (&record["raw"]["ied"], &expect["ied"]["raw"]),
        ] {
            let off = actual.as_f64().unwrap() - expected.as_f64().unwrap();
            assert!(off.abs() <= 1e-12, "{id}: {actual}, not {expected}");
        }
    }
}

/// A golden case of Artail and Fawaz as a line of input.
fn artail_line_of(case: &Value) -> String {
    let weights: Vec<f64> =
        ["alpha", "beta", "gamma"].iter().map(|name| case[name].as_str().unwrap().parse().unwrap()).collect();
    json!({"id": case["id"], "type": "html", "old": case["page1"], "new": case["page2"], "weights": weights})
        .to_string()
}

#[test]
fn every_golden_case_of_artail_and_fawaz_comes_out_of_the_command() {
    let golden: Value = serde_json::from_str(include_str!("../../../driftline/tests/golden/structure.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    let lines: Vec<_> = cases.iter().map(artail_line_of).collect();
    for (typedist, form) in [("product", "product_prefix"), ("sum", "sum_suffix")] {
        let arguments = ["--with", "artail", "--words", "whitespace", "--typedist", typedist];
        let records = measure(&arguments, &lines.join("\n"));
        assert_eq!(records.len(), cases.len());
        for (record, case) in records.iter().zip(cases) {
            let (id, artail, expect) = (&case["id"], &record["artail"], &case["expect"][form]);
            assert_eq!((&record["id"], &artail["changed"]), (id, &expect["paper_changed"]));
            assert_eq!(artail["unmapped"], expect["unmapped2"], "{id}");
            let (rows, expected) = (artail["subtrees"].as_array().unwrap(), expect["result"].as_array().unwrap());
            assert_eq!(rows.len(), expected.len(), "{id}");
            for (row, expected) in rows.iter().zip(expected) {
                for (name, golden) in [("row", "row"), ("mark", "mark"), ("match", "match"), ("class", "cls")] {
                    assert_eq!(row[name], expected[golden], "{id}");
                }
                match expected["sim"].as_f64() {
                    Some(sim) => assert!((row["similarity"].as_f64().unwrap() - sim).abs() <= 1e-12, "{id}: {row}"),
                    None => assert_eq!(row["similarity"], Value::Null, "{id}"),
                }
            }
        }
    }
}

#[test]
fn what_artail_and_fawaz_say_comes_only_on_request() {
    let line = json!({"id": 1, "type": "html", "old": "<p>a</p><p>b</p>", "new": "<p>a</p><ul></ul>"}).to_string();
    assert_eq!(measure(&[], &line)[0].get("artail"), None);
    let csv = driftline().args(["measure", "--format", "csv", "--with", "artail"]).write_stdin(line).assert().success();
    let text = String::from_utf8(csv.get_output().stdout.clone()).unwrap();
    let mut lines = text.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .ends_with(",limits,artail,artail_unchanged,artail_changed,artail_unmatched,artail_unmapped")
    );
    assert!(lines.next().unwrap().ends_with(",1,1,1,0,1"), "{text}");
}

#[test]
fn every_golden_template_of_gottron_comes_out_of_the_command() {
    let golden: Value = serde_json::from_str(include_str!("../../../driftline/tests/golden/ctss.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    let line = |case: &Value| json!({"id": case["id"], "type": "html", "old": case["page1"], "new": case["page2"], "template_shingle": case["k"]});
    let lines: Vec<_> = cases.iter().map(|case| line(case).to_string()).collect();
    let records = measure(&["--with", "template"], &lines.join("\n"));
    assert_eq!(records.len(), cases.len());
    for (record, case) in records.iter().zip(cases) {
        let (id, template, expect) = (&case["id"], &record["template"], &case["expect"]);
        assert_eq!((&record["id"], &template["common"]), (id, &expect["common"]));
        assert_eq!(template["shingles"], json!({"old": expect["shingles1"], "new": expect["shingles2"]}), "{id}");
        let off = template["similarity"].as_f64().unwrap() - expect["ctss"].as_f64().unwrap();
        assert!(off.abs() <= 1e-12, "{id}: {template}");
    }
}

#[test]
fn the_length_of_tag_shingles_is_the_options_unless_the_line_has_its_own() {
    let line = json!({"type": "html", "old": "<ul><li>a<li>b</ul>", "new": "<ul><li>a</ul>"}).to_string();
    assert_eq!(measure(&[], &line)[0].get("template"), None);
    let shingles = |arguments: &[&str]| measure(arguments, &line)[0]["template"]["shingles"]["old"].clone();
    assert_eq!(shingles(&["--with", "template"]), 7);
    assert_eq!(shingles(&["--with", "template", "--template-shingle", "1"]), 10);
    let arguments = ["measure", "--format", "csv", "--with", "artail,template"];
    let csv = driftline().args(arguments).write_stdin(line).assert().success();
    let text = String::from_utf8(csv.get_output().stdout.clone()).unwrap();
    let columns = ",artail_unmapped,template_old,template_new,template_common,template_similarity";
    assert!(text.lines().next().unwrap().ends_with(columns), "{text}");
    assert!(text.lines().nth(1).unwrap().ends_with(",7,5,2,0.2857142857142857"), "{text}");
    let broken = measure(
        &["--with", "template"],
        "{\"old\": \"\", \"new\": \"\"}\n{\"old\": \"\", \"new\": \"\", \"template_shingle\": 0}",
    );
    assert!(broken[1]["error"].as_str().unwrap().contains("from 1 to 10,000 tags, not 0"));
}

#[test]
fn attribute_weights_of_ones_own_decide_what_is_a_change() {
    let folder = versions(&[("mine.txt", "class 0"), ("broken.txt", "class 0\nhref a lot\n")]);
    let line = json!({"type": "html", "old": "<p class=a>x", "new": "<p class=b>x"}).to_string();
    let file = folder.path().join("mine.txt");
    let changed = |arguments: &[&str]| {
        measure(&[&["--with", "artail"], arguments].concat(), &line)[0]["artail"]["changed"] == true
    };
    assert!(changed(&[]));
    assert!(!changed(&["--attribute-weights", file.to_str().unwrap()]));
    assert!(!changed(&["--weights", "0.5,0,0.5"]));
    let broken = folder.path().join("broken.txt");
    let output = driftline().args(["measure", "--with", "artail", "--attribute-weights"]).arg(broken).assert().code(2);
    let stderr = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(stderr.contains("line 2: `href a lot` is not the name of an attribute and its weight"), "{stderr}");
}

#[test]
fn a_bad_line_is_an_error_record_and_not_the_end_of_the_job() {
    let records = measure(
        &[],
        "{\"id\": \"a\", \"type\": \"text\", \"old\": \"x\", \"new\": \"x\"}\nnot json\n\n{\"id\": \"c\", \"old\": 1}\n\
         {\"id\": \"d\", \"old\": \"\", \"new\": \"\", \"copy_cost\": 2}\n\
         {\"id\": 5, \"old\": \"x\", \"new\": \"y\", \"type\": \"text\"}\n\
         {\"id\": \"f\", \"old\": \"\", \"new\": \"\", \"weights\": [0.5, 0.1, 0.1]}",
    );
    let ids: Vec<_> = records.iter().map(|record| record["id"].clone()).collect();
    assert_eq!(ids, [json!("a"), json!(2), json!("c"), json!("d"), json!(5), json!("f")]);
    let failed: Vec<_> = records.iter().map(|record| record.get("error").is_some()).collect();
    assert_eq!(failed, [false, true, true, true, false, true]);
    assert!(records[3]["error"].as_str().unwrap().contains("from 0 to 1, not 2"));
    assert!(records[5]["error"].as_str().unwrap().contains("must sum to 1, not 0.7"));
    assert_eq!(records[4]["degree"]["ied"], 1);
}

#[test]
fn a_line_over_the_limit_is_an_error_record() {
    let long = json!({"id": "long", "old": "x".repeat(2_000_000), "new": ""});
    let records =
        measure(&["--max-bytes", "1000"], &format!("{long}\n{{\"id\": \"b\", \"old\": \"\", \"new\": \"\"}}\n"));
    assert!(records[0]["error"].as_str().unwrap().contains("more than the"));
    assert_eq!(records[1]["id"], "b");
}

#[test]
fn a_page_that_was_cut_says_so() {
    let line = json!({"id": 1, "type": "html", "old": "<p>a</p>".repeat(50), "new": "<p>b"});
    let records = measure(&["--max-bytes", "100"], &line.to_string());
    assert_eq!(records[0]["limits"], json!(["bytes"]));
}

#[test]
fn a_folder_of_versions_is_measured_version_by_version() {
    let folder = versions(&[("page/1.html", "<p>a b"), ("page/2.html", "<p>a b"), ("page/3.html", "<p>a c")]);
    let path = folder.path().to_str().unwrap();
    let degrees = |arguments: &[&str]| {
        let records = measure(&[arguments, &[path]].concat(), "");
        records.iter().map(|record| (record["id"].clone(), record["degree"]["ied"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(degrees(&[]), [(json!("page/1..2"), json!(0)), (json!("page/2..3"), json!(0.5))]);
    assert_eq!(degrees(&["--against", "first"])[1], (json!("page/1..3"), json!(0.5)));
}

#[test]
fn a_list_of_pairs_names_files_relative_to_itself() {
    let list = "id,old,new\none,a.html,b.html\ntwo,a.html,gone.html\n";
    let folder = versions(&[("a.html", "<p>x"), ("b.html", "<p>y"), ("list.csv", list)]);
    let records = measure(&[folder.path().join("list.csv").to_str().unwrap()], "");
    assert_eq!((&records[0]["id"], &records[0]["degree"]["ied"]), (&json!("one"), &json!(1)));
    assert!(records[1]["error"].as_str().unwrap().contains("cannot open"));
}

#[test]
fn a_short_row_of_a_list_is_an_error_record() {
    let folder =
        versions(&[("a.html", "<p>x"), ("list.csv", "id,old,new\none,a.html,a.html\nonlyone\nthree,a.html,a.html\n")]);
    let records = measure(&[folder.path().join("list.csv").to_str().unwrap()], "");
    assert_eq!(records.iter().map(|record| record.get("error").is_some()).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn an_output_file_keeps_its_old_contents_until_the_new_ones_are_whole() {
    let folder = versions(&[("out.csv", "precious"), ("list.csv", "id,old\n")]);
    let out = folder.path().join("out.csv");
    driftline().args(["measure", "--output"]).arg(&out).arg("no-such-folder").assert().code(2);
    assert_eq!(fs::read_to_string(&out).unwrap(), "precious");
    let line = "{\"id\": 1, \"old\": \"a\", \"new\": \"b\"}";
    driftline().args(["measure", "--output"]).arg(&out).write_stdin(line).assert().success();
    assert!(fs::read_to_string(&out).unwrap().starts_with("id,error,"), "the name says the format");
}

#[test]
fn csv_and_parquet_have_a_row_for_every_pair() {
    let folder = versions(&[("p/1.txt", "a b"), ("p/2.txt", "a"), ("p/3.txt", "a c")]);
    let path = folder.path().join("p");
    let csv = driftline().args(["measure", "--format", "csv"]).arg(&path).assert().success();
    let text = String::from_utf8(csv.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(text.starts_with("id,error,old_words,new_words,bw,cos,wd,ed,shingle,ied,ied_refined,ied_gap,"));
    let file = folder.path().join("out.parquet");
    driftline().args(["measure", "--format", "parquet", "--output"]).arg(&file).arg(&path).assert().success();
    let bytes = fs::read(file).unwrap();
    assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (b"PAR1".as_slice(), b"PAR1".as_slice()));
}

#[test]
fn a_corpus_counts_every_version_once_and_weighs_words() {
    let folder = versions(&[("p/1.txt", "a b"), ("p/2.txt", "a c"), ("p/3.txt", "a d"), ("p/q/only.txt", "e")]);
    let corpus = folder.path().join("words.corpus");
    let path = folder.path().join("p");
    for against in ["first", "previous"] {
        driftline().args(["measure", "--against", against, "--corpus"]).arg(&corpus).arg(&path).assert().success();
        let text = fs::read_to_string(&corpus).unwrap();
        assert_eq!(text, "driftline-corpus 1\n4\n3\ta\n1\tb\n1\tc\n1\td\n1\te\n");
    }
    let path = path.to_str().unwrap();
    let cos = |idf: &str| measure(&["--idf", idf, path], "")[0]["degree"]["cos"].as_f64().unwrap();
    assert!(cos(corpus.to_str().unwrap()) > cos("none"), "the rare words that changed weigh more");
}

#[test]
fn what_cannot_be_read_is_a_clear_failure() {
    let fails = |arguments: &[&str], message: &str| {
        let output = driftline().arg("measure").args(arguments).assert().code(2);
        let stderr = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(stderr.contains(message), "{stderr}");
    };
    fails(&["no-such-folder"], "cannot open `no-such-folder`");
    fails(&["--idf", "no-such-corpus"], "hint: make one with `driftline measure --corpus no-such-corpus FOLDER`");
    fails(&["--shingle", "0"], "from 1 to 10,000 words, not 0");
    fails(&["--template-shingle", "0"], "from 1 to 10,000 tags, not 0");
    fails(&["--copy-cost", "1.5"], "from 0 to 1, not 1.5");
    fails(&["--weights", "0.4,0.6"], "there are three weights, not 2");
    fails(&["--weights", "0.9,0.9,0.9"], "must sum to 1, not 2.7");
    fails(&["--attribute-weights", "no-such-table"], "cannot read the attribute weights `no-such-table`");
    fails(&["--output", "no/such/folder/x.jsonl"], "cannot write `no/such/folder/x.jsonl`");
    fails(
        &[concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
        "is neither a folder, nor a web archive, nor `.jsonl`, nor `.csv`",
    );
}

#[test]
fn a_job_of_which_every_pair_fails_has_failed() {
    driftline().arg("measure").write_stdin("not json\n{}\n").assert().code(2);
}

#[test]
fn a_zone_that_matches_nothing_is_named_in_the_record() {
    let line = json!({"id": 1, "type": "html", "old": "<main>a</main>", "new": "<p>a"});
    let records = measure(&["--zone", "main"], &line.to_string());
    assert_eq!(records[0]["limits"], json!(["zone"]));
}

#[test]
fn any_byte_limit_is_honoured() {
    let line = json!({"id": 1, "old": "<p>a", "new": "<p>a"});
    assert_eq!(measure(&["--max-bytes", "18446744073709551615"], &line.to_string())[0]["degree"]["ied"], 0);
}

#[test]
fn a_full_disk_is_an_error_and_not_silence() {
    let full = Path::new("/dev/full");
    assert!(full.exists(), "this test needs the device that is always full");
    let line = "{\"old\": \"a\", \"new\": \"b\"}";
    driftline().args(["measure", "--output"]).arg(full).write_stdin(line).assert().code(2);
}

#[test]
fn a_reader_who_goes_away_is_not_a_failure() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("driftline"))
        .arg("measure")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    for _ in 0..5_000 {
        if input.write_all(b"{\"old\": \"a\", \"new\": \"b\", \"type\": \"text\"}\n").is_err() {
            break;
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// Rule S10, through the command: `any` and every aspect of it.
#[test]
fn the_truth_of_every_golden_page_comes_out_of_the_command() {
    let golden: Value = serde_json::from_str(include_str!("../../../driftline/tests/golden/structure.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    let lines: Vec<_> = cases.iter().map(artail_line_of).collect();
    for words in ["whitespace", "unicode"] {
        let records = measure(&["--with", "regions", "--words", words], &lines.join("\n"));
        assert_eq!(records.len(), cases.len());
        for (record, case) in records.iter().zip(cases) {
            let truth = |aspect: &str| case["expect"]["truth"][aspect] == true;
            let told = |aspect: &str| record["changed"][aspect] == true;
            assert_eq!(!record["regions"].as_array().unwrap().is_empty(), truth("any"), "{record}");
            assert_eq!(told("content"), truth("content"), "{record}");
            assert_eq!(told("structure"), truth("structure") || truth("placement"), "{record}");
            assert_eq!(told("attributes"), truth("attributes"), "{record}");
        }
    }
}

/// Items as the feed that a generator would write.
fn rss_of(items: &Value) -> String {
    let item = |item: &Value| {
        let [title, text] = ["title", "description"].map(|name| item[name].as_str().unwrap_or_default().to_owned());
        format!("<item><title>{title}</title><description>{text}</description></item>")
    };
    let items: Vec<String> = items.as_array().unwrap().iter().map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>t</title>{}</channel></rss>", items.concat())
}

#[test]
fn every_golden_feed_of_artail_and_fawaz_comes_out_of_the_command() {
    let golden: Value = serde_json::from_str(include_str!("../../../driftline/tests/golden/feeds.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    let body = |case: &Value, xml: &str, items: &str| match case[xml].as_str() {
        Some(xml) => xml.to_owned(),
        None => rss_of(&case[items]),
    };
    let line = |case: &Value| {
        let (old, new) = (body(case, "xml1", "feed1"), body(case, "xml2", "feed2"));
        json!({"id": case["id"], "type": "feed", "old": old, "new": new}).to_string()
    };
    let records = measure(&[], &cases.iter().map(line).collect::<Vec<_>>().join("\n"));
    assert_eq!(records.len(), cases.len());
    for (record, case) in records.iter().zip(cases) {
        let (id, told, expect) = (&case["id"], &record["feed"]["artail"], &case["expect"]);
        assert_eq!(told["added"], expect["added"], "{id}");
        let (map, expected) = (told["map"].as_array().unwrap(), expect["map"].as_array().unwrap());
        assert_eq!(map.len(), expected.len(), "{id}");
        for (mapped, expected) in map.iter().zip(expected) {
            for (name, golden) in [("old", "i"), ("new", "j"), ("class", "cls")] {
                assert_eq!(mapped[name], expected[golden], "{id}");
            }
            match expected["cs"].as_f64() {
                Some(cs) => assert!((mapped["similarity"].as_f64().unwrap() - cs).abs() <= 1e-12, "{id}: {mapped}"),
                None => assert_eq!(mapped["similarity"], Value::Null, "{id}"),
            }
        }
    }
}
