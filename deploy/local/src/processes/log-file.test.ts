import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { openLogFile } from './log-file.ts';

describe('a log file', () => {
  it('returns the last lines of this run only', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'card.log'), 'earlier run\n');
    const log = openLogFile(directory, 'card');
    expect(log.tail(5)).toEqual([]);
    appendFileSync(log.path, 'one\n\ntwo\nthree\n');
    expect(log.tail(2)).toEqual(['two', 'three']);
    log.close();
  });

  it('is rotated when it exceeds its maximum size', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'card.log');
    writeFileSync(path, 'a'.repeat(11));
    openLogFile(directory, 'card', 10).close();
    expect(readFileSync(path, 'utf8')).toBe('');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('a'.repeat(11));
    openLogFile(directory, 'card', 10).close();
    expect(existsSync(`${path}.1`)).toBe(true);
  });
});
