/** The data of each server-sent event, in order. An unfinished last event is dropped. */
export function eventData(stream: string): string[] {
  const found: string[] = [];
  let data: string | null = null;
  const lines = stream.startsWith('\uFEFF') ? stream.slice(1).split(LINE_END) : stream.split(LINE_END);
  // The text after the last line end is an incomplete line.
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      if (data !== null) found.push(data);
      data = null;
    } else if (line === 'data' || line.startsWith('data:')) {
      const value = line.slice(5).replace(/^ /, '');
      data = data === null ? value : `${data}\n${value}`;
    }
  }
  return found;
}

const LINE_END = /\r\n|\n|\r/;
