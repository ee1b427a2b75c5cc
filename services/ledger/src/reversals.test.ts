import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EntryKind } from '@florin/proto/ledger/v1/entry';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, type TestLedger } from './testing/world.ts';

const ledger = serveLedger();

type Account = Awaited<ReturnType<TestLedger['open']>>;

const rich = async (amount = '100') => {
  const account = await ledger.open();
  await ledger.fund(account, 'EURe', amount);
  return account;
};
const spendable = async (account: Account) => (await ledger.tokenBalances(account))['EURe']?.spendable;
const create = async (...transfers: [debit: string, credit: string, amount: string][]) => {
  const entryId = randomUUID() as string;
  const entry = { entryId, transfers: transfers.map(([debit, credit, amount]) => ({ debit, credit, token: 'EURe', amount })) };
  await ledger.entries.createEntries({ entries: [entry] }, ledger.operator);
  return entryId;
};
const reverse = ({ accountId }: { accountId: string }, entryId: string, more: object = {}) =>
  ledger.entries.reverseEntry({ accountId, entryId, reversalId: randomUUID(), ...more }, ledger.operator);

describe('a reversal', () => {
  it('reverses an entry as a whole, once', async () => {
    const [ada, ben] = [await rich(), await ledger.open()];
    const entryId = await create([ada.accountId, ben.accountId, '30'], [ben.accountId, 'fees', '5']);
    const order = { reversalId: randomUUID() as string, metadata: { reason: 'booked twice', externalReference: 'case-7' } };
    const { entry } = await reverse(ada, entryId, order);
    expect(entry).toMatchObject({ kind: EntryKind.REVERSAL, reverses: entryId, metadata: { reason: 'booked twice' } });
    expect([await spendable(ada), await spendable(ben)]).toEqual(['100', '0']);
    expect((await reverse(ada, entryId, order)).entry).toEqual(entry);
    expect(await codeOf(reverse(ada, entryId))).toBe('ENTRY_ALREADY_REVERSED');
    expect(await codeOf(reverse(ada, entryId, { ...order, forced: true }))).toBe('IDEMPOTENCY_KEY_REUSED');
    const { lines } = await ledger.statements.listStatement({}, ada.user);
    expect(lines[0]).toMatchObject({ kind: StatementLineKind.REVERSAL, reference: entryId, amount: '30', balanceAfter: '100' });
  });

  it('reverses parts up to the whole when reversals race', async () => {
    const ada = await rich();
    const entryId = await create([ada.accountId, 'settlement', '50']);
    const part = (amount: string) => reverse(ada, entryId, { parts: [{ transfer: 0, amount }] });
    expect(await codeOf(part('51'))).toBe('REVERSAL_EXCEEDS_ENTRY');
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(part('10'))));
    expect(codes.filter((code) => code === 'no error')).toHaveLength(5);
    expect(codes.filter((code) => code === 'REVERSAL_EXCEEDS_ENTRY' || code === 'ENTRY_ALREADY_REVERSED')).toHaveLength(3);
    expect(await spendable(ada)).toBe('100');
  });

  it('of a posted hold returns the money, not the hold', async () => {
    const ada = await rich();
    const holdId = randomUUID() as string;
    const transfers = [{ debit: ada.accountId, credit: 'settlement', token: 'EURe', amount: '40' }];
    const holdExpiresAt = timestampFromDate(new Date(Date.now() + 3_600_000));
    await ledger.entries.createEntries({ entries: [{ entryId: holdId, transfers, holdExpiresAt }] }, ledger.operator);
    expect(await codeOf(reverse(ada, holdId))).toBe('ENTRY_NOT_REVERSIBLE');
    const { entry } = await ledger.holds.postHold({ accountId: ada.accountId, holdId, amount: '25' }, ledger.operator);
    const id = entry?.id ?? '';
    // The second transfer returned the rest of the hold: it follows by itself.
    expect(await codeOf(reverse(ada, id, { parts: [{ transfer: 1, amount: '1' }] }))).toBe('REVERSAL_EXCEEDS_ENTRY');
    const { entry: back } = await reverse(ada, id);
    expect(await spendable(ada)).toBe('100');
    expect(await codeOf(reverse(ada, back?.id ?? ''))).toBe('ENTRY_NOT_REVERSIBLE');
  });

  it('needs the money of those who received it, unless it is forced', async () => {
    const [ada, ben] = [await rich(), await ledger.open()];
    const entryId = await create([ada.accountId, ben.accountId, '30']);
    await create([ben.accountId, 'settlement', '30']);
    expect(await codeOf(reverse(ada, entryId))).toBe('INSUFFICIENT_FUNDS');
    expect(await spendable(ada)).toBe('70');
    await ledger.accounts.blockAccount({ accountId: ben.accountId }, ledger.operator);
    expect(await codeOf(reverse(ada, entryId))).toBe('ACCOUNT_BLOCKED');
    await reverse(ben, entryId, { forced: true });
    expect(await spendable(ada)).toBe('100');
    expect((await ledger.tokenBalances(ben))['EURe']?.debt).toBe('30');
  });

  it.each([
    ['an unknown entry', 'ENTRY_NOT_FOUND', { entryId: randomUUID() }],
    ['an empty id', 'VALIDATION_FAILED', { entryId: '' }],
    ['a malformed reversal id', 'VALIDATION_FAILED', { reversalId: 'x' }],
    ['a transfer twice', 'VALIDATION_FAILED', { parts: [0, 0].map((transfer) => ({ transfer, amount: '1' })) }],
    ['a transfer that the entry lacks', 'REVERSAL_EXCEEDS_ENTRY', { parts: [{ transfer: 7, amount: '1' }] }],
    ['nothing', 'AMOUNT_INVALID', { parts: [{ transfer: 0, amount: '0' }] }],
    ['a shard besides the account', 'VALIDATION_FAILED', { shard: '0' }],
    ['an approval of its own', 'VALIDATION_FAILED', { metadata: { approvedBy: 'eve' } }],
  ])('of %s is rejected with %s, and nothing is written', async (_name, code, more) => {
    const ada = await rich();
    const entryId = await create([ada.accountId, 'settlement', '50']);
    const before = await ledger.verify();
    expect(await codeOf(reverse(ada, entryId, more))).toBe(code);
    expect(await ledger.verify()).toMatchObject({ entries: before.entries });
  });

  it('is rejected without its scopes', async () => {
    const [ada, eve] = [await rich(), await ledger.open()];
    const entryId = await create(['chain', ada.accountId, '5']);
    expect(await codeOf(reverse(eve, entryId))).toBe('ENTRY_NOT_FOUND');
    const scopes = [LEDGER_SCOPES.writeEntries];
    const plain = ledger.as(await ledger.authority.serviceToken('operator', 'ledger', scopes));
    const request = { accountId: ada.accountId, entryId, reversalId: randomUUID() as string };
    expect(await codeOf(ledger.entries.reverseEntry(request, plain))).toBe('FORBIDDEN');
    expect(await codeOf(ledger.entries.reverseEntry(request, ledger.operator))).toBe('no error');
  });
});
