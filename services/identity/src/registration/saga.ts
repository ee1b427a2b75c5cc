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

/** Sets the e-mail address of an open registration to the one of this call, and releases the claim of the previous one. */
const retarget = async (parts: RegistrationParts, seen: Registration, input: RegistrationInput): Promise<Registration> => {
  const changed = await parts.registrations.retarget(seen, input, parts.runtime.now());
  if (changed === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
  await parts.emailClaims.release(emailClaimKey(seen), seen.userId);
  return changed;
};

/**
 * Registers the user of a wallet, or resumes the registration of a killed call with the same ids. The e-mail address is proven.
 * Callers use a lock to avoid double work; concurrent calls still result in one user, because every step is one conditional write.
 * @returns id of the user
 * @throws CodedError USER_ALREADY_EXISTS, USER_REGISTRATION_IN_PROGRESS, PROFILE_CREATION_FAILED, SERVICE_UNAVAILABLE,
 * UPSTREAM_TIMEOUT
 */
export const register = async (parts: RegistrationParts, input: RegistrationInput): Promise<string> => {
  const { registrations, emailClaims, walletClaims } = parts;
  let current = await registrations.find(input.wallet);
  if (current?.step === 'abandoned') {
    await abandon(parts, current, input);
    current = undefined;
  }
  if (current?.step === 'completed') throw new CodedError('USER_ALREADY_EXISTS');

  // The wallet belonged to an erased user, or a user has added it.
  const walletOwner = current === undefined ? await walletClaims.ownerOf(walletKeyOf(input.wallet)) : undefined;
  if (walletOwner !== undefined) throw new CodedError('USER_ALREADY_EXISTS');
  // Fails early for an e-mail address that is taken. The claim decides later.
  const emailOwner = await emailClaims.ownerOf(emailClaimKey(input));
  if (emailOwner !== undefined && emailOwner !== current?.userId) {
    if (current !== undefined && isOpen(current) && isSameSubject(current, input)) await abandon(parts, current, input);
    // A registration past its point of no return is completed below, with its own e-mail address.
    if (current === undefined || isOpen(current)) throw new CodedError('USER_ALREADY_EXISTS');
  }

  current ??= await start(parts, input);
  if (isOpen(current) && !isSameSubject(current, input)) current = await retarget(parts, current, input);

  if (current.step === 'started') current = await startedStep(parts, current, input);
  if (current.step === 'profile_created') current = await profiledStep(parts, current, input);
  if (current.step === 'account_opened') current = await openedStep(parts, current, input);
  if (current.step === 'claimed') await claimedStep(parts, current);
  // An earlier call registered another e-mail address, and its user exists.
  if (!isSameSubject(current, input)) throw new CodedError('USER_ALREADY_EXISTS');
  return current.userId;
};

/** The registered user of a wallet, if any. A claim alone does not make a user: the wallet must be in the list of the user. */
export const findUserOfWallet = async ({ walletClaims, users }: Pick<RegistrationParts, 'walletClaims' | 'users'>, wallet: string) => {
  const userId = await walletClaims.ownerOf(walletKeyOf(wallet));
  const user = userId === undefined ? undefined : await users.find(userId);
  return user !== undefined && user.isErasing !== true && walletOf(user, wallet) !== undefined ? user : undefined;
};
