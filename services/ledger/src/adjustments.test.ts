import { randomUUID } from 'node:crypto';
import { AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { REASON_HEADER } from '@florin/rpc/server';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

const ledger = serveLedger(ledgerEnvironment({ APPROVAL_ABOVE: JSON.stringify({ EURe: '100' }) }));

type Account = Awaited<ReturnType<TestLedger['open']>>;
const { PENDING, BOOKED, REJECTED, FAILED } = AdjustmentStatus;
/** Of an actor of its own, who has ordered nothing before. */
const metadataOf = (actor = `ada ${randomUUID()}`) => ({ actor, reason: 'goodwill', labels: { ticket: 'T-1' } });

const transfersOf = (debit: string, credit: string, amount: string, more: object = {}) => ({
  case: 'transfers' as const,
  value: { transfers: [{ debit, credit, token: 'EURe', amount }], ...more },
});
const order = (change: object, actor?: string) => ({ adjustmentId: randomUUID() as string, change, metadata: metadataOf(actor) });
const create = async (request: object) => (await ledger.adjustments.createAdjustment(request, ledger.operator)).adjustment;
const approve = (adjustmentId: string, actor: string) => ledger.adjustments.approveAdjustment({ adjustmentId, actor }, ledger.operator);
const reject = (adjustmentId: string, actor: string) => ledger.adjustments.rejectAdjustment({ adjustmentId, actor }, ledger.operator);
const spendable = async (account: Account) => (await ledger.tokenBalances(account))['EURe']?.spendable;

describe('an adjustment', () => {
  it('up to the limit is booked at once and only once', async () => {
    const account = await ledger.open();
    const request = order(transfersOf('chain', account.accountId, '100'));
    const adjustment = await create(request);
    expect(adjustment).toMatchObject({ status: BOOKED, needsApproval: false, entryId: request.adjustmentId });
    expect(await create(request)).toEqual(adjustment);
    expect(await spendable(account)).toBe('100');
    const { entry } = await ledger.entries.getEntry({ accountId: account.accountId, entryId: request.adjustmentId }, ledger.operator);
    expect(entry?.metadata).toMatchObject({ ...request.metadata, approvedBy: '' });
    expect(await codeOf(create({ ...request, change: transfersOf('chain', account.accountId, '99') }))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await codeOf(approve(request.adjustmentId, 'bob'))).toBe('ADJUSTMENT_STATE_CONFLICT');
    expect(await codeOf(reject(request.adjustmentId, 'bob'))).toBe('ADJUSTMENT_STATE_CONFLICT');
  });

  it('of any amount waits for a second person outside the sandbox, unless the program states a limit', async () => {
    const bank = await startLedger(ledgerEnvironment({ SANDBOX: 'false' }));
    const account = await bank.open();
    const change = transfersOf('settlement', account.accountId, '1');
    const request = { adjustmentId: randomUUID(), change, metadata: metadataOf() };
    const { adjustment } = await bank.adjustments.createAdjustment(request, bank.operator);
    expect(adjustment).toMatchObject({ status: PENDING, needsApproval: true });
    await bank.close();
  });

  it('beyond the limit waits for a second person, and names both', async () => {
    const account = await ledger.open();
    const request = order(transfersOf('settlement', account.accountId, '101'), 'ada');
    expect(await create(request)).toMatchObject({ status: PENDING, needsApproval: true });
    expect(await spendable(account)).toBe('0');
    expect(await codeOf(approve(request.adjustmentId, 'ADA'))).toBe('SELF_APPROVAL');
    expect(await codeOf(approve(request.adjustmentId, ''))).toBe('VALIDATION_FAILED');
    const results = await Promise.all(Array.from({ length: 4 }, () => approve(request.adjustmentId, 'bob')));
    for (const { adjustment } of results)
      expect(adjustment).toMatchObject({ status: BOOKED, metadata: { actor: 'ada', approvedBy: 'bob' } });
    expect(await spendable(account)).toBe('101');
    expect(await codeOf(approve(request.adjustmentId, 'carol'))).toBe('ADJUSTMENT_STATE_CONFLICT');
    const { entry } = await ledger.entries.getEntry({ accountId: account.accountId, entryId: request.adjustmentId }, ledger.operator);
    expect(entry?.metadata).toMatchObject({ actor: 'ada', reason: 'goodwill', approvedBy: 'bob' });
  });

  it('is approved or rejected, never both', async () => {
    const account = await ledger.open();
    for (let round = 0; round < 4; round += 1) {
      const { id: adjustmentId } = (await create(order(transfersOf('settlement', account.accountId, '200')))) ?? expect.fail('none');
      const before = Number(await spendable(account));
      await Promise.all([codeOf(approve(adjustmentId, 'bob')), codeOf(reject(adjustmentId, 'carol'))]);
      const { adjustment } = await ledger.adjustments.getAdjustment({ adjustmentId }, ledger.operator);
      expect([BOOKED, REJECTED]).toContain(adjustment?.status);
      expect(Number(await spendable(account)) - before).toBe(adjustment?.status === BOOKED ? 200 : 0);
    }
  });

  it('keeps why it was rejected, as the first who rejected it said', async () => {
    const account = await ledger.open();
    const { id: adjustmentId } = (await create(order(transfersOf('settlement', account.accountId, '200')))) ?? expect.fail('none');
    for (const reason of ['booked once only', 'something else']) {
      const { adjustment } = await ledger.adjustments.rejectAdjustment({ adjustmentId, actor: 'ada', reason }, ledger.operator);
      expect(adjustment).toMatchObject({ status: REJECTED, rejectedBy: 'ada', rejectionReason: 'booked once only' });
    }
    expect(await spendable(account)).toBe('0');
  });

  it('that the journal rejects fails with its code', async () => {
    const account = await ledger.open();
    const request = order(transfersOf(account.accountId, 'fees', '1'));
    expect(await create(request)).toMatchObject({ status: FAILED, failureCode: 'INSUFFICIENT_FUNDS', entryId: '' });
    await ledger.fund(account, 'EURe', '1');
    expect(await create(request)).toMatchObject({ status: FAILED });
    expect(await spendable(account)).toBe('1');
    const forced = order(transfersOf(account.accountId, 'fees', '3', { forced: true }));
    expect(await create(forced)).toMatchObject({ status: BOOKED });
    expect((await ledger.tokenBalances(account))['EURe']?.debt).toBe('2');
  });

  it('whose id is taken by another entry stays failed', async () => {
    const account = await ledger.open();
    const request = order(transfersOf('settlement', account.accountId, '7'));
    const transfers = [{ debit: 'settlement', credit: account.accountId, token: 'EURe', amount: '1' }];
    await ledger.entries.createEntries({ entries: [{ entryId: request.adjustmentId, transfers }] }, ledger.operator);
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await create(request)).toMatchObject({ status: FAILED, failureCode: 'IDEMPOTENCY_KEY_REUSED', entryId: '' });
    expect(await spendable(account)).toBe('1');
  });

  it('of a person names that person, on both sides', async () => {
    const account = await ledger.open();
    const ada = ledger.as(await ledger.authority.serviceToken('ada', 'ledger', Object.values(LEDGER_SCOPES)));
    const because = { headers: { ...ada.headers, [REASON_HEADER]: 'four eyes' } };
    const change = transfersOf('settlement', account.accountId, '500');
    const adjustmentId = randomUUID() as string;
    const as = (actor: string) => ({ adjustmentId, change, metadata: metadataOf(actor) });
    expect(await codeOf(ledger.adjustments.createAdjustment(as('bob'), because))).toBe('FORBIDDEN');
    await ledger.adjustments.createAdjustment(as('ada'), because);
    for (const decide of [ledger.adjustments.approveAdjustment, ledger.adjustments.rejectAdjustment])
      expect(await codeOf(decide({ adjustmentId, actor: 'bob' }, because))).toBe('FORBIDDEN');
    expect(await codeOf(ledger.adjustments.approveAdjustment({ adjustmentId, actor: 'ada' }, because))).toBe('SELF_APPROVAL');
    expect(await spendable(account)).toBe('0');
  });

  it.each(['Ada', 'ad\u0061\u200b', '\uff41da'])('is not approved by another spelling of the same name: %j', async (actor) => {
    const account = await ledger.open();
    const request = order(transfersOf('settlement', account.accountId, '101'), 'ada');
    await create(request);
    expect(await codeOf(approve(request.adjustmentId, actor))).toBe('SELF_APPROVAL');
  });

  it('reverses entries and deposits', async () => {
    const account = await ledger.open();
    const deposit = await ledger.see(account, 'EURe', '500');
    await ledger.resolve(deposit.id);
    const paid = order(transfersOf(account.accountId, 'settlement', '30'));
    await create(paid);
    const value = { accountId: account.accountId, entryId: paid.adjustmentId };
    expect(await create(order({ case: 'reversal', value }))).toMatchObject({ status: BOOKED });
    expect(await create(order({ case: 'reversal', value }))).toMatchObject({ status: FAILED, failureCode: 'ENTRY_ALREADY_REVERSED' });
    expect(await spendable(account)).toBe('500');
    const back = order({ case: 'depositReversal', value: { depositId: deposit.id } });
    expect(await create(back)).toMatchObject({ status: PENDING });
    expect((await approve(back.adjustmentId, 'bob')).adjustment).toMatchObject({ status: BOOKED });
    expect(await spendable(account)).toBe('0');
  });

  it('is listed, newest first, by status', async () => {
    const account = await ledger.open();
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const request = order(transfersOf('settlement', account.accountId, '1000'));
      await create(request);
      made.push(request.adjustmentId);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await ledger.adjustments.listAdjustments({ status: PENDING, page: { limit: 2, cursor } }, ledger.operator);
      seen.push(...page.adjustments.map(({ id }) => id));
      cursor = page.page?.nextCursor ?? '';
    } while (cursor !== '');
    expect(seen.filter((id) => made.includes(id)).sort()).toEqual(made.sort());
    expect(new Set(seen).size).toBe(seen.length);
    const bad = { status: PENDING, page: { limit: 2, cursor: 'x' } };
    expect(await codeOf(ledger.adjustments.listAdjustments(bad, ledger.operator))).toBe('VALIDATION_FAILED');
  });

  const some = () => transfersOf('settlement', 'fees', '1');
  it.each([
    ['no actor', 'VALIDATION_FAILED', { change: some(), metadata: { reason: 'r' } }],
    ['no reason', 'VALIDATION_FAILED', { change: some(), metadata: { actor: 'ada' } }],
    ['no metadata', 'VALIDATION_FAILED', { change: some(), metadata: undefined }],
    ['an approval of its own', 'VALIDATION_FAILED', { change: some(), metadata: { ...metadataOf(), approvedBy: 'bob' } }],
    ['a malformed id', 'VALIDATION_FAILED', { change: some(), adjustmentId: 'x' }],
    ['no change', 'VALIDATION_FAILED', { change: { case: undefined } }],
    ['no transfers', 'VALIDATION_FAILED', { change: { case: 'transfers', value: { transfers: [] } } }],
    ['an unknown ledger account', 'VALIDATION_FAILED', { change: transfersOf('treasury', 'fees', '1') }],
    ['an unknown shard', 'VALIDATION_FAILED', { change: transfersOf('settlement', 'fees', '1', { shard: '3' }) }],
    ['a malformed amount', 'AMOUNT_INVALID', { change: transfersOf('settlement', 'fees', '1.5') }],
    [
      'a transfer to reverse named twice',
      'VALIDATION_FAILED',
      {
        change: {
          case: 'reversal',
          value: {
            entryId: randomUUID(),
            parts: [
              { transfer: 0, amount: '1' },
              { transfer: 0, amount: '2' },
            ],
          },
        },
      },
    ],
    ['an unknown entry', 'ENTRY_NOT_FOUND', { change: { case: 'reversal', value: { entryId: randomUUID() } } }],
    ['an unknown deposit', 'DEPOSIT_NOT_FOUND', { change: { case: 'depositReversal', value: { depositId: randomUUID() } } }],
  ])('with %s is rejected with %s, and nothing is written', async (_name, code, more) => {
    const before = await ledger.verify();
    const request = { ...order(some()), ...more };
    expect(await codeOf(create(request))).toBe(code);
    expect(await codeOf(ledger.adjustments.getAdjustment({ adjustmentId: request.adjustmentId }, ledger.operator))).toBe(
      request.adjustmentId === 'x' ? 'VALIDATION_FAILED' : 'ADJUSTMENT_NOT_FOUND',
    );
    expect(await ledger.verify()).toMatchObject({ entries: before.entries });
  });

  it('is rejected without its scope', async () => {
    const plain = ledger.as(await ledger.authority.serviceToken('operator', 'ledger', [LEDGER_SCOPES.writeEntries]));
    expect(await codeOf(ledger.adjustments.createAdjustment(order(some()) as never, plain))).toBe('FORBIDDEN');
    const request = { adjustmentId: randomUUID() as string, actor: 'bob' };
    expect(await codeOf(ledger.adjustments.approveAdjustment(request, plain))).toBe('FORBIDDEN');
    expect(await codeOf(approve(request.adjustmentId, 'bob'))).toBe('ADJUSTMENT_NOT_FOUND');
  });
});
