/** `fail`: the run went ahead and proved nothing. `blocked`: no verdict was possible. `lost`: evidence could not be kept. */
export type ReasonStatus = 'fail' | 'blocked' | 'lost';

/**
 * Outranks the symptoms it leads to, whichever step they appear in. `interruption`: the run never came to its end. `provider`: the model or a limit, before anything that the engine
 * made of it. `protocol`: the engine broke its own protocol. `regression`: names the tests that the change broke.
 */
export type ReasonCause = 'interruption' | 'provider' | 'protocol' | 'regression';

/** One row of a catalogue. */
export interface ReasonEntry {
  /** As reports show it; `{name}` stands for a parameter. */
  readonly text: string;
  readonly status: ReasonStatus;
  readonly cause?: ReasonCause;
  /** A file below `backend/` with the details. */
  readonly marker?: string;
  /** Whose last lines explain it, where no failing test does. */
  readonly output?: 'tests' | 'setup';
  /** Whether `run --retry` makes another attempt. Absent: after a fail, but not after a blocked run. */
  readonly retry?: 'again' | 'never';
  readonly meaning: string;
  readonly next: string;
}

export type ReasonCatalogue = Readonly<Record<string, ReasonEntry>>;

/** Why a run did not pass. Code branches on `code`; people read `text`. */
export interface Reason<S extends ReasonStatus = ReasonStatus> {
  readonly code: string;
  readonly text: string;
  readonly status: S;
  readonly cause?: ReasonCause;
  readonly marker?: string;
}

type ParameterNames<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type Parameters<T extends string> = Readonly<Record<ParameterNames<T>, string | number | null>>;

/** The parameters that a template needs, as the remaining arguments of a function. */
export type ParametersOf<T extends string> = [ParameterNames<T>] extends [never] ? [] : [Parameters<T>];

/** Returns the function that makes the reasons of one catalogue; the compiler checks codes and parameters. */
export function reasonsOf<const C extends ReasonCatalogue>(catalogue: C) {
  return <K extends keyof C & string>(code: K, ...[parameters]: ParametersOf<C[K]['text']>): Reason<C[K]['status']> => {
    const entry: C[K] = catalogue[code];
    const { text, cause, marker } = entry;
    return {
      code,
      text: fillTemplate(text, parameters ?? {}),
      status: entry.status,
      ...(cause === undefined ? {} : { cause }),
      ...(marker === undefined ? {} : { marker }),
    };
  };
}

/** A parameter of a template. */
export const PARAMETER = /\{(\w+)\}/g;

function fillTemplate(text: string, parameters: Readonly<Record<string, string | number | null>>): string {
  return text.replace(PARAMETER, (_whole, name: string) => String(parameters[name]));
}

/** The same reason with other words, for texts that are masked or redacted. */
export function mapReasonText<R extends Reason>(reason: R, change: (text: string) => string): R {
  return { ...reason, text: change(reason.text) };
}

export const reasonTexts = (reasons: readonly Reason[]): string[] => reasons.map(({ text }) => text);
