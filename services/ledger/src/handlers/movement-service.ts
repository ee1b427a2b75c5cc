import { timestampDate } from '@bufbuild/protobuf/wkt';
import { cutFound, cutPage, decodeIdCursor, encodeIdCursor, findLimitOf, pageOf } from '@florin/data/paging';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import {
  type FindDepositsRequest,
  type FindWithdrawalsRequest,
  type ListDepositsRequest,
  type ListPendingDepositsRequest,
  type ListWithdrawalsRequest,
  MovementService,
  type ResolveDepositRequest,
} from '@florin/proto/ledger/v1/movement_service';
import { findToken, requireToken } from '@florin/rpc/assets';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { parseAmount } from '@florin/rpc/money';
import { implement, type ServiceImplementation, serviceMethod, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import type { Account } from '../domain/account.ts';
import { depositIdOf, depositResolved, depositSeen } from '../domain/deposit.ts';
import type { Movement } from '../domain/movement.ts';
import { judgeReport, withdrawalCreated, withdrawalReported } from '../domain/withdrawal.ts';
import { currentMovement } from '../journal/current-movement.ts';
import type { KytScreener, Screening } from '../ports/kyt-screener.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { readAddress, readMetadata, readOperatorMetadata } from './fields.ts';
import { movementPage } from './movement-page.ts';
import { ownedMethod } from './owned-method.ts';
import { reverseDeposit } from './reverse-deposit.ts';
import { fromWireDepositStatus, fromWireWithdrawalStatus, toWireDeposit, toWireWithdrawal } from './to-wire.ts';

/** Reports whether the account is closed is decided by the journal, where a deposit and a close have an order. */
const recordDeposit = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.recordDeposit,
    serviceMethod,
    (request) => {
      const { accountId, token: symbol, amount: text, chainId, txHash, logIndex } = request;
      const event = { chainId, txHash, logIndex };
      const token = requireToken(dependencies.assets, symbol, event.chainId);
      const from = request.fromAddress === '' ? '' : readAddress('from_address', request.fromAddress);
      return { accountId, token, amount: parseAmount(text), event, from };
    },
    async ({ accountId, token, amount, event, from }, journal) => {
      const { accounts, claims, movements, screenSoon } = dependencies;
      requireAccount(await accounts.find(accountId));
      const id = depositIdOf(event);
      if ((await claims.claim('deposits', id, accountId)) !== accountId) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      const outcome = await journal.appendOne(depositSeen(event, accountId, token, amount, from));
      if (outcome.kind === 'refused') {
        // A closed account stays closed: no repeat can bring the deposit in there, and the event may be booked for another account.
        if (outcome.code === 'ACCOUNT_CLOSED') await claims.release('deposits', id, accountId);
        throw new CodedError(outcome.code);
      }
      if (outcome.kind === 'created') {
        screenSoon(accountId);
        return { deposit: toWireDeposit(movementAfter(undefined, outcome)) };
      }
      if (!outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { deposit: toWireDeposit(mustExist(await currentMovement(movements, journal, 'deposits', id))) };
    },
  );

const toOutcome = (status: DepositStatus): 'approved' | 'rejected' => (status === DepositStatus.APPROVED ? 'approved' : 'rejected');

/** The decision of a request. Without what a screening found, a person has decided. */
const read = ({ depositId, status, kytBreakdown, metadata }: ResolveDepositRequest) => {
  if (kytBreakdown === undefined) return { depositId, status, kytBreakdown, metadata: readOperatorMetadata(metadata) };
  const { result, riskScore, riskTier } = kytBreakdown;
  return { depositId, status, kytBreakdown: { result, riskScore, riskTier }, metadata: readMetadata(metadata) };
};

/** Ends the screening of a deposit; of two outcomes that race the journal takes one. */
const resolveDeposit = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.resolveDeposit,
    serviceMethod,
    async (request) => {
      const resolution = read(request);
      const accountId = await dependencies.claims.accountOf('deposits', resolution.depositId);
      if (accountId === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      return { accountId, ...resolution };
    },
    async ({ depositId, status, kytBreakdown, metadata }, journal) => {
      const { movements } = dependencies;
      const deposit = await currentMovement(movements, journal, 'deposits', depositId);
      if (deposit === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      const outcome = await journal.appendOne(depositResolved(deposit, toOutcome(status), kytBreakdown, metadata));
      if (outcome.kind === 'refused') throw new CodedError(outcome.code);
      if (outcome.kind === 'created') return { deposit: toWireDeposit(movementAfter(deposit, outcome)) };
      if (!outcome.same) throw new CodedError('DEPOSIT_STATE_CONFLICT');
      return { deposit: toWireDeposit(mustExist(await currentMovement(movements, journal, 'deposits', depositId))) };
    },
  );

/** The deposits of a transaction, for the platform's services: from the database, at any instance. */
const findDeposits = ({ movements }: Dependencies) =>
  serviceMethod(async (request: FindDepositsRequest) => {
    const { txHash } = request;
    const limit = findLimitOf(request);
    const { rows, hasMore } = cutFound(await movements.ofTransaction('deposits', txHash, limit + 1), limit);
    return { deposits: rows.map(toWireDeposit), hasMore };
  });

/** The withdrawals of a transaction, for the platform's services: from the database, at any instance. */
const findWithdrawals = ({ movements }: Dependencies) =>
  serviceMethod(async (request: FindWithdrawalsRequest) => {
    const { txHash } = request;
    const limit = findLimitOf(request);
    const { rows, hasMore } = cutFound(await movements.ofTransaction('withdrawals', txHash, limit + 1), limit);
    return { withdrawals: rows.map(toWireWithdrawal), hasMore };
  });

/** Any deposit, for the platform's services. */
const getDeposit = ({ claims, movements, shards }: Dependencies) =>
  ownedMethod(
    shards,
    MovementService.method.getDeposit,
    serviceMethod,
    async (request) => {
      const { depositId } = request;
      const accountId = await claims.accountOf('deposits', depositId);
      if (accountId === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      return { accountId, depositId };
    },
    async ({ depositId }, journal) => {
      const deposit = await currentMovement(movements, journal, 'deposits', depositId);
      if (deposit === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      return { deposit: toWireDeposit(deposit) };
    },
  );

/** Any withdrawal, for the platform's services. */
const getWithdrawal = ({ claims, movements, shards }: Dependencies) =>
  ownedMethod(
    shards,
    MovementService.method.getWithdrawal,
    serviceMethod,
    async (request) => {
      const { withdrawalId } = request;
      const accountId = await claims.accountOf('withdrawals', withdrawalId);
      if (accountId === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { accountId, withdrawalId };
    },
    async ({ withdrawalId }, journal) => {
      const withdrawal = await currentMovement(movements, journal, 'withdrawals', withdrawalId);
      if (withdrawal === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { withdrawal: toWireWithdrawal(withdrawal) };
    },
  );

/** Requires that an address is the Safe of the account's last successor, on the same chain. @throws CodedError SAFE_NOT_VERIFIED */
const requireSuccessorsSafe = async (accounts: Dependencies['accounts'], account: Account, to: string): Promise<void> => {
  let newest = account;
  while (newest.successorAccountId !== undefined) newest = requireAccount(await accounts.find(newest.successorAccountId));
  const { safeConfirmedAt, safeOwnerRevokedAt, safeAddress, chainId } = newest;
  const isTheirs = newest !== account && to === safeAddress && chainId === account.chainId;
  if (!isTheirs || safeConfirmedAt === undefined || safeOwnerRevokedAt !== undefined) throw new CodedError('SAFE_NOT_VERIFIED');
};

/** Reserves money; the journal decides whether there is enough. */
const createWithdrawal = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.createWithdrawal,
    serviceMethod,
    (request) => {
      const { withdrawalId, accountId, txHash, toAddress, forced, toSuccessor } = request;
      requireFields({ to_successor: toSuccessor && forced ? 'must be false with forced' : undefined });
      const to = toAddress === '' ? '' : readAddress('to_address', toAddress);
      const metadata = readMetadata(request.metadata);
      const token = requireToken(dependencies.assets, request.token);
      return { withdrawalId, accountId, token, amount: parseAmount(request.amount), txHash, to, forced, metadata, toSuccessor };
    },
    async ({ withdrawalId: id, accountId, token, ...rest }, journal) => {
      const { accounts, assets, claims, movements } = dependencies;
      const account = requireAccount(await accounts.find(accountId));
      requireToken(assets, token.symbol, account.chainId);
      if (rest.toSuccessor) await requireSuccessorsSafe(accounts, account, rest.to);
      if ((await claims.claim('withdrawals', id, accountId)) !== accountId) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      const outcome = await journal.appendOne(withdrawalCreated({ id, accountId, token, ...rest }));
      if (outcome.kind === 'created') return { withdrawal: toWireWithdrawal(movementAfter(undefined, outcome)) };
      if (outcome.kind === 'refused') {
        // Blocked or closed: to the caller the same thing.
        const inactive = outcome.code === 'ACCOUNT_CLOSED' || outcome.code === 'ACCOUNT_BLOCKED';
        throw new CodedError(inactive ? 'ACCOUNT_NOT_ACTIVE' : outcome.code);
      }
      if (!outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { withdrawal: toWireWithdrawal(mustExist(await currentMovement(movements, journal, 'withdrawals', id))) };
    },
  );

const TARGETS: Readonly<Partial<Record<WithdrawalStatus, 'processing' | 'completed' | 'failed'>>> = {
  [WithdrawalStatus.PROCESSING]: 'processing',
  [WithdrawalStatus.COMPLETED]: 'completed',
  [WithdrawalStatus.FAILED]: 'failed',
};

/** The state may have changed by the time the journal decides: then it is read again, and a report that is true by then succeeds. */
const updateWithdrawal = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.updateWithdrawal,
    serviceMethod,
    async (request) => {
      const { withdrawalId, txHash, reason: failure } = request;
      const target = stated(TARGETS[request.status]);
      requireFields({
        tx_hash: target === 'failed' && txHash !== '' ? 'must be empty with FAILED' : undefined,
        reason: target !== 'failed' && failure !== '' ? 'must be empty without FAILED' : undefined,
      });
      const accountId = await dependencies.claims.accountOf('withdrawals', withdrawalId);
      if (accountId === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { accountId, withdrawalId, target, txHash, failure };
    },
    async ({ withdrawalId, target, txHash, failure }, journal) => {
      const read = async () => {
        const withdrawal = await currentMovement(dependencies.movements, journal, 'withdrawals', withdrawalId);
        if (withdrawal === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
        return withdrawal;
      };
      const before = await read();
      const verdict = judgeReport(before.status, target);
      if (verdict === 'known') return { withdrawal: toWireWithdrawal(before) };
      if (verdict === 'conflict') throw new CodedError('WITHDRAWAL_STATE_CONFLICT');
      const outcome = await journal.appendOne(withdrawalReported(before, target, { txHash, failure }));
      if (outcome.kind === 'created') return { withdrawal: toWireWithdrawal(movementAfter(before, outcome)) };
      const now = await read();
      const stands = outcome.kind === 'exists' ? outcome.same : judgeReport(now.status, target) === 'known';
      if (!stands) throw new CodedError(outcome.kind === 'refused' ? outcome.code : 'WITHDRAWAL_STATE_CONFLICT');
      return { withdrawal: toWireWithdrawal(now) };
    },
  );

/** @throws CodedError SERVICE_UNAVAILABLE when the screener fails */
const screenRecipient = async (screener: KytScreener, { safeAddress, chainId }: Account, withdrawal: Movement): Promise<Screening> => {
  const { id: withdrawalId, accountId, token, amount, decimals, currency, to: recipientAddress = '' } = withdrawal;
  const money = { token, amount, decimals, currency };
  try {
    return await screener.screenRecipient({ withdrawalId, accountId, chainId, safeAddress, recipientAddress, ...money });
  } catch (cause) {
    throw new CodedError('SERVICE_UNAVAILABLE', { cause });
  }
};

/** Screens the recipient of a withdrawal, and returns the account's rejected deposits. */
const screenWithdrawal = ({ accounts, assets, claims, movements, screener, shards }: Dependencies) =>
  ownedMethod(
    shards,
    MovementService.method.screenWithdrawal,
    serviceMethod,
    async ({ withdrawalId, leastAmounts }) => {
      const accountId = await claims.accountOf('withdrawals', withdrawalId);
      if (accountId === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { accountId, withdrawalId, leastAmounts };
    },
    async ({ accountId, withdrawalId, leastAmounts }, journal) => {
      const withdrawal = await currentMovement(movements, journal, 'withdrawals', withdrawalId);
      if (withdrawal === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      const account = requireAccount(await accounts.find(accountId));
      const isScreened = screener !== undefined && withdrawal.to !== undefined;
      const recipient = isScreened ? await screenRecipient(screener, account, withdrawal) : undefined;
      const rejected = await movements.rejectedDeposits(accountId, (token) => BigInt(leastAmounts[token] ?? 0));
      const onChain = rejected.filter(({ token }) => findToken(assets, token)?.chainId === account.chainId);
      return { ...(recipient === undefined ? {} : { recipient }), rejectedDeposits: onChain.map(toWireDeposit) };
    },
  );

/** A page of all deposits that wait for a decision, by id. One that is decided at the same time is left out. */
const listPendingDeposits = ({ movements, screenings }: Dependencies) =>
  serviceMethod(async (request: ListPendingDepositsRequest) => {
    const page = pageOf(request);
    const found = await screenings.ids(decodeIdCursor(page.cursor), page.limit + 1);
    const { rows, nextCursor } = cutPage(found, page.limit, encodeIdCursor);
    const deposits = (await movements.findMany('deposits', rows)).filter(({ status }) => status === 'pending');
    return { deposits: deposits.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(toWireDeposit), page: { nextCursor } };
  });

/** The filter of a list but for its states. @throws CodedError VALIDATION_FAILED for a period that is reversed */
const filterOf = (request: ListDepositsRequest | ListWithdrawalsRequest) => {
  const [from, to] = [request.from && timestampDate(request.from), request.to && timestampDate(request.to)];
  requireFields({ from: from !== undefined && to !== undefined && from > to ? 'must not be after to' : undefined });
  return { token: request.token, currency: request.currency, from, to };
};

/** A page of a user's deposits, newest first. */
const listDeposits = (parts: Dependencies) =>
  userOrServiceMethod(async (request: ListDepositsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const filter = { ...filterOf(request), statuses: request.statuses.map(fromWireDepositStatus) };
    const { rows, nextCursor } = await movementPage(parts, 'deposits', userId, { ...pageOf(request), filter });
    // Who has decided is for the platform alone.
    const isTold = caller.kind === 'service' && caller.partnerId === undefined;
    const deposits = rows.map(({ resolvedBy, ...row }) => toWireDeposit(isTold && resolvedBy !== undefined ? { ...row, resolvedBy } : row));
    return { deposits, page: { nextCursor } };
  });

/** A page of a user's withdrawals, newest first. */
const listWithdrawals = (parts: Dependencies) =>
  userOrServiceMethod(async (request: ListWithdrawalsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const filter = { ...filterOf(request), statuses: request.statuses.map(fromWireWithdrawalStatus) };
    const { rows, nextCursor } = await movementPage(parts, 'withdrawals', userId, { ...pageOf(request), filter });
    return { withdrawals: rows.map(toWireWithdrawal), page: { nextCursor } };
  });

/** Implementation of the contract `MovementService`. */
export const movementService = (dependencies: Dependencies): ServiceImplementation =>
  implement(MovementService, {
    recordDeposit: recordDeposit(dependencies),
    resolveDeposit: resolveDeposit(dependencies),
    reverseDeposit: reverseDeposit(dependencies),
    findDeposits: findDeposits(dependencies),
    findWithdrawals: findWithdrawals(dependencies),
    getDeposit: getDeposit(dependencies),
    getWithdrawal: getWithdrawal(dependencies),
    createWithdrawal: createWithdrawal(dependencies),
    updateWithdrawal: updateWithdrawal(dependencies),
    screenWithdrawal: screenWithdrawal(dependencies),
    listPendingDeposits: listPendingDeposits(dependencies),
    listDeposits: listDeposits(dependencies),
    listWithdrawals: listWithdrawals(dependencies),
  });
