import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REASONS } from '../../evidence/reasons/catalogue.ts';
import { wire } from '../../evidence/schema/exchange.ts';
import type { Contract } from '../../task/contract.ts';
import type { Engine, EngineDefinition, LaunchContext } from '../definition.ts';
import { ENGINES } from '../list.ts';

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.constantFrom('', '{', '{"event":7}', '__proto__', 'constructor', '\0', '<<<AGENT_RESULT\n{\nAGENT_RESULT>>>'),
);

const contract = (text: string): Contract => ({
  schema_version: 1,
  task: text,
  instruction: text,
  test_command: text,
  setup_command: null,
  allowed_files: [text],
  protected_files: [],
  required_events: [],
  expected_tests: null,
  must_commit: text.length % 2 === 0,
  mutation: 'copied artificial case only',
  risk_class: 'low',
  isolation: 'in_process',
  agent_timeout_sec: 1,
  verifier_timeout_sec: 1,
  review: null,
  approvals: [],
  has_oracle: false,
  repository: null,
  base: { sha256: '0'.repeat(64), bytes: 0 },
  sealed_tests: null,
});

const context: fc.Arbitrary<LaunchContext> = fc.record({
  contract: hostileText.map(contract),
  at: fc.constant((path: string) => path),
  attempt: hostileText,
  startedAt: hostileText,
  program: fc.option(hostileText),
  asks: fc.boolean(),
  model: fc.option(
    fc.record({
      origin: hostileText,
      key: hostileText,
      standIn: fc.option(
        fc.record({
          token: hostileText,
          accountId: hostileText,
          expiresAt: fc.integer(),
          issuedAt: fc.integer({ min: 0, max: 4e12 }),
        }),
      ),
      wire: fc.constantFrom(...wire.options),
      provider: fc.oneof(hostileText, fc.constantFrom('openai', 'anthropic')),
      name: hostileText,
      helpers: fc.array(hostileText, { maxLength: 2 }),
      maxOutputTokens: fc.constantFrom(null, 1),
    }),
  ),
});

const logs = fc.record({
  stdout: hostileText,
  stderr: hostileText,
  ownLog: hostileText,
  calls: fc.constant([]),
  claims: hostileText.map((text) => new Set([text])),
  refusedModels: fc.constant([]),
  denials: fc.array(hostileText, { maxLength: 1 }),
  exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
});

/** Without options, or with a value for each where it needs them. */
function configured({ options, configure }: EngineDefinition['headless']): Engine {
  try {
    return configure({});
  } catch {
    return configure(Object.fromEntries(options.map(({ name }) => [name, 'true'])));
  }
}

describe.each(ENGINES)('the engine $name', ({ headless, reasons }) => {
  const engine = configured(headless);

  test('launch never throws: it starts something or refuses in one sentence', () => {
    fc.assert(
      fc.property(context, (given) => {
        const launch = engine.launch(given);
        expect('refused' in launch ? launch.refused : launch.argv[0]).toBeDefined();
      }),
    );
  });

  test('no output makes it throw', () => {
    fc.assert(
      fc.property(context, hostileText, (given, text) => {
        expect(Array.isArray(engine.read(text))).toBe(true);
        expect(engine.claimIn(text)).not.toBe('');
        expect(engine.ownLog(given)?.read(text).done).not.toBe('');
      }),
    );
  });

  test('diagnose never throws, and gives only reasons that a catalogue has', () => {
    fc.assert(
      fc.property(logs, (raw) => {
        for (const { reason } of engine.diagnose(raw))
          expect(Object.keys({ ...REASONS, ...reasons })).toContain(reason.code);
      }),
    );
  });
});
