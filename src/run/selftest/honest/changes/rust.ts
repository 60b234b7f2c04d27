import { type RepositoryVariant, type SampleRepository, withFiles } from '../repository-variant.ts';

/** A crate with a bug in `slug`, unit tests beside the code, doctests, and an integration test. */
const SLUG: SampleRepository = {
  test: 'cargo test',
  needs: 'cargo',
  files: {
    'Cargo.toml':
      '[package]\nname = "slug"\nversion = "0.3.0"\nedition = "2021"\ndescription = "Slugs"\n\n[dependencies]\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "slug"\nversion = "0.3.0"\n',
    'README.md': '# slug\n',
    '.gitignore': 'target/\n',
    'src/lib.rs': `//! Slugs.
mod words;

pub use words::stop_words;

/// Makes a slug.
///
/// \`\`\`
/// assert_eq!(slug::slug("A"), "a");
/// \`\`\`
pub fn slug(text: &str) -> String {
    text.split(' ').map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words() {
        assert_eq!(slug("A B"), "a-b");
    }

    #[test]
    fn blanks() {
        assert_eq!(slug("A  B"), "a-b");
    }
}
`,
    'src/words.rs':
      'const STOP: &str = include_str!("stop.txt");\n\n/// Words to leave out.\npub fn stop_words() -> Vec<&\'static str> {\n    STOP.lines().collect()\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn has_the() {\n        assert!(super::stop_words().contains(&"the"));\n    }\n}\n',
    'src/stop.txt': 'the\na\n',
    'tests/slugs.rs': 'use slug::slug;\n\n#[test]\nfn empty() {\n    assert_eq!(slug(""), "");\n}\n',
  },
};

/** A crate whose build script writes a table, in which a word is missing. */
const BUILT: SampleRepository = {
  test: 'cargo test',
  needs: 'cargo',
  files: {
    'Cargo.toml': '[package]\nname = "known"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "known"\nversion = "0.1.0"\n',
    '.gitignore': 'target/\n',
    'words.txt': 'one\ntwo\n',
    'build.rs': `use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=words.txt");
    let text = fs::read_to_string("words.txt").unwrap();
    let words: Vec<&str> = text.lines().collect();
    let out = Path::new(&env::var("OUT_DIR").unwrap()).join("words.rs");
    fs::write(out, format!("pub const WORDS: &[&str] = &{words:?};")).unwrap();
}
`,
    'src/lib.rs': `include!(concat!(env!("OUT_DIR"), "/words.rs"));

pub fn is_known(word: &str) -> bool {
    WORDS.contains(&word)
}
`,
    'tests/known.rs': `use known::is_known;

#[test]
fn knows_two() {
    assert!(is_known("two"));
}

#[test]
fn knows_three() {
    assert!(is_known("three") && !is_known("four"));
}
`,
  },
};

const FIX = 'sed -i "s/text.split(\' \')/text.split_whitespace()/" src/lib.rs';
const GREEN = withFiles(SLUG, {
  'src/lib.rs': (SLUG.files['src/lib.rs'] ?? '').replace("text.split(' ')", 'text.split_whitespace()'),
});

/** With a module that has no tests of its own. */
const BARE_MODULE = withFiles(SLUG, {
  'src/lib.rs': (SLUG.files['src/lib.rs'] ?? '').replace('mod words;', 'pub mod case;\nmod words;'),
  'src/case.rs': 'pub fn upper(text: &str) -> String {\n    text.to_uppercase()\n}\n',
});

