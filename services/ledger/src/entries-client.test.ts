import { randomUUID } from 'node:crypto';
import { EntryResultCode as Code } from '@florin/proto/ledger/v1/entry';
import type { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { createEntriesClient } from '@florin/rpc/entries';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

let ledger: TestLedger;
let entitled: RpcChannel;
let plain: RpcChannel;
beforeAll(async () => {
  ledger = await startLedger(ledgerEnvironment());
  const { writeEntries, systemEntries } = LEDGER_SCOPES;
  const channel = (...scopes: string[]) =>
    createRpcChannel({
      baseUrl: ledger.url,
      timeoutMs: 30_000,
      serviceToken: () => ledger.authority.serviceToken('operator', 'ledger', scopes),
    });
  entitled = channel(writeEntries, systemEntries);
  plain = channel(writeEntries);
});
afterAll(async () => {
  expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
  await Promise.all([entitled.close(), plain.close()]);
  await ledger.close();
});

/** A channel that counts the calls of CreateEntries and the entries in each. */
const counted = (channel: RpcChannel) => {
  const sizes: number[] = [];
  const client = ((service: typeof EntryService) => {
    const real = channel.client(service);
    return {
      ...real,
      createEntries: (request, options) => {
        sizes.push(request.entries?.length ?? 0);
        return real.createEntries(request, options);
      },
    } satisfies typeof real;
  }) as RpcChannel['client'];
  return { channel: { ...channel, client }, sizes };
};

const order = (debit: string, credit: string, amount = '1') => ({
  entryId: randomUUID(),
  transfers: [{ debit, credit, token: 'EURe', amount }],
});
const OPTIONS = { timeoutMs: 30_000 };

describe("the ledger's client", () => {
  it('books the entries of concurrent callers in few calls, each with its own result', async () => {
    const [ada, ben] = [await ledger.open(), await ledger.open()];
    await ledger.fund(ada, 'EURe', '100');
    const { channel, sizes } = counted(plain);
    const client = createEntriesClient(channel);
    // The first answer tells the number of shards.
    expect(await client.create(order('settlement', ben.accountId), OPTIONS)).toBe(Code.CREATED);
    const orders = Array.from({ length: 60 }, () => order(ada.accountId, ben.accountId));
    const first = orders[0] ?? order('', '');
    const results = await Promise.all([
      ...orders.map((one) => client.create(one, OPTIONS)),
      client.create(first, OPTIONS),
      client.create({ ...first, transfers: [{ debit: ada.accountId, credit: 'fees', token: 'EURe', amount: '2' }] }, OPTIONS),
      client.create(order(ada.accountId, ben.accountId, '41'), OPTIONS),
      client.create(order(randomUUID(), ben.accountId), OPTIONS),
    ]);
    expect(results).toEqual([
      ...Array(60).fill(Code.CREATED),
      Code.EXISTS,
      Code.EXISTS_WITH_DIFFERENT_CONTENT,
      Code.INSUFFICIENT_FUNDS,
      Code.ACCOUNT_NOT_FOUND,
    ]);
    expect(sizes).toEqual([1, 64]);
    expect((await ledger.tokenBalances(ben))['EURe']?.spendable).toBe('61');
  });

  it('rejects only the caller whose entry is not permitted', async () => {
    const ada = await ledger.open();
    const client = createEntriesClient(plain);
    const labels = { 'Not A Key': 'x' };
    const results = await Promise.all([
      client.create(order('settlement', ada.accountId, '7'), OPTIONS),
      client.create({ ...order('settlement', ada.accountId), metadata: { labels } }, OPTIONS),
      client.create(order('settlement', ada.accountId, '5'), OPTIONS),
      codeOf(client.create(order('settlement', 'fees'), OPTIONS)),
      client.create(order('settlement', ada.accountId, '3'), OPTIONS),
    ]);
    expect(results).toEqual([Code.CREATED, Code.INVALID, Code.CREATED, 'FORBIDDEN', Code.CREATED]);
    expect((await ledger.tokenBalances(ada))['EURe']?.spendable).toBe('15');
  });

  it('never puts entries of two identities into one call', async () => {
    const [entitledClient, plainClient] = [createEntriesClient(entitled), createEntriesClient(plain)];
    const system = () => order('settlement', 'fees');
    const results = await Promise.all(
      Array.from({ length: 10 }, () => [
        codeOf(entitledClient.create(system(), OPTIONS)),
        codeOf(plainClient.create(system(), OPTIONS)),
      ]).flat(),
    );
    expect(results).toEqual(Array(10).fill(['no error', 'FORBIDDEN']).flat());
  });

  it('keeps calls within the size that the ledger accepts', async () => {
    const ada = await ledger.open();
    const { channel, sizes } = counted(plain);
    const client = createEntriesClient(channel);
    const large = () => ({
      ...order('settlement', ada.accountId),
      transfers: Array.from({ length: 100 }, () => ({ debit: 'settlement', credit: ada.accountId, token: 'EURe', amount: '1' })),
      metadata: { reason: 'é'.repeat(512), labels: { note: 'x'.repeat(1000) } },
    });
    const results = await Promise.all(Array.from({ length: 100 }, () => client.create(large(), OPTIONS)));
    expect(results).toEqual(Array(100).fill(Code.CREATED));
    expect(sizes.length).toBeGreaterThan(1);
  });

  it('reports an unavailable ledger to every caller, and a repeat finds out what happened', async () => {
    const ada = await ledger.open();
    const absent = createRpcChannel({ baseUrl: 'http://127.0.0.1:9', serviceToken: () => Promise.resolve('token') });
    const orders = Array.from({ length: 3 }, () => order('settlement', ada.accountId));
    const lost = createEntriesClient(absent);
    expect(await Promise.all(orders.map((one) => codeOf(lost.create(one, OPTIONS))))).toEqual(Array(3).fill('SERVICE_UNAVAILABLE'));
    await absent.close();
    const client = createEntriesClient(plain);
    expect(await Promise.all(orders.map((one) => client.create(one, OPTIONS)))).toEqual(Array(3).fill(Code.CREATED));
    expect(await Promise.all(orders.map((one) => client.create(one, OPTIONS)))).toEqual(Array(3).fill(Code.EXISTS));
  });
});
