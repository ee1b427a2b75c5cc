import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Hex } from '@florin/evm/hex';
import { COLLECTOR, predictDelayModule, recoverySafe, safeTransactionHash } from '@florin/evm/safe';
import { canonicalSignature, recoverSigner } from '@florin/evm/signatures';
import {
  type CreateMoveChallengeRequest,
  type CreateReturnChallengeRequest,
  type CreateWithdrawalChallengeRequest,
  type ListMovesRequest,
  type ListReturnsRequest,
  type ListWithdrawalAllowancesRequest,
  SubmittedStatus,
  type SubmitWithdrawalRequest,
  WithdrawalService,
} from '@florin/proto/chain/v1/withdrawal_service';
import { findToken, tokenNotSupported } from '@florin/rpc/assets';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import { implement, type ServiceImplementation, userMethod } from '@florin/rpc/server';
import { type Address, getAddress, isAddress, zeroAddress } from 'viem';
import { type SafeWithdrawal, type WithdrawalStatus, withdrawalTransaction } from '../domain/withdrawal.ts';
import { requireReturn } from '../withdrawing/returns.ts';
import type { Dependencies } from './dependencies.ts';
import { formerAccounts, onNodes, ownAccount, requireOwnSafe, safeOf } from './own-safe.ts';
import { toWireTransaction } from './to-wire-safe.ts';

const AMOUNT = /^[1-9][0-9]{0,59}$/;

const recipientProblem = (text: string): string | undefined => {
  if (!isAddress(text)) return 'must be an EVM address, with the right checksum if it has mixed case (EIP-55)';
  return text === zeroAddress ? 'must not be the zero address' : undefined;
};

type Own = Awaited<ReturnType<typeof requireOwnSafe>>;

/** The caller's account with an id, current or former. */
const holderOf = async (
  parts: Pick<Dependencies, 'keeper' | 'accounts'>,
  own: Own,
  accountId: string | undefined,
): Promise<Own | undefined> => {
  if (accountId === own.account.id) return own;
  const former = await ownAccount(parts, own.account, accountId);
  return former && safeOf(parts, former);
};

/** The tokens that are on the chain of an account. */
const tokensOf = (assets: Dependencies['assets'], { account: { chainId } }: Own) =>
  assets.tokens.flatMap(({ address, ...token }) =>
    token.chainId === chainId && address !== undefined ? [{ ...token, address: getAddress(address) }] : [],
  );

/** @throws CodedError TOKEN_NOT_SUPPORTED unless the chain of the account has the token */
const requireToken = (assets: Dependencies['assets'], symbol: string, own: Own) => {
  const known = tokensOf(assets, own);
  const token = known.find((one) => one.symbol === symbol);
  if (token === undefined) throw tokenNotSupported(known.map((one) => one.symbol));
  return token;
};

/** Requires that money may leave the Safe. @throws CodedError ACCOUNT_NOT_ACTIVE, SAFE_NOT_VERIFIED, CHAIN_HALTED @returns the block of its inspection */
const requireWithdrawable = async ({ account, stored }: Own, cursors: Dependencies['cursors']): Promise<number | undefined> => {
  if (!account.active) throw new CodedError('ACCOUNT_NOT_ACTIVE');
  if (stored?.status !== 'verified') throw new CodedError('SAFE_NOT_VERIFIED');
  if ((await cursors.find(account.chainId))?.haltedAt !== undefined) throw new CodedError('CHAIN_HALTED');
  return stored.inspectedBlock;
};

const toOffer = async (offered: Promise<SafeWithdrawal>) => {
  const { id: withdrawalId, transaction, expiresAt } = await onNodes(offered);
  return { withdrawalId, transaction: toWireTransaction(transaction), expiresAt: timestampFromDate(expiresAt) };
};

/** The contracts of an account, which would not return what they got. */
const contractsOf = ({ parties, delay, backup }: Own): Address[] => {
  const recovery = backup === undefined ? [] : [recoverySafe(parties, backup.address)];
  const modules = [delay, ...(backup === undefined ? [] : [backup.delay])].map((one) => predictDelayModule(parties.safe, one));
  return [parties.safe, ...modules, ...recovery];
};

