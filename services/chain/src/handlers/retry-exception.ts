import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import type { RetryExceptionRequest } from '@florin/proto/chain/v1/watch_service';
import { actorSchema, assertOwnName } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Dependencies, requireException } from './dependencies.ts';
import { toWireException } from './to-wire.ts';

const requestSchema = z.object({ exceptionId: uuidSchema, actor: actorSchema });

/**
 * Books a refused transfer again. Interrupted between booking and closing, a repeat books nothing twice and closes it.
 * @throws CodedError EXCEPTION_NOT_FOUND, EXCEPTION_STATE_CONFLICT, FORBIDDEN, VALIDATION_FAILED
 */
export const retryException = ({ exceptions, movements }: Dependencies) =>
  serviceMethod(CHAIN_SCOPES.writeExceptions, async (request: RetryExceptionRequest, { caller }) => {
    const { exceptionId, actor } = parseRequest(requestSchema, request);
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
