#!/bin/sh
# Prints the N most frequent words of standard input, one a line: count, space, word.
n=${1:-3}
tr -s ' ' '\n' | sort | uniq -c | sort -rn | head -n "$n" | sed 's/^ *//'
