import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultRun, inDataDir } from './in-data-dir.ts';

let keptLogs: string;
beforeEach(async () => {
  keptLogs = await mkdtemp(join(tmpdir(), 'florin-kept-logs-'));
});
afterEach(() => rm(keptLogs, { recursive: true }));

/** A run whose process logs one line, and that ends with these problems or this error. */
const runTo = (problems: string[], error?: Error) => {
  const lines: string[] = [];
  let dataDir = '';
  const work = async (run: FaultRun) => {
    ({ dataDir } = run);
    run.report('kill 1 of 1: card');
    writeFileSync(join(run.dataDir, 'logs/card.log'), 'started\n');
    if (error !== undefined) throw error;
    return { problems };
  };
  const result = inDataDir({ name: 'cards', report: (line) => lines.push(line), keptLogs }, work);
  return { result, lines, dataDir: () => dataDir };
};

const keptIn = (line = ''): string => line.replace('the logs of this run are in ', '');

describe('the data directory of a fault run', () => {
  it('is removed with its logs when nothing is wrong', async () => {
    const { result, lines, dataDir } = runTo([]);
    expect(await result).toEqual({ problems: [] });
    expect(lines).toEqual(['kill 1 of 1: card']);
    expect(existsSync(dataDir())).toBe(false);
    expect(readdirSync(keptLogs)).toEqual([]);
  });

  it('leaves its logs when problems were found, and the last one says where', async () => {
    const { result, lines, dataDir } = runTo(['a payment is missing']);
    const { problems } = await result;
    expect(problems[0]).toBe('a payment is missing');
    expect(problems).toHaveLength(2);
    expect(lines.at(-1)).toBe(problems[1]);
    const kept = keptIn(problems[1]);
    expect(readFileSync(join(kept, 'card.log'), 'utf8')).toBe('started\n');
    expect(readFileSync(join(kept, 'run.log'), 'utf8')).toMatch(/^\S+Z kill 1 of 1: card\n\S+Z a payment is missing\n$/);
    expect(existsSync(dataDir())).toBe(false);
  });

  it('leaves its logs when the run was cut short, and the error says where', async () => {
    const { result, dataDir } = runTo([], new Error('nothing was paid'));
    const error = await result.catch((thrown: unknown) => thrown as Error);
    const [first, second] = (error as Error).message.split('\n');
    expect(first).toBe('nothing was paid');
    expect(readFileSync(join(keptIn(second), 'run.log'), 'utf8')).toContain('Error: nothing was paid');
    expect(existsSync(dataDir())).toBe(false);
  });
});
