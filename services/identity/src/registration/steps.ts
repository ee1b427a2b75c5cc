import { CodedError } from '@florin/rpc/errors';
import { newEvent } from '../domain/events.ts';
import type { Registration, RegistrationStep } from '../domain/registration.ts';
import { walletKeyOf } from '../domain/user.ts';
import { emailClaimKey } from '../store/claims.ts';
import { abandon } from './abandon.ts';
import type { RegistrationInput, RegistrationParts } from './parts.ts';

const advance = async (
  { registrations, runtime }: RegistrationParts,
  seen: Registration,
  to: RegistrationStep,
  found?: { kycProfileId: string },
): Promise<Registration> => {
  const moved = await registrations.advance(seen, to, runtime.now(), found);
  // A concurrent call advanced the registration after the lock expired. That call continues, this one stops.
  if (moved === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
  return moved;
};

const profileOf = ({ kycProfileId }: Registration): string => {
  if (kycProfileId === undefined) throw new Error('a registration past its first step must have a KYC profile');
  return kycProfileId;
};

/** → `profile_created`. The user's id is the provider's idempotency key. */
export const startedStep = async (parts: RegistrationParts, seen: Registration, input: RegistrationInput): Promise<Registration> => {
  const { userId, email } = seen;
  let kycProfileId: string;
  try {
    kycProfileId = await parts.kyc.createProfile({ userId, email, shareToken: input.shareToken });
  } catch (cause) {
    throw new CodedError('PROFILE_CREATION_FAILED', { cause });
  }
  return advance(parts, seen, 'profile_created', { kycProfileId });
};

/** → `account_opened`. The account's id is the ledger's idempotency key, and the content never changes, so the call can be repeated. */
export const profiledStep = async (parts: RegistrationParts, seen: Registration, input: RegistrationInput): Promise<Registration> => {
  const { accountId, userId, wallet } = seen;
  await parts.ledger.open({ accountId, userId, kycProfileId: profileOf(seen), safeOwnerAddress: wallet }, input);
  // A closed account belongs to a registration that was abandoned during this call.
  if (parts.activates && !(await parts.ledger.activate(accountId, input))) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
  return advance(parts, seen, 'account_opened');
};

/** → `claimed`, or `abandoned` when another user has claimed the e-mail address or the wallet. */
export const openedStep = async (parts: RegistrationParts, seen: Registration, input: RegistrationInput): Promise<Registration> => {
  const { emailClaims, walletClaims, runtime } = parts;
  const now = runtime.now();
  const isOurs =
    (await emailClaims.claim(emailClaimKey(seen), seen.userId, now)) &&
    (await walletClaims.claim(walletKeyOf(seen.wallet), seen.userId, now));
  if (!isOurs) {
    await abandon(parts, seen, input);
    throw new CodedError('USER_ALREADY_EXISTS');
  }
  return advance(parts, seen, 'claimed');
};

/** → `completed`: the user exists, together with its event. */
export const claimedStep = async (parts: RegistrationParts, seen: Registration): Promise<void> => {
  const { users, registrations, runtime } = parts;
  const { userId, partnerId, email, wallet, accountId } = seen;
  const now = runtime.now();
  await users.add(
    {
      id: userId,
      partnerId,
      email,
      wallets: [{ address: wallet, primary: true }],
      kycStatus: 'not_started',
      kycProfileId: profileOf(seen),
      accountId,
      createdAt: now,
    },
    newEvent(runtime, { type: 'user.registered', payload: { userId, partnerId, accountId } }),
  );
  // A concurrent call may have recorded it.
  await registrations.advance(seen, 'completed', now);
};