/** Freezes a withdrawal for the caller to sign. */
const createWithdrawalChallenge = ({ keeper, accounts, entries, cursors, assets, isTreasurys }: Dependencies) =>
  userMethod(async (request: CreateWithdrawalChallengeRequest, { caller: { userId } }) => {
    const { token: symbol, amount } = request;
    requireFields({ recipient: recipientProblem(request.recipient) });
    const recipient = getAddress(request.recipient);
    const own = await requireOwnSafe({ keeper, accounts }, userId);
    const { account, parties, withdrawals } = own;
    const token = requireToken(assets, symbol, own);
    if (!AMOUNT.test(amount)) throw new CodedError('AMOUNT_INVALID');
    // On another chain their addresses are those of nobody.
    const former = (await formerAccounts({ accounts }, own.account)).filter(({ chainId }) => chainId === account.chainId);
    const safes = [own, ...(await Promise.all(former.map((one) => safeOf({ keeper, accounts }, one))))];
    // A transfer to oneself moves nothing: no event of it would end the withdrawal. The modules and tokens return nothing.
    const dead = [...safes.flatMap(contractsOf), COLLECTOR.address, ...assets.tokens.map(({ address }) => address)];
    const counterparty = recipient.toLowerCase() as Hex;
    if (dead.some((address) => address?.toLowerCase() === counterparty) || (await isTreasurys({ accountId: account.id, counterparty })))
      throw new CodedError('VALIDATION_FAILED', {
        message:
          'recipient: must not be the Safe of an account of yours, its Delay modules, the Safe of its recovery, the Collector, the treasury or the contract of a token',
      });
    const inspectedBlock = await requireWithdrawable(own, cursors);
    // Nothing is set aside yet: SubmitWithdrawal decides. But nobody should sign in vain.
    if (((await entries.available(account.id)).get(symbol) ?? 0n) < BigInt(amount)) throw new CodedError('INSUFFICIENT_FUNDS');

    return toOffer(withdrawals.offer({ userId, parties, inspectedBlock, token, amount: BigInt(amount), recipient }));
  });

const STATUS: Partial<Record<WithdrawalStatus, SubmittedStatus>> = {
  completed: SubmittedStatus.COMPLETED,
  failed: SubmittedStatus.FAILED,
  refused: SubmittedStatus.FAILED,
};

/** Carries out a withdrawal that the caller has signed. */
const submitWithdrawal = ({ keeper, accounts, assets }: Dependencies) =>
  userMethod(async (request: SubmitWithdrawalRequest, { caller: { userId } }) => {
    const { withdrawalId, signature: text } = request;
    const own = await requireOwnSafe({ keeper, accounts }, userId);
    const withdrawal = await own.withdrawals.find(withdrawalId);
    if (withdrawal === undefined || withdrawal.userId !== userId) throw new CodedError('WITHDRAWAL_NOT_FOUND');
    const { account, parties, withdrawals } = (await holderOf({ keeper, accounts }, own, withdrawal.accountId)) ?? own;
    // The transfer of what the ledger is about to set aside, to its recipient: that is what must be signed, and what will be sent.
    const token = findToken(assets, withdrawal.token, account.chainId)?.address;
    const { chainId, nonce } = withdrawal.transaction;
    const place = { chainId, safe: parties.safe, nonce };
    const expected =
      token === undefined
        ? undefined
        : withdrawalTransaction({ ...place, token: getAddress(token), recipient: withdrawal.recipient, amount: withdrawal.amount });
    const digest = safeTransactionHash(withdrawal.transaction);
    const signature = canonicalSignature(text);
    if (expected === undefined || safeTransactionHash(expected) !== digest || signature === undefined)
      throw new CodedError('INVALID_SIGNATURE');
    // An owner who was exchanged since signs nothing.
    if (withdrawal.owner !== parties.owner || (await recoverSigner(digest, signature)) !== withdrawal.owner)
      throw new CodedError('INVALID_SIGNATURE');
    const { status } = await onNodes(withdrawals.submit(withdrawal, signature));
    return { withdrawalId, status: STATUS[status] ?? SubmittedStatus.PROCESSING };
  });

/** Returns true if the caller and the platform together move what is in the Safe of a former account. Nobody watches the current account's address on another chain. */
const isCosigned = async (own: Own, { account, parties, withdrawals }: Own): Promise<boolean> =>
  account.chainId === own.account.chainId && onNodes(withdrawals.isShared(parties));

/** The Safe of one of the caller's accounts, if it returns deposits now. */
const returningSafe = async (
  parts: Pick<Dependencies, 'keeper' | 'accounts'>,
  own: Own,
  account: Own['account'],
): Promise<Own | undefined> => {
  if (account === own.account) return own;
  try {
    const former = await safeOf(parts, account);
    return (await isCosigned(own, former)) ? former : undefined;
  } catch {
    // Its chain may not be served any more: that must not hide the returns of the others.
    return undefined;
  }
};

/** The rejected deposits of the caller's accounts that are to go back to their senders. */
const listReturns = ({ keeper, accounts, exceptions }: Dependencies) =>
  userMethod(async (_request: ListReturnsRequest, { caller: { userId } }) => {
    const own = await requireOwnSafe({ keeper, accounts }, userId);
    const returns = [];
    for (const account of [own.account, ...(await formerAccounts({ accounts }, own.account))]) {
      const found = await exceptions.returnsOf(account.id);
      const safe = found.length === 0 ? undefined : await returningSafe({ keeper, accounts }, own, account);
      if (safe === undefined) continue;
      for (const { id, transfer } of found) {
        const { token, amount, counterparty, txHash } = transfer;
        const [recipient, safeAddress] = [getAddress(counterparty), safe.parties.safe];
        returns.push({ id, token, amount: amount.toString(), recipient, txHash, safeAddress });
      }
    }
    return { returns };
  });

