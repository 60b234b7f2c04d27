const ALWAYS = /^(?:pytest|tool:pytest|coverage(?::.*)?|nosetests|unittest|aliases|options\.entry_points)$/;
/** Sections that decide only if tests are started by the tool that reads them. */
const BY_OTHER_RUNNERS = /^(?:tox|testenv(?::.*)?|base)$/;
const DIRECT_RUNNERS = new Set(['pytest', 'unittest', 'doctest']);

/** Of an INI file such as `tox.ini` or `setup.cfg`: the sections that can change what a test run reports. */
export function decidingSections(text: string, runner: string): string {
  const decides = (section: string): boolean =>
    ALWAYS.test(section) || (BY_OTHER_RUNNERS.test(section) && !DIRECT_RUNNERS.has(runner));
  const lines: string[] = [];
  let deciding = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\[([^\]]*)\]/.exec(line)?.[1]?.trim();
    if (section !== undefined) deciding = decides(section);
    if (deciding && !/^\s*(?:[#;].*)?$/.test(line)) lines.push(line.trimEnd());
  }
  return lines.join('\n');
}
