const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The moment that a screen names as the end of a usage limit: `2:07am (UTC)`, `Nov 16th, 2026 2:07 AM`, `Nov 20, 3pm`. A time of day alone is
 * the next one after `now`; without a zone it is this machine's. Null: there is no such time in the text.
 */
export function resetTime(text: string, now: Date): Date | null {
  const clock = /\b(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\.?/i.exec(text) ?? /\b(\d{1,2}):(\d{2})\b/.exec(text);
  if (clock === null) return null;
  const isUtc = /\bUTC\b/.test(text);
  const [, hourText = '', minuteText = '0', half] = clock;
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const minute = Number(minuteText);
  if (hour > 23 || minute > 59) return null;
  const date = /\b([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?/.exec(text);
  const month = date === null ? -1 : MONTHS.indexOf((date[1] ?? '').toLowerCase());
  const at = (year: number, monthIndex: number, day: number): Date =>
    isUtc ? new Date(Date.UTC(year, monthIndex, day, hour, minute)) : new Date(year, monthIndex, day, hour, minute);
  if (date !== null && month >= 0) {
    const year = Number(date[3] ?? now.getFullYear());
    const named = at(year, month, Number(date[2]));
    // A date without a year is the next one of that name.
    return date[3] === undefined && named.getTime() < now.getTime() - 86_400_000
      ? at(year + 1, month, Number(date[2]))
      : named;
  }
  const today = isUtc
    ? at(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
    : at(now.getFullYear(), now.getMonth(), now.getDate());
  return today.getTime() > now.getTime() ? today : new Date(today.getTime() + 86_400_000);
}