/** Freezes the transaction that returns a rejected deposit to its sender. */
const createReturnChallenge = ({ keeper, accounts, assets, cursors, exceptions }: Dependencies) =>
  userMethod(async ({ returnId }: CreateReturnChallengeRequest, { caller: { userId } }) => {
    const own = await requireOwnSafe({ keeper, accounts }, userId);
    const exception = await exceptions.find(returnId);
    const holder = (await holderOf({ keeper, accounts }, own, exception?.transfer.accountId)) ?? own;
    const { id, transfer } = requireReturn(exception, holder.account.id);
    const { amount, counterparty } = transfer;
    const token = requireToken(assets, transfer.token, holder);
    await requireWithdrawable(own, cursors);
    if (holder !== own && !(await isCosigned(own, holder))) throw new CodedError('SAFE_NOT_VERIFIED');
    const { parties, stored, withdrawals } = holder;
    const order = { userId, parties, inspectedBlock: stored?.inspectedBlock, token, amount, recipient: getAddress(counterparty) };
    return toOffer(withdrawals.offerReturn(order, id, own.account.id));
  });

/** The amounts that a former account can move now, by symbol. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
const movableOf = async ({ entries, assets }: Pick<Dependencies, 'entries' | 'assets'>, former: Own): Promise<Map<string, Amount>> => {
  const { account, parties, stored, withdrawals } = former;
  const [available, { totals }] = await Promise.all([entries.available(account.id), entries.totalsAfter(account.id, stored?.sums)]);
  const movable = new Map<string, Amount>();
  for (const { symbol, address } of tokensOf(assets, former)) {
    const amount = available.get(symbol) ?? 0n;
    if (amount > 0n) movable.set(symbol, await onNodes(withdrawals.movable(parties, address, amount, totals.get(symbol))));
  }
  return movable;
};

/** The money of the caller's former accounts. */
const listMoves = ({ keeper, accounts, entries, assets }: Dependencies) =>
  userMethod(async (_request: ListMovesRequest, { caller: { userId } }) => {
    const own = await requireOwnSafe({ keeper, accounts }, userId);
    const moves = [];
    for (const account of await formerAccounts({ accounts }, own.account)) {
      const former = await safeOf({ keeper, accounts }, account);
      const found = [...(await movableOf({ entries, assets }, former))].filter(([, amount]) => amount > 0n);
      if (found.length === 0) continue;
      const cosigned = await isCosigned(own, former);
      const known = { accountId: account.id, safeAddress: former.parties.safe, firstOwner: account.owner, cosigned };
      moves.push(...found.map(([token, amount]) => ({ ...known, token, amount: amount.toString() })));
    }
    return { moves, ready: own.account.active && own.stored?.status === 'verified' };
  });

/** Freezes the transaction that moves the money of a former account to the current account's Safe. */
const createMoveChallenge = ({ keeper, accounts, entries, assets, cursors }: Dependencies) =>
  userMethod(async ({ accountId, token: symbol }: CreateMoveChallengeRequest, { caller: { userId } }) => {
    const own = await requireOwnSafe({ keeper, accounts }, userId);
    const former = await holderOf({ keeper, accounts }, own, accountId);
    if (former === undefined || former === own) throw new CodedError('ACCOUNT_NOT_FOUND');
    const token = requireToken(assets, symbol, former);
    await requireWithdrawable(own, cursors);
    const amount = (await movableOf({ entries, assets }, former)).get(symbol) ?? 0n;
    if (amount <= 0n) throw new CodedError('INSUFFICIENT_FUNDS');
    if (!(await isCosigned(own, former))) throw new CodedError('SAFE_NOT_VERIFIED');
    const { parties, stored, withdrawals } = former;
    const order = { userId, parties, inspectedBlock: stored?.inspectedBlock, token, amount, recipient: own.parties.safe };
    return toOffer(withdrawals.offerMove(order, own.account.id));
  });

/** The amounts that the caller may still withdraw. */
const listWithdrawalAllowances = ({ keeper, accounts }: Dependencies) =>
  userMethod(async (_request: ListWithdrawalAllowancesRequest, { caller: { userId } }) => {
    const { account, withdrawals } = await requireOwnSafe({ keeper, accounts }, userId);
    const found = await withdrawals.allowances(account.id);
    return { allowances: found.map(({ token, amount }) => ({ token, amount: amount.toString() })) };
  });

/** Implementation of the contract `WithdrawalService`. */
export const withdrawalService = (dependencies: Dependencies): ServiceImplementation =>
  implement(WithdrawalService, {
    createWithdrawalChallenge: createWithdrawalChallenge(dependencies),
    submitWithdrawal: submitWithdrawal(dependencies),
    listReturns: listReturns(dependencies),
    createReturnChallenge: createReturnChallenge(dependencies),
    listMoves: listMoves(dependencies),
    createMoveChallenge: createMoveChallenge(dependencies),
    listWithdrawalAllowances: listWithdrawalAllowances(dependencies),
  });
