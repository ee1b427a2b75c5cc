import { generateKeyPairSync } from 'node:crypto';
import { type ServiceKey, serviceKeySchema } from '@florin/rpc/auth';
import { createLogger } from '@florin/rpc/observe';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';
import { type AuditRecord, hashRecord } from './audit-record.ts';
import { checkHeads, createAuditLog, readAuditHeads, startAuditHeads } from './index.ts';

const CALL = { actor: 'ada', rpc: 'x.Service/Do', reason: 'a test', requestId: 'r', subjects: {}, request: new Uint8Array([1]) };
const newKey = (): ServiceKey =>
  serviceKeySchema.parse({ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'card' });
const key = newKey();

let store: Store;
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});
const records = () => store.connection.collection<AuditRecord>('audit_events');
beforeEach(async () => {
  await records().deleteMany({});
});

const newLog = () => createAuditLog(store.connection, () => new Date(), new Uint8Array(32));

/** Signs the log's head in rounds, as a process does. */
const startSigning = (signer = key, retentionDays = 0, intervalMs = 20) => {
  let output = '';
  const write = (line: string): void => {
    output += line;
  };
  const logger = createLogger('card', 'info', { write });
  const rounds = startAuditHeads({ service: 'card', key: signer, log: newLog(), retentionDays, logger, intervalMs });
  return { output: () => output, heads: () => readAuditHeads(output), kick: rounds.kick, close: rounds.close };
};

/** Adds calls, and returns the output of a process that has signed after each of them. */
const signedLog = async (calls: number): Promise<string> => {
  const signing = startSigning();
  for (let n = 1; n <= calls; n += 1) {
    await newLog().record(CALL, 'OK');
    await expect.poll(() => signing.heads().at(-1)?.sequence).toBe(2 * n);
  }
  await signing.close();
  return signing.output();
};

const check = async (output: string, retentionDays = 0, keys = [key]) => {
  const log = newLog();
  const hashAt = async (sequence: number) => (await log.list({ afterSequence: sequence - 1, limit: 1 }))[0]?.hash;
  return checkHeads(readAuditHeads(output), keys, hashAt, { removedThrough: await log.removedThrough(), retentionDays });
};

/** Changes a record, and every hash after it, so that the chain verifies again. */
const rewrite = async (sequence: number): Promise<void> => {
  const all = await records().find().sort({ _id: 1 }).toArray();
  let previous = '0'.repeat(64);
  for (const record of all) {
    const content =
      record._id === sequence && record.content.kind === 'call'
        ? { ...record.content, call: { ...record.content.call, actor: 'bob' } }
        : record.content;
    const changed = { ...record, content };
    previous = hashRecord(previous, changed);
    await records().replaceOne({ _id: record._id }, { ...changed, hash: previous });
  }
};

describe('the heads of an audit log', () => {
  it('are signed while records are added, and agree with the log whatever is added later', async () => {
    const output = await signedLog(3);
    expect(readAuditHeads(output).map(({ sequence }) => sequence)).toEqual([2, 4, 6]);
    await newLog().record(CALL, 'OK');
    expect(await check(output)).toEqual({ ok: true, text: '3 signed heads agree' });
    // As they are published: the answer in one line, also where no service has signed any, or set out in lines.
    const published = JSON.stringify({ heads: readAuditHeads(output) });
    expect(await check(`${published}\n{"heads":[]}\n`)).toEqual({ ok: true, text: '3 signed heads agree' });
    expect(await check(JSON.stringify(JSON.parse(published), undefined, 2))).toEqual({ ok: true, text: '3 signed heads agree' });
    expect(await check(`a line\n{"auditHead":{}}\n${output}${output}`)).toEqual({ ok: true, text: '3 signed heads agree' });
  });

  it('reveal a log that was rewritten with every hash, and one that was cut short', async () => {
    const output = await signedLog(3);
    await rewrite(3);
    expect(await newLog().verify(0)).toMatchObject({ checkedTo: 6, firstBadSequence: 0 });
    expect(await check(output)).toMatchObject({ ok: false, text: expect.stringContaining('record 4 ') });
    await records().deleteMany({ _id: { $gt: 2 } });
    expect(await newLog().verify(0)).toMatchObject({ checkedTo: 2, firstBadSequence: 0 });
    expect(await check(output)).toMatchObject({ ok: false, text: expect.stringContaining('record 4 ') });
  });

  it('tell records that retention has removed from those that somebody else has', async () => {
    const output = await signedLog(2);
    await newLog().trim(new Date(Date.now() + 1));
    expect(await newLog().verify(0)).toMatchObject({ firstBadSequence: 0, removedThrough: 4 });
    expect(await check(output, 1)).toMatchObject({ ok: false });
    const old = output.replaceAll(/"at":"[^"]*"/g, '"at":"2020-01-01T00:00:00.000Z"');
    // The time is signed too.
    expect(await check(old, 1)).toMatchObject({
      ok: false,
      text: expect.stringContaining('0 signed heads agree, 2 have the signature of another key'),
    });
  });

  it('count only with a signature of the process', async () => {
    await newLog().record(CALL, 'OK');
    const former = newKey();
    const stranger = startSigning(former);
    await expect.poll(() => stranger.heads().length).toBe(1);
    await stranger.close();
    expect(await check(stranger.output())).toMatchObject({ ok: false, text: expect.stringContaining('0 signed heads agree, 1 have') });
    // After a change of the key, the former one is named too.
    expect(await check(stranger.output(), 0, [key, former])).toEqual({ ok: true, text: '1 signed heads agree' });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['has another history', () => rewrite(1)],
    ['removes what was signed before its time', () => newLog().trim(new Date(Date.now() + 1))],
  ])('are not signed any more once the log %s', async (_what, tamper) => {
    await newLog().record(CALL, 'OK');
    // No round in the middle of the change: it would sign what is still there.
    const signing = startSigning(key, 1, 3_600_000);
    await expect.poll(() => signing.heads().length).toBe(1);
    await tamper();
    await newLog().record(CALL, 'OK');
    signing.kick();
    await expect.poll(() => signing.output()).toContain('does not have the record that was signed');
    await signing.close();
    expect(signing.heads()).toHaveLength(1);
  });
});
