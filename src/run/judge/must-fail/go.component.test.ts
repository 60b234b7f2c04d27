import { describe, expect, test } from 'vitest';
import { workingProgram } from '../working-program.fixture.ts';
import { expectAnswers, runSuite, type Suite } from './altered-runs.fixture.ts';

const go = workingProgram('go', 'version');
const TIMEOUT = { timeout: 120_000 };

const SHAPES = `package slug

import (
	"reflect"
	"strings"
	"testing"

	"example.com/m/check"
)

func TestPlain(t *testing.T) {
	if got := Slug("Größe 😀 b"); got != "größe-😀-b" {
		t.Errorf("got %q", got)
	}
}

func TestOneLine(t *testing.T) { check.Equal(t, Slug("A"), "a") }

func TestNumbers(t *testing.T) {
	var small uint8 = 255
	if small != 255 || len(Slug("a b")) != 3 {
		t.Fatal("no")
	}
	if Empty("x") != false {
		t.Error("no")
	}
}

func TestDeep(t *testing.T) {
	if !reflect.DeepEqual(strings.Split(Slug("a b"), "-"), []string{"a", "b"}) {
		t.Fail()
	}
}

func TestReturnsEarly(t *testing.T) {
	if Slug("a") == "a" {
		return
	}
	if Slug("a") != "b" {
		t.Error("no")
	}
}

func TestNested(t *testing.T) {
	if os := "linux"; os != "js" {
		if Slug("a") == "" {
			t.Error("no")
		}
	}
	if Slug("a") != "a" { // why
		t.Error("no")
	}
}

func TestPanics(t *testing.T) {
	defer func() { recover() }()
	panic("expected")
}

func TestTable(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{{"one word", "A", "a"}, {"two/words", "A B", "a-b"}} {
		tt := tt
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Slug(tt.in); got != tt.want {
				t.Errorf("got %q", got)
			}
		})
	}
	t.Run("a group", func(tt *testing.T) {
		tt.Run("inner", func(t *testing.T) { check.Equal(t, 3, len(Slug("a b"))) })
	})
}

func TestUnnamed(*testing.T) {}
`;

const suite: Suite = {
  runner: 'go',
  command: 'go test ./...',
  tree: {
    'go.mod': 'module example.com/m\n\ngo 1.19\n',
    'check/check.go': `package check

import "testing"

func Equal(t *testing.T, a, b interface{}) {
	t.Helper()
	if a != b {
		t.Errorf("%v is not %v", a, b)
	}
}
`,
    'slug/slug.go': `package slug

import "strings"

func Slug(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), "-") }

func Empty(text string) bool { return text == "" }
`,
    'slug/slug_test.go': SHAPES,
  },
};

describe.concurrent('go', () => {
  const unaltered = go === null ? null : runSuite(suite);

  test.for(['throw', 'neutral', 'literal', 'respelled'] as const)('%s', TIMEOUT, async (variant, context) => {
    if (unaltered === null) return context.skip('there is no go on this machine');
    const { outcomes, output } = await unaltered;
    const passed = Object.keys(outcomes).filter((id) => outcomes[id] === 'passed');
    expect(passed, output).toHaveLength(13);
    // A parent fails with its subtests: which of the two is altered is for the caller to say.
    const ids = passed.filter((id) => !/::TestTable(?:\/a_group)?$/.test(id));
    const altered = await expectAnswers(suite, ids, variant);
    const names = (list: object): readonly string[] => Object.keys(list).map((id) => id.split('::')[1] ?? '');
    expect(names(altered.notAltered).toSorted()).toEqual(['TestTable/two/words', 'TestUnnamed']);
    const made = Object.entries(altered.variants).filter(([, one]) => /literal|respelled/.test(one));
    const literal = ['TestDeep', 'TestNested', 'TestNumbers', 'TestOneLine', 'TestPlain', 'TestTable/a_group/inner'];
    const expected = variant === 'literal' || variant === 'respelled' ? literal : [];
    expect(names(Object.fromEntries(made)).toSorted()).toEqual(expected);
  });

  test.for(['throw', 'neutral'] as const)('a parent: %s', TIMEOUT, async (variant, context) => {
    if (go === null) return context.skip('there is no go on this machine');
    const altered = await expectAnswers(suite, ['example.com/m/slug::TestTable'], variant);
    expect(altered.notAltered).toEqual({});
  });
});
