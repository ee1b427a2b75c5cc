import type { ServiceCaller, UserCaller } from '../auth/index.ts';
import { CodedError } from '../errors/index.ts';
import { uuidSchema } from '../fields.ts';

/**
 * The user whom a call is about: the caller, or the one whom the request of a service names.
 * @throws CodedError VALIDATION_FAILED when a service names none, or a user names one
 */
export const userOfCall = ({ userId }: { userId: string }, caller: UserCaller | ServiceCaller): string => {
  if (caller.kind !== 'service') {
    if (userId !== '') throw new CodedError('VALIDATION_FAILED', { message: 'user_id: must be empty with a user token' });
    return caller.userId;
  }
  const named = uuidSchema.safeParse(userId);
  if (!named.success) throw new CodedError('VALIDATION_FAILED', { message: 'user_id: must be a UUID' });
  return named.data;
};
