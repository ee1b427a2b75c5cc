import { CodedError } from '@florin/rpc/errors';
import { isOpen, isSameSubject, type Registration } from '../domain/registration.ts';
import { walletKeyOf } from '../domain/user.ts';
import { walletOf } from '../domain/wallet-rules.ts';
import { emailClaimKey } from '../store/claims.ts';
import { abandon } from './abandon.ts';
import type { RegistrationInput, RegistrationParts } from './parts.ts';
import { claimedStep, openedStep, profiledStep, startedStep } from './steps.ts';

const start = async (parts: RegistrationParts, { wallet, partnerId, email, emailKey }: RegistrationInput): Promise<Registration> => {
  const { registrations, runtime } = parts;
  const now = runtime.now();
  const ids = { userId: runtime.newId(), accountId: runtime.newId() };
  return registrations.begin({ ...ids, wallet, partnerId, email, emailKey, step: 'started', createdAt: now, updatedAt: now });
};

/** Sets an open registration to the e-mail of this call; the claim of the former one is given back, should there be one. */
const retarget = async (parts: RegistrationParts, seen: Registration, input: RegistrationInput): Promise<Registration> => {
  const changed = await parts.registrations.retarget(seen, input, parts.runtime.now());
  if (changed === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
  await parts.emailClaims.release(emailClaimKey(seen), seen.userId);
  return changed;
};

/**
 * Registers a wallet's user, or goes on with the registration that a killed call left behind, with the same ids.
 * The e-mail has been proven before. Callers keep twins apart with a lock, to save work; two that run all the same end in one
 * user, because every step is one conditional write.
 * @returns id of the user
 * @throws CodedError USER_ALREADY_EXISTS, USER_REGISTRATION_IN_PROGRESS, PROFILE_CREATION_FAILED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const register = async (parts: RegistrationParts, input: RegistrationInput): Promise<string> => {
  const { registrations, emailClaims } = parts;
  let current = await registrations.find(input.wallet);
  if (current?.step === 'abandoned') {
    await abandon(parts, current, input);
    current = undefined;
  }
  if (current?.step === 'completed') throw new CodedError('USER_ALREADY_EXISTS');

  // Checked before anything is made for an e-mail that cannot be had. The claim itself decides later.
  const emailOwner = await emailClaims.ownerOf(emailClaimKey(input));
  if (emailOwner !== undefined && emailOwner !== current?.userId) {
    if (current !== undefined && isOpen(current) && isSameSubject(current, input)) await abandon(parts, current, input);
    // A registration that is past its point of no return is completed below, whatever e-mail this call brings.
    if (current === undefined || isOpen(current)) throw new CodedError('USER_ALREADY_EXISTS');
  }

  current ??= await start(parts, input);
  if (isOpen(current) && !isSameSubject(current, input)) current = await retarget(parts, current, input);

  if (current.step === 'started') current = await startedStep(parts, current, input);
  if (current.step === 'profile_created') current = await profiledStep(parts, current, input);
  if (current.step === 'account_opened') current = await openedStep(parts, current, input);
  if (current.step === 'claimed') await claimedStep(parts, current);
  // With another e-mail than this call's: the earlier call decided, and its user exists now.
  if (!isSameSubject(current, input)) throw new CodedError('USER_ALREADY_EXISTS');
  return current.userId;
};

/** The user that a wallet belongs to, once registration was completed. A claim alone is no user yet, or not any more: the user's list decides. */
export const findUserOfWallet = async ({ walletClaims, users }: Pick<RegistrationParts, 'walletClaims' | 'users'>, wallet: string) => {
  const userId = await walletClaims.ownerOf(walletKeyOf(wallet));
  const user = userId === undefined ? undefined : await users.find(userId);
  return user !== undefined && walletOf(user, wallet) !== undefined ? user : undefined;
};
