//! The data of the demo, and the names in it that stand for those of documents.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::run;

/// A folder with the data directory `kept`, as the demo leaves it, and the saved pages of the demo.
pub(super) struct Demo {
    folder: TempDir,
    /// What is written in documents, and what it is here.
    names: Vec<(&'static str, String)>,
}

impl Demo {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        run("driftline demo --save pages", folder.path());
        let (code, shown) = run("driftline demo --speed 0 --keep kept", folder.path());
        assert_eq!(code, 0, "{shown}");
        let change = first(&folder, "driftline events --kind changed --json --data kept");
        let watch = first(&folder, "driftline watch list --json --data kept");
        // As an import leaves a watch whose filter it could not bring over.
        let id = watch["id"].as_str().unwrap_or_default();
        run(&format!("driftline watch edit {id} --paused --note 'paused by the import' --data kept"), folder.path());
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_else(|| panic!("{value}")).to_owned();
        let names = vec![
            ("https://example.org/prices", text(&change, "url")),
            ("KEY", text(&change, "key")),
            ("ID", text(&watch, "id")),
        ];
        Self { folder, names }
    }

    /// Runs a command of a document on the data of the demo: what was run, its exit code, and what it printed. Nothing of
    /// the data stays changed.
    pub(super) fn run(&self, command: &str) -> (String, i32, String) {
        let mut words: Vec<String> = command.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        for word in &mut words {
            for (name, here) in &self.names {
                if word == name || name.contains("://") && word.contains(name) {
                    *word = word.replace(name, here);
                }
            }
        }
        let command = words.join(" ");
        let all = format!("rm -rf data; cp -r kept data; DRIFTLINE_DATA=data; export DRIFTLINE_DATA; {command} 2>&1");
        fs::write(self.folder.path().join("mail.txt"), "{{names}}: {{count}}\n").unwrap();
        let (code, shown) = run(&all, self.folder.path());
        (command, code, shown)
    }
}

/// The first object that a command prints.
fn first(folder: &TempDir, command: &str) -> Value {
    let (_, shown) = run(command, folder.path());
    serde_json::from_str(shown.lines().next().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{command}: {error}: {shown}"))
}
