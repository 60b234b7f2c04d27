/** As words of their own, or as parts of names: `parseDate`, `time_zone`; not in `update`, `sometimes` or `timeout`. */
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

/** Whether the text of a test has to do with when or where people live: then its result may depend on that. */
export const speaksOfPlaces = (text: string): boolean => PLACES.some((pattern) => pattern.test(text));

/** The same for networks. */
export const speaksOfNetworks = (text: string): boolean => NETWORKS.some((pattern) => pattern.test(text));
