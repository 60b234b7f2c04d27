import type { Ended } from './seatrial.ts';

/** The one sentence with which a command refused a person's mistake; anything else than that is thrown. */
export function usageError(ended: Ended): string {
  if (ended.stdout !== '') throw new Error(`printed on stdout: ${ended.stdout}`);
  return sentenceOf(ended, 64);
}

/** The one line on stderr of a command that ended with this code; a stack trace or anything more is thrown. */
export function sentenceOf({ code, stdout, stderr }: Ended, wanted: number): string {
  const sentence = /^seatrial: ([^\n]+)\n$/.exec(stderr)?.[1];
  if (code !== wanted || sentence === undefined || /internal error|undefined|\[object/.test(sentence)) {
    throw new Error(`exit ${code} instead of ${wanted}, with\n${stdout}${stderr}`);
  }
  return sentence;
}
