import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import type { CloseExceptionRequest } from '@florin/proto/chain/v1/watch_service';
import { actorSchema, assertOwnName } from '@florin/rpc/actors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Dependencies, requireException } from './dependencies.ts';
import { toWireException } from './to-wire.ts';

const requestSchema = z.object({ exceptionId: uuidSchema, actor: actorSchema, note: z.string().trim().min(1).max(512) });

/**
 * Records what a person did about an exception.
 * @throws CodedError EXCEPTION_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED
 */
export const closeException = ({ exceptions }: Dependencies) =>
  serviceMethod(CHAIN_SCOPES.writeExceptions, async (request: CloseExceptionRequest, { caller }) => {
    const { exceptionId, actor, note } = parseRequest(requestSchema, request);
    assertOwnName(caller, actor);
    return { exception: toWireException(requireException(await exceptions.close(exceptionId, actor, note))) };
  });
