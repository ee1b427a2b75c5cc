import type { ResolveHaltRequest } from '@florin/proto/chain/v1/watch_service';
import { assertOwnName } from '@florin/rpc/actors';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { carryOutResolution } from '../resolving/carry-out-resolution.ts';
import { planResolution, type Resolution, ResolutionError } from '../resolving/plan-resolution.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireSafeTransfer } from './to-wire.ts';

const explain = (cause: unknown): CodedError => {
  if (cause instanceof CodedError) return cause;
  if (cause instanceof ResolutionError) {
    const metadata = Object.fromEntries(Object.entries(cause.expected).map(([name, block]) => [name, String(block)]));
    return new CodedError('HALT_NOT_RESOLVABLE', { message: cause.message, metadata });
  }
  return new CodedError('SERVICE_UNAVAILABLE', { cause });
};

/** Resolves a halted chain, or says what that would do. */
export const resolveHalt = (parts: Dependencies) =>
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
