/**
 * A program of two system calls, for the probe: neither a shell nor Node can make them. It asks for the session keyring and for a
 * VM socket; bit 0 of its exit code is set if it got the first, bit 1 if it got the second.
 */
const X86_64_CODE = [
  '31db', //             xor ebx, ebx
  'b8fa000000', //       mov eax, 250    keyctl(
  '31ff', //             xor edi, edi      KEYCTL_GET_KEYRING_ID,
  'befdffffff', //       mov esi, -3       KEY_SPEC_SESSION_KEYRING,
  '31d2', //             xor edx, edx      0)
  '0f05', //             syscall
  '4885c0', //           test rax, rax
  '7803', //             js 1f
  '80cb01', //           or bl, 1
  'b829000000', //    1: mov eax, 41     socket(
  'bf28000000', //       mov edi, 40       AF_VSOCK,
  'be01000000', //       mov esi, 1        SOCK_STREAM,
  '31d2', //             xor edx, edx      0)
  '0f05', //             syscall
  '4885c0', //           test rax, rax
  '7803', //             js 2f
  '80cb02', //           or bl, 2
  'b83c000000', //    2: mov eax, 60     exit(
  '89df', //             mov edi, ebx)
  '0f05', //             syscall
];

const ARM64_CODE = [
  '130080d2', //    mov x19, 0
  '681b80d2', //    mov x8, 219     keyctl(
  '000080d2', //    mov x0, 0         KEYCTL_GET_KEYRING_ID,
  '41008092', //    mov x1, -3        KEY_SPEC_SESSION_KEYRING,
  '020080d2', //    mov x2, 0         0)
  '010000d4', //    svc 0
  '4000f8b7', //    tbnz x0, 63, 1f
  '730240b2', //    orr x19, x19, 1
  'c81880d2', // 1: mov x8, 198     socket(
  '000580d2', //    mov x0, 40        AF_VSOCK,
  '210080d2', //    mov x1, 1         SOCK_STREAM,
  '020080d2', //    mov x2, 0         0)
  '010000d4', //    svc 0
  '4000f8b7', //    tbnz x0, 63, 2f
  '73027fb2', //    orr x19, x19, 2
  'a80b80d2', // 2: mov x8, 93      exit(
  'e00313aa', //    mov x0, x19)
  '010000d4', //    svc 0
];

const PROGRAMS: Readonly<Record<string, { readonly machine: number; readonly code: readonly string[] }>> = {
  x64: { machine: 62, code: X86_64_CODE },
  arm64: { machine: 183, code: ARM64_CODE },
};

const HEADERS_BYTES = 64 + 56;
const ADDRESS = 0x400000;

/** A whole ELF file: its header, one segment that loads everything, the code. Null: unknown for this machine. */
export function attemptsProgram(architecture: string): Uint8Array | null {
  const program = PROGRAMS[architecture];
  if (program === undefined) return null;
  const code = Buffer.from(program.code.join(''), 'hex');
  const size = BigInt(HEADERS_BYTES + code.length);
  const header = Buffer.alloc(HEADERS_BYTES);
  header.write('7f454c46020101', 'hex'); // 64 bits, little endian, version 1
  header.writeUInt16LE(2, 16); // an executable
  header.writeUInt16LE(program.machine, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(ADDRESS + HEADERS_BYTES), 24); // entry
  header.writeBigUInt64LE(64n, 32); // the program header follows
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(1, 64); // load
  header.writeUInt32LE(5, 68); // read, execute
  header.writeBigUInt64LE(BigInt(ADDRESS), 80);
  header.writeBigUInt64LE(BigInt(ADDRESS), 88);
  header.writeBigUInt64LE(size, 96);
  header.writeBigUInt64LE(size, 104);
  header.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([header, code]);
}
