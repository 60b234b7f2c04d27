#!/bin/sh
# Each call of the program goes through `subject`, which runs it apart from this script.

check() {
  if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected [$3], got [$2]"; fi
}

two_lines() { printf '%s\n%s' "$1" "$2"; }

check counts-words "$(printf 'tea tea milk' | subject ./top-words.sh 2)" "$(two_lines '2 tea' '1 milk')"
check ignores-case "$(printf 'The the THE a' | subject ./top-words.sh 1)" '3 the'
check ignores-punctuation "$(printf '"Tea," she said: (tea)!' | subject ./top-words.sh 1)" '2 tea'
check equal-counts-by-alphabet "$(printf 'pear apple fig' | subject ./top-words.sh 2)" "$(two_lines '1 apple' '1 fig')"
check three-by-default "$(printf 'a b c d' | subject ./top-words.sh | wc -l | tr -d ' ')" 3
check empty-input "$(printf '' | subject ./top-words.sh)" ''

subject ./top-words.sh none </dev/null >/dev/null 2>&1
check refuses-a-bad-number "$?" 2
