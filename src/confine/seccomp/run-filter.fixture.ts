/** What the kernel does with a filter, for one call: the action that it returns. */
export function runFilter(filter: Uint8Array, call: { nr: number; arch: number; args?: readonly number[] }): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.nr, true);
  data.setUint32(4, call.arch, true);
  for (const [index, value] of (call.args ?? []).entries()) data.setBigUint64(16 + index * 8, BigInt(value), true);
  const program = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  let accumulator = 0;
  for (let at = 0; at < filter.byteLength / 8; at += 1) {
    const code = program.getUint16(at * 8, true);
    const value = program.getUint32(at * 8 + 4, true);
    const jump = (holds: boolean): number => program.getUint8(at * 8 + (holds ? 2 : 3));
    if (code === 0x20) accumulator = data.getUint32(value, true);
    else if (code === 0x06) return value;
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
    else if (code === 0x45) at += jump((accumulator & value) !== 0);
    else throw new Error(`instruction ${at} has the unknown code ${code}`);
  }
  throw new Error('the filter ends without an answer');
}
