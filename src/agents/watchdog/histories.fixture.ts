import type { ScreenState } from '../../engines/pane/screen.ts';

/** What an agent does from a minute on, until the next stretch. */
interface Stretch {
  readonly from: number;
  readonly screen: ScreenState;
  /** Its screen, git or hooks change. Default: no. */
  readonly moves?: true;
  /** A process below it uses the processor. */
  readonly child?: string;
  /** Minute until which it says that it waits. */
  readonly waits?: number;
  /** Minute at which a limit ends. */
  readonly until?: number;
  /** A person is at the terminal. */
  readonly person?: true;
  /** The process has ended, with this code. */
  readonly dead?: number;
}

/** `well`: nothing may be typed or restarted. The others say what must have happened by `by`. */
export type Label =
  | { readonly is: 'well' }
  | { readonly is: 'stalled'; readonly by: number }
  | { readonly is: 'needs a person'; readonly by: number }
  | { readonly is: 'limited'; readonly by: number }
  | { readonly is: 'dead'; readonly by: number };

export interface LabelledHistory {
  readonly name: string;
  readonly label: Label;
  readonly minutes: number;
  readonly role?: 'builder' | 'adversary';
  /** The builder's claim stands and waits for a verdict. */
  readonly claimed?: true;
  readonly stretches: readonly Stretch[];
}

const well = { is: 'well' } as const;

/** The same story at several paces: `quiet` minutes of silence, always below the limit of ten. */
const atEachPace = (name: string, make: (quiet: number) => Omit<LabelledHistory, 'name'>): LabelledHistory[] =>
  [3, 6, 9].map((quiet) => ({ name: `${name}, ${quiet} min of silence`, ...make(quiet) }));

const STALLS = (['working', 'idle', 'error', 'retrying', 'unknown'] as const).flatMap((screen): LabelledHistory[] => [
  {
    name: `stuck from the start, screen ${screen}`,
    label: { is: 'stalled', by: 15 },
    minutes: 30,
    stretches: [{ from: 0, screen }],
  },
  {
    name: `stuck after good work, screen ${screen}`,
    label: { is: 'stalled', by: 45 },
    minutes: 60,
    stretches: [
      { from: 0, screen: 'working', moves: true },
      { from: 30, screen },
    ],
  },
  {
    name: `stuck after a long build, screen ${screen}`,
    label: { is: 'stalled', by: 60 },
    minutes: 80,
    stretches: [
      { from: 0, screen: 'working', moves: true },
      { from: 5, screen: 'working', child: 'cc1plus' },
      { from: 40, screen },
    ],
  },
]);

const WELL: readonly LabelledHistory[] = [
  ...atEachPace('thinks between changes', (quiet) => ({
    label: well,
    minutes: 47,
    stretches: [0, 1, 2, 3].flatMap((round): Stretch[] => [
      { from: round * 12, screen: 'working', moves: true },
      { from: round * 12 + 12 - quiet, screen: 'working' },
    ]),
  })),
  ...(['cc1plus', 'cargo', 'node', 'pytest', 'go', 'java'] as const).flatMap((child): LabelledHistory[] => [
    {
      name: `long build by ${child}`,
      label: well,
      minutes: 90,
      stretches: [
        { from: 0, screen: 'working', moves: true },
        { from: 2, screen: 'working', child },
        { from: 80, screen: 'working', moves: true },
      ],
    },
    {
      name: `build by ${child} after silence`,
      label: well,
      minutes: 50,
      stretches: [
        { from: 0, screen: 'working', moves: true },
        { from: 2, screen: 'working' },
        { from: 9, screen: 'working', child },
        { from: 45, screen: 'working', moves: true },
      ],
    },
  ]),
  ...atEachPace('sub-agents at work', (quiet) => ({
    label: well,
    minutes: 40,
    stretches: [0, 1, 2].flatMap((round): Stretch[] => [
      { from: round * 10, screen: 'working', child: 'sub-agent' },
      { from: round * 10 + 10 - quiet, screen: 'working', moves: true },
    ]),
  })),
  ...[20, 60, 120].map((minutes): LabelledHistory => ({
    name: `waits ${minutes} min for a verdict`,
    label: well,
    minutes,
    claimed: true,
    stretches: [{ from: 0, screen: 'idle' }],
  })),
  ...[20, 60, 120].map((minutes): LabelledHistory => ({
    name: `adversary waits ${minutes} min for a claim`,
    label: well,
    minutes,
    role: 'adversary',
    stretches: [{ from: 0, screen: 'idle' }],
  })),
  ...[15, 45, 90].map((waits): LabelledHistory => ({
    name: `says that it waits ${waits} min`,
    label: well,
    minutes: waits + 9,
    stretches: [
      { from: 0, screen: 'idle', waits },
      { from: waits, screen: 'working', moves: true },
    ],
  })),
  ...[15, 40].map((minutes): LabelledHistory => ({
    name: `a person looks at it for ${minutes} min`,
    label: well,
    minutes,
    stretches: [{ from: 0, screen: 'idle', person: true }],
  })),
  ...(['retrying', 'error'] as const).map((screen): LabelledHistory => ({
    name: `endpoint dead for 8 min, screen ${screen}`,
    label: well,
    minutes: 30,
    stretches: [
      { from: 0, screen: 'working', moves: true },
      { from: 5, screen },
      { from: 13, screen: 'working', moves: true },
    ],
  })),
];

const PEOPLE = (['login', 'permission', 'trust'] as const).flatMap((screen): LabelledHistory[] => [
  {
    name: `${screen} at the start`,
    label: { is: 'needs a person', by: 1 },
    minutes: 40,
    stretches: [{ from: 0, screen }],
  },
  {
    name: `${screen} in the middle`,
    label: { is: 'needs a person', by: 21 },
    minutes: 60,
    stretches: [
      { from: 0, screen: 'working', moves: true },
      { from: 20, screen },
    ],
  },
  {
    name: `${screen}, answered after an hour`,
    label: { is: 'needs a person', by: 21 },
    minutes: 90,
    stretches: [
      { from: 0, screen: 'working', moves: true },
      { from: 20, screen },
      { from: 80, screen: 'working', moves: true },
    ],
  },
]);

const LIMITS = [10, 60, 200].flatMap((until): LabelledHistory[] => [
  {
    name: `usage limit for ${until} min`,
    label: { is: 'limited', by: until + 1 },
    minutes: until + 5,
    stretches: [{ from: 0, screen: 'limit', until }],
  },
  {
    name: `usage limit that ends by itself before ${until} min`,
    label: well,
    minutes: until + 5,
    stretches: [
      { from: 0, screen: 'limit', until },
      { from: until - 1, screen: 'working', moves: true },
    ],
  },
]);

const DEATHS = [1, 42, 137, 139, 143].flatMap((dead): LabelledHistory[] => [
  {
    name: `dies with ${dead} while it works`,
    label: { is: 'dead', by: 11 },
    minutes: 12,
    stretches: [
      { from: 0, screen: 'working', moves: true },
      { from: 10, screen: 'working', dead },
    ],
  },
  {
    // The last frame stays on the screen.
    name: `dies with ${dead} and still looks busy`,
    label: { is: 'dead', by: 1 },
    minutes: 5,
    stretches: [{ from: 0, screen: 'working', dead }],
  },
]);

export const HISTORIES: readonly LabelledHistory[] = [...STALLS, ...WELL, ...PEOPLE, ...LIMITS, ...DEATHS];
