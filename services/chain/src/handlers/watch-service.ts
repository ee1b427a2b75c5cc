import { cutPage, decodeTimeCursor, encodeTimeCursor, pageOf } from '@florin/data/paging';
import {
  type CloseExceptionRequest,
  type ListChainWatchesRequest,
  type ListExceptionsRequest,
  type ResolveHaltRequest,
  type RetryExceptionRequest,
  type ReturnDepositRequest,
  WatchService,
} from '@florin/proto/chain/v1/watch_service';
import { assertOwnName } from '@florin/rpc/actors';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { endTokenBlock } from '../alarming/token-alarms.ts';
import { carryOutResolution } from '../resolving/carry-out-resolution.ts';
import { planResolution, type Resolution, ResolutionError } from '../resolving/plan-resolution.ts';
import { type Dependencies, requireException } from './dependencies.ts';
import { STATUSES, toWireException, toWireSafeTransfer, toWireWatch } from './to-wire.ts';

/** How the watching of each chain goes. */
const listChainWatches = ({ watches }: Dependencies) =>
  serviceMethod((_request: ListChainWatchesRequest) => ({
    watches: watches
      .map(({ status }) => status())
      .sort((a, b) => a.chainId - b.chainId)
      .map(toWireWatch),
  }));

/** A page of exceptions, newest first. */
const listExceptions = ({ exceptions }: Dependencies) =>
  serviceMethod(async (request: ListExceptionsRequest) => {
    const { status, txHash } = request;
    const page = pageOf(request);
    const found = await exceptions.page({
      limit: page.limit + 1,
      before: decodeTimeCursor(page.cursor),
      status: STATUSES.toWord(status),
      txHash: txHash || undefined,
    });
    const { rows, nextCursor } = cutPage(found, page.limit, encodeTimeCursor);
    return { exceptions: rows.map(toWireException), page: { nextCursor } };
  });

/** Books a refused transfer again. Interrupted between booking and closing, a repeat books nothing twice and closes it. */
const retryException = ({ exceptions, movements }: Dependencies) =>
  serviceMethod(async (request: RetryExceptionRequest, { caller }) => {
    const { exceptionId, actor } = request;
    assertOwnName(caller, actor);
    const found = requireException(await exceptions.find(exceptionId));
    if (found.kind !== 'refused') throw new CodedError('EXCEPTION_STATE_CONFLICT');
    const retryUntil = await exceptions.beginRetry(exceptionId);
    if (retryUntil === undefined) {
      const current = requireException(await exceptions.find(exceptionId));
      if (current.status !== 'closed') throw new CodedError('EXCEPTION_STATE_CONFLICT', { message: 'the transfer is being booked again' });
      return { exception: toWireException(current) };
    }
    const code = await movements.book(found.transfer);
    const changed = code === undefined ? exceptions.endBooked(exceptionId, actor) : exceptions.endRefused(exceptionId, code, retryUntil);
    return { exception: toWireException(requireException(await changed)) };
  });

/** Records what a person did about an exception. One that blocks a token for all accounts does so until then. */
const closeException = ({ exceptions, accounts }: Dependencies) =>
  serviceMethod(async (request: CloseExceptionRequest, { caller }) => {
    const { exceptionId, actor: closedBy, booked } = request;
    const note = request.note.trim();
    requireFields({ note: note === '' ? 'must not be empty' : undefined });
    assertOwnName(caller, closedBy);
    const exception = requireException(await exceptions.close(exceptionId, { closedBy, note, booked }));
    if (exception.status === 'retrying')
      throw new CodedError('EXCEPTION_STATE_CONFLICT', { message: 'the transfer is being booked again' });
    if (exception.status === 'open') throw new CodedError('EXCEPTION_STATE_CONFLICT', { message: 'the deposit is on the way back' });
    const { code, transfer } = exception;
    if (code === 'TOKEN_PAUSED' || code === 'TOKEN_UPGRADED') await endTokenBlock({ exceptions, accounts }, transfer.token, code);
    return { exception: toWireException(exception) };
  });

/** Decides that a rejected deposit goes back to its sender. */
const returnDeposit = ({ exceptions }: Dependencies) =>
  serviceMethod(async ({ exceptionId, actor, ...request }: ReturnDepositRequest, { caller }) => {
    const note = request.note.trim();
    requireFields({ note: note === '' ? 'must not be empty' : undefined });
    assertOwnName(caller, actor);
    const exception = requireException(await exceptions.decideReturn(exceptionId, actor, note));
    if (exception.returnedBy === undefined) throw new CodedError('EXCEPTION_STATE_CONFLICT');
    return { exception: toWireException(exception) };
  });

const explain = (cause: unknown): CodedError => {
  if (cause instanceof CodedError) return cause;
  if (cause instanceof ResolutionError) {
    const metadata = Object.fromEntries(Object.entries(cause.expected).map(([name, block]) => [name, String(block)]));
    return new CodedError('HALT_NOT_RESOLVABLE', { message: cause.message, metadata });
  }
  return new CodedError('SERVICE_UNAVAILABLE', { cause });
};

/** Resolves a halted chain, or says what that would do. */
const resolveHalt = (parts: Dependencies) =>
  serviceMethod(async (request: ResolveHaltRequest, { caller }) => {
    const { chainId, dryRun, actor } = request;
    const fromBlock = Number(request.fromBlock);
    const reason = request.reason.trim();
    requireFields({ reason: reason === '' ? 'must not be empty' : undefined });
    assertOwnName(caller, actor);
    const chain = parts.chains.find((one) => one.chainId === chainId);
    const cursor = await parts.cursors.find(chainId);
    if (chain === undefined || cursor?.haltedAt === undefined) throw new CodedError('CHAIN_NOT_HALTED');
    const plan = (): Promise<Resolution> => planResolution({ ...parts, ...chain }, cursor, fromBlock);
    const resolution = await plan().catch((cause: unknown) => {
      throw explain(cause);
    });
    const resumed = dryRun ? false : await carryOutResolution(parts, cursor, resolution, { actor, reason });
    if (!dryRun && !resumed) throw new CodedError('CHAIN_NOT_HALTED');
    const { kept, vanished, resumeAt } = resolution;
    return {
      resumeBlock: BigInt(resumeAt.number),
      resumeHash: resumeAt.hash,
      kept,
      vanished: vanished.map(toWireSafeTransfer),
      resumed,
    };
  });

/** Implementation of the contract `WatchService`. */
export const watchService = (dependencies: Dependencies): ServiceImplementation =>
  implement(WatchService, {
    listChainWatches: listChainWatches(dependencies),
    listExceptions: listExceptions(dependencies),
    retryException: retryException(dependencies),
    closeException: closeException(dependencies),
    returnDeposit: returnDeposit(dependencies),
    resolveHalt: resolveHalt(dependencies),
  });
