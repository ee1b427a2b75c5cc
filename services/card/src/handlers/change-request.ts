import type { ServiceCaller, UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { ChangeRequest } from '../life/change-card.ts';

/** Fields of all these requests. */
type Request = { cardId: string; requestId: string; actor: string; reason: string };

const required = (text: string, field: string): string => {
  if (text === '') throw new CodedError('VALIDATION_FAILED', { message: `${field}: is required with a service token` });
  return text;
};

/** The client that takes an action, with the person in whose name it calls. */
export const actorOf = ({ name }: ServiceCaller, person: string): string => (person === '' ? name : `${name}:${person}`);

/**
 * The common fields of the requests that change a card. A user acts as the cardholder; a service acts as the issuer and must name an
 * actor and a reason.
 * @throws CodedError VALIDATION_FAILED
 */
export const toChangeRequest = (request: Request, caller: UserCaller | ServiceCaller): ChangeRequest => {
  const { cardId, requestId } = request;
  const [actor, reason] = [request.actor.trim(), request.reason.trim()];
  if (caller.kind === 'service') {
    const actorId = actorOf(caller, required(actor, 'actor'));
    return { cardId, requestId, actor: 'issuer', actorId, reason: required(reason, 'reason') };
  }
  return { cardId, requestId, actor: 'cardholder', actorId: caller.userId, ...(reason === '' ? {} : { reason }) };
};
