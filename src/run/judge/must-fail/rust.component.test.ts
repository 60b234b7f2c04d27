import { describe, expect, test } from 'vitest';
import { workingProgram } from '../working-program.fixture.ts';
import { expectAnswers, runSuite, type Suite } from './altered-runs.fixture.ts';

const program = workingProgram('cargo');
const TIMEOUT = { timeout: 120_000 };

const cargo: Suite = {
  runner: 'cargo',
  command: 'cargo test',
  tree: {
    'Cargo.toml': '[package]\nname = "slug"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = true\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "slug"\nversion = "0.1.0"\n',
    'src/lib.rs': `//! größe 😀
#![deny(warnings)]
#![cfg_attr(not(test), no_std)]
extern crate alloc;

mod inner;
pub use inner::slug;

/// \`\`\`
/// assert_eq!(slug::double(2), 4);
/// \`\`\`
pub fn double(n: u8) -> u8 {
    n * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! slugs {
        ($name:ident: $from:expr => $to:expr) => {
            #[test]
            fn $name() { assert_eq!(slug($from), $to) }
        };
    }

    slugs!(made_by_a_macro: "A" => "a");
    slugs!(made_by_it_too: "A B" => "a-b");

    #[test]
    fn plain() {
        assert_eq!(double(100), 200);
        assert_eq!(double(1), 2u8, "message {}", 3);
    }

    #[test]
    fn returns() -> Result<(), core::num::ParseIntError> {
        let four: u8 = "4".parse()?;
        assert!(double(2) == four);
        if four == 4 {
            return Ok(());
        }
        assert_eq!(1, 2);
        Ok(())
    }

    #[test]
    fn calculated() {
        let two = 1 + 1;
        assert_eq!(double(1), two, "message {}", 3);
        assert!(!slug("a").is_empty() && two > 1, "message");
        assert_ne!(double(two), two)
    }

    #[test]
    fn texts() {
        assert_eq!(slug("Größe 😀"), "größe-😀".to_string());
        assert_eq!(Some(slug("A B")), Some(String::from("a-b")));
        assert_eq!(slug("a b").split('-').collect::<Vec<_>>(), vec!["a", "b"]);
        assert_eq!(slug("ab").as_bytes(), b"ab");
        assert!(-1 == -(double(1) as i32) + 1);
    }

    #[test]
    #[should_panic]
    fn panics() {
        assert_eq!(double(1), 3);
    }
}
`,
    'src/inner/mod.rs': `use alloc::string::String;
use alloc::vec::Vec;

pub fn slug(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod more;
`,
    'src/inner/more.rs': `use super::slug;

fn check_eq(one: &str, other: &str) {
    assert_eq!(one, other);
}

#[test]
fn by_helper() {
    check_eq(&slug("A"), "a");
}

#[test]
fn one_line() { check_eq("x", &slug("X")) }
`,
    'tests/outer.rs': `use slug::double;

#[test]
fn outer() {
    assert_eq!(double(4), 8);
}

#[test]
#[allow(unused_variables)]
fn nothing_expected() {
    let x = double(1);
}
`,
  },
};

describe.concurrent('cargo', () => {
  const unaltered = program === null ? null : runSuite(cargo);

  test.for(['throw', 'neutral', 'literal', 'respelled'] as const)('%s', TIMEOUT, async (variant, context) => {
    if (unaltered === null) return context.skip('there is no working cargo on this machine');
    const { outcomes, output } = await unaltered;
    const ids = Object.keys(outcomes).filter((id) => outcomes[id] === 'passed');
    expect(ids, output).toHaveLength(12);
    const altered = await expectAnswers(cargo, ids, variant);
    expect(Object.keys(altered.notAltered)).toEqual(['src/lib.rs - double (line 9)', 'src/lib.rs::tests::panics']);
    const made = Object.keys(altered.variants).filter((id) => /literal|respelled/.test(altered.variants[id] ?? ''));
    const literal = ['by_helper', 'calculated', 'one_line', 'outer', 'plain', 'returns', 'texts'];
    const names = made.map((id) => id.split('::').at(-1) ?? '');
    expect(names.toSorted()).toEqual(variant === 'literal' || variant === 'respelled' ? literal : []);
  });
});
