import type { BelongsToPartner, Caller } from '../auth/index.ts';
import type { Policy } from '../contract/index.ts';
import { CodedError } from '../errors/index.ts';

/**
 * Requires that the user whom a partner's client names belongs to the partner. It is done here, for every RPC that has a scope of partners, so that no handler can
 * forget it. Other callers, and RPCs that keep partners apart themselves, pass.
 * @throws CodedError USER_NOT_FOUND for the user of another partner, as for one who does not exist, VALIDATION_FAILED when none is named, FORBIDDEN where the service serves no partners
 */
export const requireOwnUser = async (
  policy: Policy,
  caller: Caller | undefined,
  request: unknown,
  belongsToPartner: BelongsToPartner | undefined,
): Promise<void> => {
  if (caller?.kind !== 'service' || caller.partnerId === undefined || !('partnerScope' in policy)) return;
  const { userId = '' } = request as { userId?: string };
  if (belongsToPartner === undefined) throw new CodedError('FORBIDDEN', { message: 'the service serves no partners' });
  if (userId === '') throw new CodedError('VALIDATION_FAILED', { message: 'user_id: is required' });
  if (!(await belongsToPartner(userId, caller.partnerId))) throw new CodedError('USER_NOT_FOUND');
};
