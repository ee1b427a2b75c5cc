import type { RetryExceptionRequest } from '@florin/proto/chain/v1/watch_service';
import { assertOwnName } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { type Dependencies, requireException } from './dependencies.ts';
import { toWireException } from './to-wire.ts';

/** Books a refused transfer again. Interrupted between booking and closing, a repeat books nothing twice and closes it. */
export const retryException = ({ exceptions, movements }: Dependencies) =>
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
