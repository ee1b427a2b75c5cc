import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findGo, runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { waitFor } from '@florin/rpc/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const GUIDE = join(import.meta.dirname, '../../gateway/guides/webhooks.md');

/** Compiling the sample in Go without a cache. */
const RUN_MS = 240_000;

const env = processEnvironment();
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const [OLD, SECRET] = [newSecret(), newSecret()];

let folder: string;
beforeAll(async () => {
  // Inside the checkout, so that the sample in TypeScript finds the package.
  folder = await mkdtemp(join(import.meta.dirname, '.sample-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const writeSample = async (language: string, name: string): Promise<string> => {
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(await readFile(GUIDE, 'utf8')) ?? [];
  if (text === undefined) throw new Error(`the guide has no sample in ${language}`);
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
};

/** How each sample is started. Undefined where its language is not available. */
const SAMPLES: Readonly<Record<string, () => Promise<readonly [string, ...string[]] | undefined>>> = {
  TypeScript: async () => [process.execPath, await writeSample('ts', 'receive.ts')],
  Python: async () => {
    const file = await writeSample('python', 'receive.py');
    return runStep({ command: 'python3', args: ['--version'], env, timeoutMs: RUN_MS }).then(
      () => ['python3', file] as const,
      () => undefined,
    );
  },
  Go: async () => {
    const go = findGo(env);
    const file = await writeSample('go', 'receive.go');
    if (go === undefined) return undefined;
    const program = join(folder, 'receive');
    await runStep({ command: go, args: ['build', '-o', program, file], env: { ...env, GO111MODULE: 'off' }, timeoutMs: RUN_MS });
    return [program];
  },
};

type Sample = { child: ChildProcess; port: number; lines: string[] };

const startSample = async ([command, ...args]: readonly [string, ...string[]]): Promise<Sample> => {
  const child = spawn(command, args, { env: { ...env, WEBHOOK_SECRETS: `${OLD} ${SECRET}`, CURSOR: 'acme:4' } });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  // A receiver may report requests that were aborted; the reason why it ended is the last.
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-10_000);
  });
  const lines: string[] = [];
  const port = await waitFor(
    'the sample to listen',
    async () => {
      if (child.exitCode !== null) throw new Error(`the sample ended: ${text}${errors}`);
      return /^listening on (\d+)$/m.exec(text)?.[1];
    },
    RUN_MS,
  );
  child.stdout.on('data', () => lines.splice(0, lines.length, ...text.trim().split('\n').slice(1)));
  return { child, port: Number(port), lines };
};

const eventOf = (sequence: number, previousSequence: number) => ({
  id: `01890a5d-ac96-774b-bcce-${String(sequence).padStart(12, '0')}`,
  type: 'payment.cleared',
  timestamp: '2026-01-31T12:00:00.000Z',
  subject: `payment/${sequence}`,
  sequence,
  previousSequence,
  subjectSequence: 1,
  data: { status: 'settled' },
});

/** Sends an event as the reference library signs it. @returns the status */
const deliver = async ({ port }: Sample, event: object, { secrets = [SECRET], at = new Date(), body = JSON.stringify(event) } = {}) => {
  const signatures = secrets.map((secret) => new Webhook(secret).sign('msg_1', at, JSON.stringify(event)));
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': ['v2,AAAA', ...signatures].join(' '),
  };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
};

/** Begins a delivery of 70,000 bytes and sends fewer. @returns what the receiver answers; empty if it only closes the connection */
const beginDelivery = async ({ port }: Sample, { bytes, abort }: { bytes: number; abort: boolean }): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  // A receiver that does not read everything resets the connection.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => {
    socket.write(`POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 70000\r\n\r\n${'x'.repeat(bytes)}`, () => resolve());
  });
  if (abort) socket.resetAndDestroy();
  await closed;
  return answer;
};

describe('a receiver by the guide', { timeout: RUN_MS }, () => {
  it.for(Object.keys(SAMPLES))('in %s accepts what is signed, and knows what is missing', async (language, { skip }) => {
    const command = await SAMPLES[language]?.();
    if (command === undefined) return skip(`${language} is not available`);
    const sample = await startSample(command);
    try {
      // Neither ends the receiver.
      await beginDelivery(sample, { bytes: 100, abort: true });
      expect(await beginDelivery(sample, { bytes: 65_537, abort: false })).toMatch(/^(?:HTTP\/1\.[01] 400 |$)/);
      const [first, second, third] = [eventOf(6, 4), eventOf(7, 6), eventOf(9, 7)];
      expect(await deliver(sample, first, { secrets: [OLD] })).toBe(204);
      expect(await deliver(sample, third, { secrets: [newSecret(), SECRET] })).toBe(204);
      expect(await deliver(sample, third)).toBe(204);
      expect(await deliver(sample, second, { secrets: [newSecret()] })).toBe(400);
      expect(await deliver(sample, second, { body: JSON.stringify({ ...second, type: 'card.issued' }) })).toBe(400);
      for (const ms of [-600_000, 600_000]) expect(await deliver(sample, second, { at: new Date(Date.now() + ms) })).toBe(400);
      expect(await deliver(sample, { ...second, sequence: 0 })).toBe(204);
      expect(await deliver(sample, second)).toBe(204);
      await waitFor('the last event', async () => (sample.lines.length >= 3 ? true : undefined), RUN_MS);
      expect(sample.lines.map((line) => line.replace(/^(\d+) .*, /, '$1 '))).toEqual([
        '6 complete to 6',
        '9 complete to 6',
        '7 complete to 9',
      ]);
    } finally {
      const ended = once(sample.child, 'exit');
      sample.child.kill('SIGKILL');
      await ended;
    }
  });
});
