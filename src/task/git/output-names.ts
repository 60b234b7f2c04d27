/** What git prints with `-z`. */
export function namesInOutput(output: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = 0, end = output.indexOf(0); end !== -1; start = end + 1, end = output.indexOf(0, start)) {
    found.push(output.subarray(start, end));
  }
  return found;
}
