#!/bin/sh
# What a good answer looks like; the fake engine does this.
set -e
cat > top-words.sh <<'SHELL'
#!/bin/sh
# Prints the N most frequent words of standard input, one a line: count, space, word.
n=${1:-3}
case $n in
  '' | *[!0-9]* | 0) echo "top-words: not a positive number: $n" >&2; exit 2 ;;
esac
tr '[:upper:]' '[:lower:]' | tr -s '[:space:]' '\n' |
  sed 's/^[[:punct:]]*//; s/[[:punct:]]*$//' | grep . |
  LC_ALL=C sort | uniq -c | LC_ALL=C sort -k1,1nr -k2,2 | head -n "$n" | sed 's/^ *//'
SHELL
