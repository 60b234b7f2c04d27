/** Matches the words alone or as parts of names (`parseDate`, `time_zone`), but not inside `update`, `sometimes` or `timeout`. */
function words(...list: readonly string[]): RegExp {
  const small = list.map((word) => `(?<![a-z])${word}`);
  const capital = list.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  const large = list.map((word) => `(?<![A-Z])${word.toUpperCase()}`);
  return new RegExp(`(?:${[...small, ...capital, ...large].join('|')})`);
}

const PLACES: readonly RegExp[] = [
  words(
    'date(?!d)',
    'time(?!out|d\\b|s\\b|r)',
    'clock',
    'zone',
    'utc',
    'hour',
    'day',
    'week',
    'month',
    'year',
    'epoch',
    'calendar',
    'cron',
    'locale',
    'language',
    'i18n',
    'intl',
    'translat',
    'currenc',
    'snapshot',
    'today',
    'tomorrow',
    'yesterday',
    'ago\\b',
  ),
  /\d{4}-\d\d-\d\d|\b\d?\d:\d\d\b|\b\d?\d[/.]\d?\d[/.]\d\d(?:\d\d)?\b|\bTZ\b|\bLANG\b|\bLC_|\btz\b|toLocale|\p{Sc}\s?\d/u,
];

const NETWORKS: readonly RegExp[] = [
  words(
    'http',
    'url',
    'uri',
    'fetch',
    'socket',
    'dns',
    'host',
    'connect',
    'network',
    'server',
    'port\\b',
    'request',
    'client',
    'download',
    'upload',
    'ping',
    'online',
    'offline',
    'proxy',
    'tcp',
    'udp',
    'address',
    'domain',
    'remote',
    'smtp',
    'ftp',
    'web',
  ),
  /\blocalhost\b|:\/\/|\b\d+\.\d+\.\d+\.\d+\b/,
];

/** Whether a test mentions times, languages or other regional things: its result may then depend on them. */
export const mentionsTimeOrPlace = (text: string): boolean => PLACES.some((pattern) => pattern.test(text));

/** Whether a test mentions networks. */
export const mentionsNetworks = (text: string): boolean => NETWORKS.some((pattern) => pattern.test(text));
