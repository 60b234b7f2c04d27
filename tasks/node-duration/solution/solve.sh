#!/bin/sh
# What a good answer looks like; the fake engine does this.
set -e
cat > src/duration.js <<'JAVASCRIPT'
const PARTS = /^(?:(\d+)d)?\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+)s)?$/;
const SECONDS = [86_400, 3600, 60, 1];

/** Reads texts such as `1d 2h 30m 5s` as a number of seconds; every part may be left out, but not all. */
export function parseDuration(text) {
  const parts = PARTS.exec(text.trim())?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) {
    throw new RangeError(`not a duration: ${JSON.stringify(text)}`);
  }
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * SECONDS[index], 0);
}
JAVASCRIPT
