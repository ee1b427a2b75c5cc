import type { ServiceCaller, UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import type { ChangeRequest } from '../life/change-card.ts';

const printable = (maxCharacters: number) =>
  z
    .string()
    .regex(new RegExp(`^[^\\p{C}\\p{Zl}\\p{Zp}]{0,${maxCharacters}}$`, 'u'), `must have at most ${maxCharacters} printable characters`);

const requestSchema = z.object({
  cardId: uuidSchema,
  requestId: uuidSchema,
  actor: printable(100).transform((text) => text.trim()),
  reason: printable(200).transform((text) => text.trim()),
});

const required = (text: string, field: string): string => {
  if (text === '') throw new CodedError('VALIDATION_FAILED', { message: `${field}: is required with a service token` });
  return text;
};

/**
 * The common fields of the requests that change a card. A user acts as the cardholder; a service acts as the issuer and must name an
 * actor and a reason.
 * @throws CodedError VALIDATION_FAILED
 */
export const parseChangeRequest = (request: object, caller: UserCaller | ServiceCaller): ChangeRequest => {
  const { cardId, requestId, actor, reason } = parseRequest(requestSchema, request);
  if (caller.kind === 'service') {
    const actorId = `${caller.name}:${required(actor, 'actor')}`;
    return { cardId, requestId, actor: 'issuer', actorId, reason: required(reason, 'reason') };
  }
  return { cardId, requestId, actor: 'cardholder', actorId: caller.userId, ...(reason === '' ? {} : { reason }) };
};
