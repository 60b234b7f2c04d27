/** Classic BPF, as seccomp takes it: forward jumps only, one accumulator. `linux/filter.h` has the numbers. */
const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

/** The name of a place in the program; a jump to `null` falls through to the next instruction. */
type Label = string | null;

export type Instruction =
  /** Loads the 32 bits at this offset of `struct seccomp_data`. */
  | { readonly kind: 'load'; readonly offset: number }
  | {
      readonly kind: 'jump';
      readonly when: 'equal' | 'at least' | 'any bit of';
      readonly value: number;
      readonly to: Label;
      readonly otherwise: Label;
    }
  | { readonly kind: 'return'; readonly action: number }
  /** Takes no space. */
  | { readonly kind: 'label'; readonly name: string };

export const load = (offset: number): Instruction => ({ kind: 'load', offset });
export const returns = (action: number): Instruction => ({ kind: 'return', action });
export const label = (name: string): Instruction => ({ kind: 'label', name });
export const jumpIf = (
  when: 'equal' | 'at least' | 'any bit of',
  value: number,
  to: Label,
  otherwise: Label = null,
): Instruction => ({ kind: 'jump', when, value, to, otherwise });

const JUMPS = { equal: JUMP_EQUAL, 'at least': JUMP_GREATER_EQUAL, 'any bit of': JUMP_ANY_BIT };
const INSTRUCTION_BYTES = 8;
const MAX_JUMP = 255;

/** The program as an array of `struct sock_filter`, in the byte order of x86-64 and arm64. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const places = new Map<string, number>();
  const coded = program.filter((instruction) => instruction.kind !== 'label');
  let at = 0;
  for (const instruction of program) {
    if (instruction.kind === 'label') places.set(instruction.name, at);
    else at += 1;
  }
  const distance = (from: number, to: Label): number => {
    const jump = to === null ? 0 : (places.get(to) ?? Number.NaN) - from - 1;
    if (!(jump >= 0 && jump <= MAX_JUMP)) throw new Error(`seccomp filter: no way from ${from} to ${to}`);
    return jump;
  };
  const bytes = Buffer.alloc(coded.length * INSTRUCTION_BYTES);
  for (const [index, instruction] of coded.entries()) {
    const [code, yes, no, value] = encode(instruction, (to) => distance(index, to));
    bytes.writeUInt16LE(code, index * INSTRUCTION_BYTES);
    bytes.writeUInt8(yes, index * INSTRUCTION_BYTES + 2);
    bytes.writeUInt8(no, index * INSTRUCTION_BYTES + 3);
    bytes.writeUInt32LE(value, index * INSTRUCTION_BYTES + 4);
  }
  return bytes;
}

function encode(
  instruction: Exclude<Instruction, { kind: 'label' }>,
  distance: (to: Label) => number,
): readonly [code: number, yes: number, no: number, value: number] {
  switch (instruction.kind) {
    case 'load':
      return [LOAD_WORD, 0, 0, instruction.offset];
    case 'return':
      return [RETURN, 0, 0, instruction.action];
    case 'jump':
      return [JUMPS[instruction.when], distance(instruction.to), distance(instruction.otherwise), instruction.value];
    default:
      return instruction satisfies never;
  }
}
