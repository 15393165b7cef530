//! The recipes of calls (`recipes.txt`).

use std::collections::BTreeMap;

/// How a procedure is called.
#[derive(Default)]
pub struct Recipe {
    /// The arguments that do not follow from the kinds of their parameters.
    pub arguments: BTreeMap<String, String>,
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// Nothing frees the handles that the call returns.
    pub keeps_results: bool,
    /// The class of errors that the call must return.
    pub class: String,
    pub is_not_called: bool,
    /// The program calls the procedure at its beginning or its end.
    pub is_in_frame: bool,
}

pub struct Recipes {
    of: BTreeMap<String, Recipe>,
    default: Recipe,
}

impl Recipe {
    fn success() -> Recipe {
        Recipe { class: "MPI_SUCCESS".into(), ..Recipe::default() }
    }

    fn add(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').expect("a line of a recipe has two words");
        match word {
            "before" => self.before.push(rest.into()),
            "after" => self.after.push(rest.into()),
            "nothing" => self.keeps_results = true,
            "class" => self.class = rest.into(),
            "not" => self.is_not_called = true,
            "once" => self.is_in_frame = true,
            parameter => {
                let value = rest.strip_prefix("= ").expect("an argument is NAME = VALUE");
                self.arguments.insert(parameter.into(), value.into());
            }
        }
    }
}

impl Recipes {
    /// Reads the file.
    pub fn read() -> Recipes {
        let mut of: BTreeMap<String, Recipe> = BTreeMap::new();
        let mut names: Vec<String> = Vec::new();
        let mut is_open = false;
        let text = include_str!("recipes.txt").replace("\n    ", " ");
        for line in text.lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(line) = line.strip_prefix("  ") {
                is_open = false;
                for name in &names {
                    of.entry(name.clone()).or_insert_with(Recipe::success).add(line);
                }
                continue;
            }
            // Names may stand in several lines.
            if !is_open {
                names.clear();
            }
            is_open = true;
            let full = |name: &str| match name.starts_with("MPIX_") {
                true => name.into(),
                false => format!("MPI_{name}"),
            };
            names.extend(line.split(' ').map(full));
        }
        Recipes { of, default: Recipe::success() }
    }

    /// Returns the recipe of a procedure or of its large-count form.
    pub fn of(&self, name: &str) -> &Recipe {
        let plain = name.strip_suffix("_c").unwrap_or(name);
        self.of.get(plain).unwrap_or(&self.default)
    }
}
