import { areHarmlessOptions } from '../runners/shared/node/match.ts';

/** Variables that decide which programs or libraries run, or what is loaded before a runner. */
const DECIDES =
  /^(?:PATH|HOME|TMPDIR|ENV|BASH_ENV|IFS|SHELLOPTS|LD_.*|DYLD_.*|NODE_(?!ENV$|OPTIONS$).*|PYTHON(?:HOME|STARTUP|BREAKPOINT|INSPECT|EXECUTABLE)|GOROOT|GOTOOLCHAIN|GOENV|RUSTC.*|CARGO_(?:BUILD_RUSTC|TARGET).*)$/i;

/** Whether a runner may be started with them by its driver. If not, the command is the shell's. */
export function isHarmlessEnvironment(env: readonly (readonly [string, string])[]): boolean {
  return env.every(([name, value]) =>
    name === 'NODE_OPTIONS'
      ? areHarmlessOptions(value.split(/\s+/).filter((word) => word !== ''))
      : !DECIDES.test(name),
  );
}
