/** The data of every event of a stream of server-sent events, in order. An event that was never finished is none. */
export function eventData(stream: string): string[] {
  const found: string[] = [];
  let data: string | null = null;
  const lines = stream.startsWith('\uFEFF') ? stream.slice(1).split(LINE_END) : stream.split(LINE_END);
  // What stands behind the last line end is no line.
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
