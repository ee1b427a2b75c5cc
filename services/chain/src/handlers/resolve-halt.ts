import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import type { ResolveHaltRequest } from '@florin/proto/chain/v1/watch_service';
import { actorSchema, assertOwnName } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { carryOutResolution } from '../resolving/carry-out-resolution.ts';
import { planResolution, type Resolution, ResolutionError } from '../resolving/plan-resolution.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireSafeTransfer } from './to-wire.ts';

const requestSchema = z.object({
  chainId: z.number(),
  fromBlock: z.bigint().max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number),
  actor: actorSchema,
  reason: z.string().trim().min(1).max(256),
  dryRun: z.boolean(),
});

const explain = (cause: unknown): CodedError => {
  if (cause instanceof CodedError) return cause;
  if (cause instanceof ResolutionError) {
    const metadata = Object.fromEntries(Object.entries(cause.expected).map(([name, block]) => [name, String(block)]));
    return new CodedError('HALT_NOT_RESOLVABLE', { message: cause.message, metadata });
  }
  return new CodedError('SERVICE_UNAVAILABLE', { cause });
};

/**
 * Resolves a halted chain, or says what that would do.
 * @throws CodedError CHAIN_NOT_HALTED, HALT_NOT_RESOLVABLE, FORBIDDEN, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, VALIDATION_FAILED
 */
export const resolveHalt = (parts: Dependencies) =>
  serviceMethod(CHAIN_SCOPES.writeWatches, async (request: ResolveHaltRequest, { caller }) => {
    const { chainId, fromBlock, dryRun, ...order } = parseRequest(requestSchema, request);
    assertOwnName(caller, order.actor);
    const chain = parts.chains.find((one) => one.chainId === chainId);
    const cursor = await parts.cursors.find(chainId);
    if (chain === undefined || cursor?.haltedAt === undefined) throw new CodedError('CHAIN_NOT_HALTED');
    const plan = (): Promise<Resolution> => planResolution({ ...parts, ...chain }, cursor, fromBlock);
    const resolution = await plan().catch((cause: unknown) => {
      throw explain(cause);
    });
    const resumed = dryRun ? false : await carryOutResolution(parts, cursor, resolution, order);
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
