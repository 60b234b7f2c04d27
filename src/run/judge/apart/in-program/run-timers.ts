/**
 * Records the timers that modules start while they load, and runs them all at once, as in a program that has been running for a long time.
 * Also collects garbage. Timers that tests start are not affected.
 */
export const RUN_TIMERS = String.raw`
const growOld = () => {
  const started = [];
  const own = { setTimeout, setInterval };
  const noting = (name) => (run, ...more) => {
    const timer = own[name](run, ...more);
    if (typeof run === 'function') started.push({ timer, run, given: more.slice(1) });
    return timer;
  };
  for (const holder of [globalThis, timers]) for (const name of Object.keys(own)) holder[name] = noting(name);
  return async () => {
    for (const holder of [globalThis, timers]) Object.assign(holder, own);
    for (const { timer, run, given } of started) if (timer._destroyed !== true) run.apply(timer, given);
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    await new Promise((done) => setImmediate(done));
  };
};
`;
