/** What tests say about functions that note how they were called. */
export const SPY_MATCHERS = {
  toHaveBeenCalled: 'callsOf(got).length > 0',
  toBeCalled: 'callsOf(got).length > 0',
  toHaveBeenCalledOnce: 'callsOf(got).length === 1',
  toHaveBeenCalledTimes: 'callsOf(got).length === one',
  toBeCalledTimes: 'callsOf(got).length === one',
  toHaveBeenCalledWith: 'callsOf(got).some((call) => same(known(call), known(all)))',
  toBeCalledWith: 'callsOf(got).some((call) => same(known(call), known(all)))',
  toHaveBeenLastCalledWith: 'same(known(callsOf(got).at(-1)), known(all))',
  toHaveBeenNthCalledWith: 'same(known(callsOf(got)[one - 1]), known(all.slice(1)))',
} as const;

/** Functions that note how they were called, as vitest, jest and Node.js make them. Fake clocks and modules are not among it. */
export const SPIES = String.raw`
const noted = new WeakMap();
const callsOf = (spy) => noted.get(spy) ?? unknown();
const spyOf = (own, restore = () => {}) => {
  const calls = [];
  const details = [];
  let usual = own;
  const once = [];
  const spy = function (...given) {
    calls.push(given);
    const detail = { arguments: given, this: this, result: undefined, error: undefined };
    details.push(detail);
    const does = once.shift() ?? usual;
    try {
      return (detail.result = does?.apply(this, given));
    } catch (error) {
      detail.error = error;
      throw error;
    }
  };
  noted.set(spy, calls);
  const clear = () => void (calls.splice(0), details.splice(0));
  const does = (make) => (value) => ((usual = make(value)), spy);
  const next = (make) => (value) => (once.push(make(value)), spy);
  const [returns, resolves, rejects] = [(value) => () => value, (value) => async () => value, (value) => async () => { throw value; }];
  const ofNode = { calls: details, callCount: () => calls.length, resetCalls: clear, restore, mockImplementation: (value) => void (usual = value) };
  const ofOthers = { calls, get lastCall() { return calls.at(-1); } };
  Object.assign(spy, {
    mock: known_(given.runner === 'node-test' ? ofNode : ofOthers),
    mockImplementation: does((value) => value), mockImplementationOnce: next((value) => value),
    mockReturnValue: does(returns), mockReturnValueOnce: next(returns),
    mockResolvedValue: does(resolves), mockResolvedValueOnce: next(resolves),
    mockRejectedValue: does(rejects), mockRejectedValueOnce: next(rejects),
    mockClear: () => (clear(), spy), mockReset: unknown, mockRestore: () => (restore(), spy),
    mockName: () => spy, getMockName: unknown, mockReturnThis: unknown, withImplementation: unknown,
  });
  return spy;
};
const replaced = [];
const spyOn = (owner, name, ...more) => {
  const own = owner?.[name];
  if (more.length > (typeof more[0] === 'function' ? 1 : 0) || typeof own !== 'function') unknown();
  if (noted.has(own)) return own;
  const had = Object.getOwnPropertyDescriptor(owner, name);
  const restore = () => (had === undefined ? delete owner[name] : Object.defineProperty(owner, name, had));
  const spy = spyOf(more[0] ?? own, restore);
  Object.defineProperty(owner, name, { value: spy, configurable: true, writable: true, enumerable: had?.enumerable ?? true });
  replaced.push(restore);
  return spy;
};
const restoreAll = () => {
  for (const restore of replaced.splice(0).reverse()) restore();
};
const spies = known_({
  fn: (own) => spyOf(own),
  spyOn,
  method: spyOn,
  restoreAllMocks: restoreAll,
  restoreAll,
});
`;
