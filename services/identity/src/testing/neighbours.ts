import { randomUUID } from 'node:crypto';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { implementPart, startNeighbour, type TestAuthority } from '@florin/rpc/testing';

type LedgerCall = 'open' | 'activate' | 'block' | 'close' | 'revokeSafeOwner';

type FakeAccount = { userId: string; kycProfileId: string; safeOwnerAddress: string; status: AccountStatus; successorAccountId?: string };

/** The ledger's account service as identity uses it: idempotent by id, with the conflicts of the real one. */
export const startTestLedger = async (authority: TestAuthority) => {
  const accounts = new Map<string, FakeAccount>();
  /** Wraps every call, to act before and after its work; the owner is that of the account's Safe. */
  const hooks: { around: (call: LedgerCall, work: () => void, owner?: string) => Promise<void> | void } = {
    around: (_call, work) => work(),
  };
  /** Accounts that were stopped because the wallet that owns their Safe was lost. */
  const ownerRevoked = new Set<string>();
  /** The wallets that take the place of lost ones, by account. */
  const replacements = new Map<string, string>();
  const failing = new Set<LedgerCall>();
  const move = (call: 'activate' | 'block' | 'close', accountId: string, to: AccountStatus): void => {
    if (failing.has(call)) throw new CodedError('SERVICE_UNAVAILABLE');
    const account = accounts.get(accountId);
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    const { status } = account;
    const mayActivate = status === AccountStatus.PROVISIONING || status === AccountStatus.ACTIVE;
    const mayBlock = status === AccountStatus.ACTIVE || status === AccountStatus.BLOCKED;
    const isReplaced = call !== 'close' && account.successorAccountId !== undefined;
    if (isReplaced || (call === 'activate' && !mayActivate) || (call === 'block' && !mayBlock))
      throw new CodedError('ACCOUNT_STATE_CONFLICT');
    accounts.set(accountId, { ...account, status: to });
  };
  const open = (accountId: string, { userId, kycProfileId, safeOwnerAddress }: Omit<FakeAccount, 'status'>): void => {
    if (failing.has('open')) throw new CodedError('SERVICE_UNAVAILABLE');
    const content = { userId, kycProfileId, safeOwnerAddress };
    const existing = accounts.get(accountId);
    if (existing === undefined) accounts.set(accountId, { ...content, status: AccountStatus.PROVISIONING });
    else if (JSON.stringify({ ...existing, status: 0 }) !== JSON.stringify({ ...content, status: 0 })) {
      throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    }
  };
  const answerOf = (id: string) => {
    const account = accounts.get(id);
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    const revoked = { safeOwnerRevoked: ownerRevoked.has(id), safeReplacementAddress: replacements.get(id) ?? '' };
    return { id, ...account, ...revoked };
  };
  /** Gives an account a successor. @returns its id */
  const replace = (accountId: string): string => {
    const account = accounts.get(accountId);
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    const id = randomUUID();
    accounts.set(accountId, { ...account, status: AccountStatus.BLOCKED, successorAccountId: id });
    accounts.set(id, { ...account, status: AccountStatus.PROVISIONING });
    return id;
  };
  const server = await startNeighbour({
    authority,
    name: 'ledger',
    services: [
      implementPart(AccountService, {
        openAccount: serviceMethod(async ({ accountId, ...content }) => {
          await hooks.around('open', () => open(accountId, content), content.safeOwnerAddress);
          return {};
        }),
        activateAccount: serviceMethod(async ({ accountId }) => {
          await hooks.around(
            'activate',
            () => move('activate', accountId, AccountStatus.ACTIVE),
            accounts.get(accountId)?.safeOwnerAddress,
          );
          return {};
        }),
        blockAccount: serviceMethod(async ({ accountId }) => {
          await hooks.around('block', () => move('block', accountId, AccountStatus.BLOCKED));
          return {};
        }),
        revokeSafeOwner: serviceMethod(async ({ accountId, ownerAddress, replacementAddress }) => {
          await hooks.around('revokeSafeOwner', () => {
            if (failing.has('revokeSafeOwner')) throw new CodedError('SERVICE_UNAVAILABLE');
            if (accounts.get(accountId)?.safeOwnerAddress !== ownerAddress) return;
            ownerRevoked.add(accountId);
            replacements.set(accountId, replacementAddress);
          });
          return { account: answerOf(accountId) };
        }),
        getAccount: serviceMethod(({ key }) => {
          return { account: answerOf(key.value ?? '') };
        }),
        closeAccount: serviceMethod(async ({ accountId }) => {
          await hooks.around('close', () => move('close', accountId, AccountStatus.CLOSED));
          return { account: answerOf(accountId) };
        }),
      }),
    ],
  });
  return { url: server.url, accounts, replace, ownerRevoked, failing, hooks, close: () => server.close() };
};
