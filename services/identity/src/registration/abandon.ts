import { CodedError } from '@florin/rpc/errors';
import type { Registration } from '../domain/registration.ts';
import { walletKeyOf } from '../domain/user.ts';
import { emailClaimKey } from '../store/claims.ts';
import type { RegistrationParts } from './parts.ts';

/**
 * Undoes an open registration whose e-mail went to somebody else, so that the wallet can register with another one: no account
 * stays open without a user. Recorded first, so that nobody goes on with an account that is being closed, and a call that is
 * killed here is finished by the next one.
 * @throws CodedError USER_REGISTRATION_IN_PROGRESS when the registration has moved on meanwhile; the ledger's errors
 */
export const abandon = async (parts: RegistrationParts, seen: Registration, request: { requestId: string }): Promise<void> => {
  const { registrations, emailClaims, walletClaims, ledger, runtime } = parts;
  const abandoned = seen.step === 'abandoned' ? seen : await registrations.advance(seen, 'abandoned', runtime.now());
  if (abandoned === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
  const { userId, wallet, accountId } = abandoned;
  await emailClaims.release(emailClaimKey(abandoned), userId);
  await walletClaims.release(walletKeyOf(wallet), userId);
  await ledger.close(accountId, request);
  await registrations.removeAbandoned(abandoned);
};
