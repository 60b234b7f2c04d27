import { lineCount } from '../diff/bounds.ts';
import type { DiffLine, FileDiff, Hunk } from '../diff/parse.ts';
import { type Markup, markup } from './markup.ts';
import { quotedHtml } from './inline.ts';

const LARGE_FILE = 200;
const LARGE_DIFF = 800;
const PATH_LENGTH = 400;

const SIGN = { add: '+', remove: '−', same: ' ', remark: ' ' } as const;

/** Files are expanded as long as the whole diff is short enough to scroll through. */
export function diffHtml(files: readonly FileDiff[]): Markup {
  let shown = 0;
  return markup`${files.map((file) => {
    const size = lineCount(file.hunks);
    shown += size;
    return fileHtml(file, size <= LARGE_FILE && shown <= LARGE_DIFF);
  })}`;
}

function fileHtml(file: FileDiff, open: boolean): Markup {
  const counts = file.binary
    ? markup`<span>binary</span>`
    : markup`<span class="plus">+${file.added}</span> <span class="minus">&minus;${file.removed}</span>`;
  const remarks = file.remarks.map((remark) => markup` <small>${remark}</small>`);
  const body = markup`<summary>${quotedHtml(file.path, PATH_LENGTH)} ${counts}${remarks}</summary>\n${bodyHtml(file)}`;
  return open
    ? markup`<details class="file" open>${body}</details>\n`
    : markup`<details class="file">${body}</details>\n`;
}

function bodyHtml(file: FileDiff): Markup {
  const left = file.leftOut === 0 ? '' : markup`<p class="left">${file.leftOut} more lines not shown here</p>\n`;
  if (file.hunks.length === 0 && file.leftOut === 0) return markup`<p class="left">No lines to show.</p>\n`;
  return markup`<pre class="diff">${file.hunks.map(hunkHtml)}</pre>\n${left}`;
}

function hunkHtml(hunk: Hunk): Markup {
  return markup`<span class="hunk">${hunk.header}\n</span>${hunk.lines.map(lineHtml)}`;
}

/** The sign is part of the text; the colour only repeats it. */
function lineHtml(line: DiffLine): Markup {
  return markup`<span class="${line.kind}"><i>${line.old ?? ''}</i><i>${line.new ?? ''}</i><b>${SIGN[line.kind]}</b><span>${line.text}\n</span></span>`;
}
