import { createReadStream } from 'node:fs';

/** A longer line is in no file of this service. */
const MAX_LINE = 4 * 1024 * 1024;

/** Reads the lines of a file, each ended by a line feed, as they come. @throws Error when the file cannot be read, or ends within a line */
export const linesOf = async function* (path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new Error('a line is too long');
    yield* lines;
  }
  if (rest !== '') throw new Error('the file ends within a line');
};
