import { randomUUID } from 'node:crypto';
import { EntryKind } from '@florin/proto/ledger/v1/entry';
import type { WatchEntriesResponse } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { REASON_HEADER } from '@florin/rpc/server';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from './domain/page-cursor.ts';
import { positionOf } from './domain/position.ts';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

let ledger: TestLedger;
let other: TestLedger;
beforeAll(async () => {
  const environment = ledgerEnvironment();
  ledger = await startLedger(environment);
  other = await startLedger(environment);
});
afterAll(async () => {
  await other.close();
  await ledger.close();
});

const make = async (count: number) => {
  const account = await ledger.open();
  await ledger.fund(account, 'EURe', '1000');
  const entries = Array.from({ length: count }, () => ({
    entryId: randomUUID() as string,
    transfers: [{ debit: account.accountId, credit: 'fees', token: 'EURe', amount: '1' }],
  }));
  await ledger.entries.createEntries({ entries }, ledger.operator);
  return entries.map(({ entryId }) => entryId);
};

/** Reads until the condition holds. */
const read = async (at: TestLedger, request: object, until: (all: readonly WatchEntriesResponse[]) => boolean) => {
  const controller = new AbortController();
  const all: WatchEntriesResponse[] = [];
  try {
    for await (const message of at.entries.watchEntries(request, { ...at.operator, signal: controller.signal })) {
      all.push(message);
      if (until(all)) break;
    }
  } finally {
    controller.abort();
  }
  return all;
};
const idsOf = (all: readonly WatchEntriesResponse[]) => all.flatMap(({ entries }) => entries.map(({ id }) => id));
const caughtUp = (all: readonly WatchEntriesResponse[]): boolean => all.at(-1)?.caughtUp === true;

describe('the stream of entries', () => {
  it('has every entry in the order of the journal, in bounded messages, and continues with new entries', async () => {
    const made = await make(450);
    const all = await read(ledger, {}, caughtUp);
    const ids = idsOf(all);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => made.includes(id))).toEqual(made);
    expect(all.every(({ entries }) => entries.length <= 200)).toBe(true);
    const { entries } = await ledger.verify();
    expect(ids).toHaveLength(Number(entries));
    const after = all.at(-1)?.position ?? '';
    const next = read(other, { after }, (some) => idsOf(some).length > 2);
    const more = await make(2);
    const found = idsOf(await next);
    expect(found.some((id) => ids.includes(id))).toBe(false);
    expect(idsOf(await read(other, { after }, (some) => idsOf(some).includes(more[1] ?? '')))).toEqual(expect.arrayContaining(more));
  });

  it('resumes at any position without gaps', async () => {
    await make(300);
    const whole = await read(ledger, {}, caughtUp);
    const resumed = async (index: number, { position, blockHash }: WatchEntriesResponse) => {
      expect(blockHash).toMatch(/^[0-9a-f]{64}$/);
      const rest = await read(index % 2 === 0 ? ledger : other, { after: position, afterBlockHash: blockHash }, caughtUp);
      expect([...idsOf(whole.slice(0, index + 1)), ...idsOf(rest)]).toEqual(idsOf(whole));
    };
    // At once, because each waits to be current; not all, because a client can have so many streams only.
    const STREAMS = 16;
    for (let from = 0; from < whole.length; from += STREAMS)
      await Promise.all(whole.slice(from, from + STREAMS).map((message, index) => resumed(from + index, message)));
  });

  it('advances its position past entries of other kinds', async () => {
    await make(1);
    const all = await read(ledger, { kinds: [EntryKind.HOLD_CREATED] }, caughtUp);
    expect(idsOf(all)).toEqual([]);
    expect(idsOf(await read(ledger, { after: all.at(-1)?.position ?? '' }, caughtUp))).toEqual([]);
  });

  it.each([
    ['an invalid position', 'VALIDATION_FAILED', { after: 'x' }],
    ["a position beyond the journal's end", 'POSITION_NOT_AVAILABLE', { after: encodeCursor(9_000_000_000) }],
    ['the hash of another block', 'POSITION_NOT_AVAILABLE', { after: encodeCursor(positionOf(1, 0)), afterBlockHash: '0'.repeat(64) }],
    ['an invalid hash', 'VALIDATION_FAILED', { after: encodeCursor(positionOf(1, 0)), afterBlockHash: 'x' }],
    ['an unknown shard', 'VALIDATION_FAILED', { shard: '4' }],
    ['a kind that does not exist', 'VALIDATION_FAILED', { kinds: [77] }],
  ])('is rejected with %s (%s)', async (_name, code, request) => {
    expect(await codeOf(read(ledger, request, () => true))).toBe(code);
  });

  it('ends with its token, and is resumed on any instance without loss or repetition', async () => {
    const start = (await read(ledger, {}, caughtUp)).at(-1)?.position ?? '';
    const made = [...(await make(20))];
    const found: string[] = [];
    let after = start;
    let ends = 0;
    while (ends < 3 || !found.includes(made.at(-1) ?? '')) {
      const token = await ledger.authority.serviceToken('operator', 'ledger', [LEDGER_SCOPES.readEntries], 1);
      const at = ends % 2 === 0 ? ledger : other;
      const read = async () => {
        for await (const { entries, position } of at.entries.watchEntries({ after }, at.as(token))) {
          found.push(...entries.map(({ id }) => id));
          after = position;
        }
      };
      const end = codeOf(read());
      if (ends < 3) made.push(...(await make(5)));
      expect(await end).toBe('UNAUTHORIZED');
      ends += 1;
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((id) => made.includes(id))).toEqual(made);
  });

  it('is limited per client, and a slot is free again when its stream ends', async () => {
    const open = async () => {
      const controller = new AbortController();
      const messages = ledger.entries.watchEntries({}, { ...ledger.operator, signal: controller.signal })[Symbol.asyncIterator]();
      await messages.next();
      return controller;
    };
    const streams = await Promise.all(Array.from({ length: 16 }, open));
    expect(await codeOf(open())).toBe('STREAM_LIMIT_REACHED');
    const another = ledger.as(await ledger.authority.serviceToken('ada', 'ledger', [LEDGER_SCOPES.readEntries]));
    const because = { headers: { ...another.headers, [REASON_HEADER]: 'an audit' } };
    const messages = ledger.entries.watchEntries({}, because)[Symbol.asyncIterator]();
    expect((await messages.next()).done).toBe(false);
    await messages.return?.();
    streams.pop()?.abort();
    const next = await waitFor('a free slot', () => open().catch(() => undefined));
    for (const stream of [...streams, next]) stream.abort();
  });

  it('is rejected without the scope', async () => {
    const none = ledger.as(await ledger.authority.serviceToken('stranger', 'ledger', []));
    const reading = async () => {
      for await (const _message of ledger.entries.watchEntries({}, none)) return;
    };
    expect(await codeOf(reading())).toBe('FORBIDDEN');
  });
});
