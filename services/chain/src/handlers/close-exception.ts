import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import type { CloseExceptionRequest } from '@florin/proto/chain/v1/watch_service';
import { actorSchema, assertOwnName } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Dependencies, requireException } from './dependencies.ts';
import { toWireException } from './to-wire.ts';

const requestSchema = z.object({
  exceptionId: uuidSchema,
  actor: actorSchema,
  note: z.string().trim().min(1).max(512),
  booked: z.boolean(),
});

/**
 * Records what a person did about an exception.
 * @throws CodedError EXCEPTION_NOT_FOUND, EXCEPTION_STATE_CONFLICT (a retry of it has not ended), FORBIDDEN, VALIDATION_FAILED
 */
export const closeException = ({ exceptions }: Dependencies) =>
  serviceMethod(CHAIN_SCOPES.writeExceptions, async (request: CloseExceptionRequest, { caller }) => {
    const { exceptionId, actor: closedBy, note, booked } = parseRequest(requestSchema, request);
    assertOwnName(caller, closedBy);
    const exception = requireException(await exceptions.close(exceptionId, { closedBy, note, booked }));
    if (exception.status === 'retrying')
      throw new CodedError('EXCEPTION_STATE_CONFLICT', { message: 'the transfer is being booked again' });
    return { exception: toWireException(exception) };
  });
