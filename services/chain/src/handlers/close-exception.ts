import type { CloseExceptionRequest } from '@florin/proto/chain/v1/watch_service';
import { assertOwnName } from '@florin/rpc/actors';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { type Dependencies, requireException } from './dependencies.ts';
import { toWireException } from './to-wire.ts';

/** Records what a person did about an exception. */
export const closeException = ({ exceptions }: Dependencies) =>
  serviceMethod(async (request: CloseExceptionRequest, { caller }) => {
    const { exceptionId, actor: closedBy, booked } = request;
    const note = request.note.trim();
    requireFields({ note: note === '' ? 'must not be empty' : undefined });
    assertOwnName(caller, closedBy);
    const exception = requireException(await exceptions.close(exceptionId, { closedBy, note, booked }));
    if (exception.status === 'retrying')
      throw new CodedError('EXCEPTION_STATE_CONFLICT', { message: 'the transfer is being booked again' });
    return { exception: toWireException(exception) };
  });