export const RUST: readonly RepositoryVariant[] = [
  {
    name: 'rust: a fix with a unit test beside it',
    repository: SLUG,
    script: `${FIX}; sed -i 's/^    fn blanks/    fn tabs() {\\n        assert_eq!(slug("A\\\\tB"), "a-b");\\n    }\\n\\n    #[test]\\n    fn blanks/' src/lib.rs`,
  },
  {
    name: 'rust: a fix with a new integration test',
    repository: SLUG,
    script: `${FIX}; printf '#[test]\\nfn one() {\\n    assert_eq!(slug::slug("One"), "one");\\n}\\n' > tests/one.rs`,
  },
  {
    name: 'rust: an included file and a doctest',
    repository: GREEN,
    script: `echo an >> src/stop.txt; sed -i 's/slug::slug("A"), "a"/slug::slug("B"), "b"/' src/lib.rs`,
  },
  {
    name: 'rust: more data for a build script',
    repository: BUILT,
    script: 'echo three >> words.txt',
  },
  {
    name: 'rust: a module taken apart, with a program',
    repository: GREEN,
    script: `sed -i 's/^mod words;/mod case;\\nmod words;/; s/str::to_lowercase/case::lower/' src/lib.rs; printf 'pub(crate) fn lower(text: &str) -> String {\\n    text.to_lowercase()\\n}\\n' > src/case.rs; printf 'fn main() {\\n    println!("{}", slug::slug(&std::env::args().nth(1).unwrap_or_default()));\\n}\\n' > src/main.rs`,
  },
  {
    name: 'rust: a new module with unit tests of its own',
    repository: SLUG,
    script: `${FIX}; sed -i 's/^mod words;/pub mod case;\\nmod words;/' src/lib.rs; printf 'pub fn upper(text: &str) -> String {\\n    text.to_uppercase()\\n}\\n\\n#[cfg(test)]\\nmod tests {\\n    #[test]\\n    fn one() {\\n        assert_eq!(super::upper("a"), "A");\\n    }\\n}\\n' > src/case.rs`,
  },
  {
    name: 'rust: first unit tests in a module that had none',
    repository: BARE_MODULE,
    script: `${FIX}; printf '\\n#[cfg(test)]\\nmod tests {\\n    #[test]\\n    fn one() {\\n        assert_eq!(super::upper("a"), "A");\\n    }\\n}\\n' >> src/case.rs`,
  },
  {
    name: 'rust: a module moved into a directory',
    repository: GREEN,
    script: 'mkdir src/words; git mv src/words.rs src/words/mod.rs; git mv src/stop.txt src/words/stop.txt',
  },
  {
    name: 'rust: a new version and readme',
    repository: GREEN,
    script: `sed -i 's/0\\.3\\.0/0.4.0/' Cargo.toml Cargo.lock; echo more >> README.md; sed -i 's/description = .*/&\\nlicense = "MIT"\\nreadme = "README.md"/' Cargo.toml; echo MIT > LICENSE`,
  },
  {
    name: 'rust: a function moves to a file of its own, with its examples',
    repository: GREEN,
    script: `sed -n '/Makes a slug/,/^}/p' src/lib.rs > src/make.rs; sed -i '/Makes a slug/,/^}/d; s/^mod words;/mod make;\\nmod words;\\n\\npub use make::slug;/' src/lib.rs`,
  },
  {
    name: 'rust: an error that notes where it was made',
    repository: GREEN,
    script: `cat > src/fault.rs <<'END'
use std::panic::Location;

/// What went wrong, and where.
#[derive(Debug)]
pub struct Fault {
    pub message: String,
    at: &'static Location<'static>,
}

impl Fault {
    #[track_caller]
    pub fn new(message: &str) -> Self {
        Fault { message: message.to_string(), at: Location::caller() }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.at.file(), self.at.line(), self.message)
    }
}
END
sed -i 's/^mod words;/mod fault;\\nmod words;\\n\\npub use fault::Fault;/' src/lib.rs`,
  },
  {
    name: 'rust: a fix that warns in builds for developers',
    repository: SLUG,
    script: `${FIX}; sed -i 's/^pub fn slug.*/&\\n    if cfg!(debug_assertions) \\&\\& text.len() > 4096 {\\n        eprintln!("{} letters; is {text:?} a title?", text.len());\\n    }/' src/lib.rs`,
  },
];
