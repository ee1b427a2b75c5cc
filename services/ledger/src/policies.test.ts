import { randomUUID } from 'node:crypto';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { REASON_HEADER } from '@florin/rpc/server';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, OWNER, randomTxHash } from './testing/world.ts';

const ledger = serveLedger();

describe('policies', () => {
  type Options = { headers: Record<string, string> };
  /** The result of each call, by name. */
  const outcomes = async (calls: Record<string, Promise<unknown>>): Promise<Record<string, unknown>> =>
    Object.fromEntries(await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await codeOf(call)])));
  const asService = (options: Options) =>
    outcomes({
      openAccount: ledger.accounts.openAccount(
        { accountId: randomUUID(), userId: randomUUID(), kycProfileId: randomUUID(), safeOwnerAddress: OWNER },
        options,
      ),
      activateAccount: ledger.accounts.activateAccount({ accountId: randomUUID() }, options),
      blockAccount: ledger.accounts.blockAccount({ accountId: randomUUID() }, options),
      unblockAccount: ledger.accounts.unblockAccount({ accountId: randomUUID() }, options),
      closeAccount: ledger.accounts.closeAccount({ accountId: randomUUID() }, options),
      createEntries: ledger.entries.createEntries({}, options),
      postHold: ledger.holds.postHold({ holdId: randomUUID() }, options),
      voidHold: ledger.holds.voidHold({ holdId: randomUUID() }, options),
      getEntry: ledger.entries.getEntry({ entryId: 'x' }, options),
      listTransfers: ledger.entries.listTransfers({}, options),
      sumEntries: ledger.entries.sumEntries({}, options),
      getAccount: ledger.accounts.getAccount({ key: { case: 'accountId', value: randomUUID() } }, options),
      recordDeposit: ledger.movements.recordDeposit({ txHash: randomTxHash() }, options),
      resolveDeposit: ledger.movements.resolveDeposit({ depositId: randomUUID() }, options),
      findDeposits: ledger.movements.findDeposits({ txHash: randomTxHash() }, options),
      findWithdrawals: ledger.movements.findWithdrawals({ txHash: randomTxHash() }, options),
      createWithdrawal: ledger.movements.createWithdrawal({ withdrawalId: randomUUID() }, options),
      updateWithdrawal: ledger.movements.updateWithdrawal({ withdrawalId: randomUUID() }, options),
    });
  const asUser = (options: Options) =>
    outcomes({
      getCurrentAccount: ledger.accounts.getCurrentAccount({}, options),
      getBalances: ledger.balances.getBalances({}, options),
      listDeposits: ledger.movements.listDeposits({}, options),
      listWithdrawals: ledger.movements.listWithdrawals({}, options),
    });
  const codes = async (answers: Promise<Record<string, unknown>>) => [...new Set(Object.values(await answers))];

  it('admit services by their scopes only, and no users', async () => {
    const { authority } = ledger;
    expect(await codes(asService({ headers: {} }))).toEqual(['UNAUTHORIZED']);
    expect(await codes(asService(await ledger.user(randomUUID())))).toEqual(['FORBIDDEN']);
    const stranger = ledger.as(await authority.serviceToken('stranger', 'ledger', ['ledger.accounts.write', 'ledger.entries.read']));
    expect(await codes(asService(stranger))).toEqual(['FORBIDDEN']);
    const { getAccount, ...rest } = await asService(
      ledger.as(await authority.serviceToken('operator', 'ledger', ['ledger.accounts.read'])),
    );
    expect(getAccount).toBe('ACCOUNT_NOT_FOUND');
    expect(new Set(Object.values(rest))).toEqual(new Set(['FORBIDDEN']));
  });

  it('let people move money by adjustments only, whatever their scopes', async () => {
    const { headers } = ledger.as(await ledger.authority.serviceToken('ada', 'ledger', Object.values(LEDGER_SCOPES)));
    const person = { headers: { ...headers, [REASON_HEADER]: 'goodwill' } };
    const contracts = [
      { methods: EntryService.methods, client: ledger.entries },
      { methods: HoldService.methods, client: ledger.holds },
      { methods: MovementService.methods, client: ledger.movements },
    ];
    let mutations = 0;
    for (const { methods, client } of contracts) {
      const calls = client as unknown as Record<string, (request: object, options: Options) => Promise<unknown>>;
      for (const { localName, methodKind, idempotency } of methods) {
        if (methodKind !== 'unary' || idempotency === Level.NO_SIDE_EFFECTS) continue;
        const ask = (options: Options) => codeOf(calls[localName]?.({}, options) ?? expect.fail(localName));
        expect([localName, await ask(person)]).toEqual([localName, 'FORBIDDEN']);
        expect([localName, await ask(ledger.operator)]).not.toEqual([localName, 'FORBIDDEN']);
        mutations += 1;
      }
    }
    expect(mutations).toBe(13);
    expect(await codeOf(ledger.adjustments.createAdjustment({}, person))).toBe('VALIDATION_FAILED');
  });

  it('show registered users their own data only', async () => {
    const { authority } = ledger;
    expect(await codes(asUser({ headers: {} }))).toEqual(['UNAUTHORIZED']);
    const { listDeposits, listWithdrawals, getBalances, ...ownOnly } = await asUser(ledger.operator);
    expect(new Set(Object.values(ownOnly))).toEqual(new Set(['FORBIDDEN']));
    // A service with the scope names a user.
    expect(new Set([listDeposits, listWithdrawals, getBalances])).toEqual(new Set(['VALIDATION_FAILED']));
    const stranger = ledger.as(await authority.serviceToken('stranger', 'ledger', ['ledger.accounts.write', 'ledger.entries.read']));
    expect(await codes(asUser(stranger))).toEqual(['FORBIDDEN']);
    expect(await codes(asUser(ledger.as(await authority.userToken({ wallet: OWNER }))))).toEqual(['USER_NOT_REGISTERED']);
    expect(await codes(asUser(await ledger.user(randomUUID())))).toEqual(['ACCOUNT_NOT_FOUND']);
  });
});
