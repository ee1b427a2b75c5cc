import { randomUUID } from 'node:crypto';
import { quietLogger } from '@florin/rpc/testing';
import { expect, it } from 'vitest';
import { spell } from '../domain/record.ts';
import type { StoredItem } from '../store/items.ts';
import { type TellingParts, tellUnsettled } from './tell-unsettled.ts';

const AT = new Date('2026-11-23T10:00:00Z');
const clearing = spell({
  ...{ kind: 'clearing', source: 'processor', id: 'r', date: '2026-11-01', currency: 'EUR', network: 'visa', amount: 1n },
  ...{ interchange: 0n, schemeFee: 0n, processorFee: 0n, eventId: '', transactionId: '', acquirerReference: '' },
});

/** A round over items that are open. @returns the payments that the card service was told of */
const told = async (completeAt: Date | undefined, ...ids: string[]): Promise<string[]> => {
  let open = ids.map((id): StoredItem => ({ id, currency: 'EUR', parts: [], openSince: AT }));
  const found: string[] = [];
  const ended = Promise.withResolvers<void>();
  const block = {
    n: 1,
    at: AT,
    previousHash: '',
    hash: '',
    closedDay: '',
    records: [{ key: 'processor:r', day: '2026-11-01', line: clearing }],
  };
  const parts: TellingParts = {
    blocks: { withClearings: async () => [block] },
    cursors: {
      completeAt: async () => {
        if (completeAt === undefined) ended.resolve();
        return completeAt;
      },
    },
    items: {
      outdated: async () => [],
      untold: async () => open,
      told: async () => {
        open = [];
        ended.resolve();
      },
    },
    reportUnsettled: async (payments) => void found.push(...payments.map(({ paymentId }) => paymentId)),
    ...{ afterMs: 0, now: () => AT, logger: quietLogger },
  };
  const telling = tellUnsettled(parts);
  await ended.promise;
  await telling.close();
  return found;
};

const [payment, account] = [randomUUID() as string, randomUUID() as string];

it('tells of payments of accounts only, whatever references entries have', async () => {
  const others = [`${'-'.repeat(36)}/${account}`, `${payment}/`, 'processor:r', `collection/${payment}`];
  expect(await told(AT, ...others, `${payment}/${account}`)).toEqual([payment]);
});

it("tells of nothing until the ledger's journal is read to its end", async () => {
  expect(await told(undefined, `${payment}/${account}`)).toEqual([]);
});
