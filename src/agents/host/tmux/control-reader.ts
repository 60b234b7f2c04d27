/** What a control client printed about one request. */
export interface ControlAnswer {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

/**
 * Splits the output of `tmux -C` into answers. Each command of a request gives a block between `%begin <time> <number> <flags>` and a line
 * `%end` or `%error` with the same numbers; a request ends with the block that holds its mark alone. What a pane shows is part of blocks, so a pane can
 * try to forge their ends: that leaves lines outside of blocks which tmux never prints, and throws. The block of the client's own `attach-session` has
 * flags of 0; under load it comes after the first answers, and is no part of any.
 */
export class ControlReader {
  #rest = '';
  #block: { readonly id: string; readonly lines: string[] } | null = null;
  #lines: string[] = [];
  #ok = true;
  #attached = false;

  /** The answer that ends with `mark`, if it is complete now. Throws on output that tmux would not print. */
  read(text: string, mark: string): ControlAnswer | null {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    let answer: ControlAnswer | null = null;
    for (const line of lines) {
      if (answer !== null && this.#block === null && !isNotification(line) && !this.#isAttachBlock(line))
        throw new Error('output after an answer');
      if (this.#take(line, mark)) {
        answer = { ok: this.#ok, lines: this.#lines };
        this.#lines = [];
        this.#ok = true;
      }
    }
    return answer;
  }

  /** True: the request is answered. */
  #take(line: string, mark: string): boolean {
    const guard = /^%(begin|end|error) (\d+ \d+ \d+)$/.exec(line);
    if (this.#block === null) {
      if (guard?.[1] === 'begin') this.#block = { id: guard[2] ?? '', lines: [] };
      else if (!isNotification(line)) throw new Error(`unexpected output: ${JSON.stringify(line.slice(0, 80))}`);
      return false;
    }
    if (guard === null || guard[1] === 'begin' || guard[2] !== this.#block.id) {
      this.#block.lines.push(line);
      return false;
    }
    const { id, lines } = this.#block;
    this.#block = null;
    if (this.#isAttachBlock(id)) {
      this.#attached = true;
      return false;
    }
    if (lines.length === 1 && lines[0] === mark) return true;
    this.#ok &&= guard[1] === 'end';
    this.#lines.push(...lines);
    return false;
  }

  /** `guard`: a line that begins a block, or its numbers. */
  #isAttachBlock(guard: string): boolean {
    return !this.#attached && guard.endsWith(' 0');
  }
}

/** `%session-changed`, `%exit` and so on. The first one follows a device control string. */
const isNotification = (line: string): boolean => /^(\u001bP1000p)?%(?!begin |end |error )/.test(line);
