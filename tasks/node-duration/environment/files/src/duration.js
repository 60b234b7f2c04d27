/** Reads texts such as `1h30m` as a number of seconds. */
export function parseDuration(text) {
  const found = /(\d+)h(\d+)m/.exec(text);
  if (found === null) return 0;
  return Number(found[1]) * 3600 + Number(found[2]) * 60;
}
