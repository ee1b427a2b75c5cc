import { CodedError } from '@florin/rpc/errors';
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
  // A twin went past us although the lock should have kept it away (it ran out): the twin goes on, we do not.
  if (moved === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
  return moved;
};

const profileOf = ({ kycProfileId }: Registration): string => {
  if (kycProfileId === undefined) throw new Error('a registration past its first step has a KYC profile');
  return kycProfileId;
};

/** → `profile_created`. The provider knows the user's id as idempotency key. */
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

/** → `account_opened`. The ledger knows the account's id as idempotency key; its content never changes, so a repeat is a repeat. */
export const profiledStep = async (parts: RegistrationParts, seen: Registration, input: RegistrationInput): Promise<Registration> => {
  const { accountId, userId, wallet } = seen;
  await parts.ledger.open({ accountId, userId, kycProfileId: profileOf(seen), safeOwnerAddress: wallet }, input);
  // A closed one belongs to a registration that was abandoned while this call slept.
  if (parts.activates && !(await parts.ledger.activate(accountId, input))) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
  return advance(parts, seen, 'account_opened');
};

/** → `claimed`, or `abandoned` when somebody else has the e-mail (or the wallet) by now. */
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

/** → `completed`: the user exists, with the event that says so. */
export const claimedStep = async (parts: RegistrationParts, seen: Registration): Promise<void> => {
  const { users, registrations, runtime } = parts;
  const { userId, partnerId, email, emailKey, wallet, accountId } = seen;
  const now = runtime.now();
  await users.add(
    {
      id: userId,
      partnerId,
      email,
      emailKey,
      wallets: [{ address: wallet, primary: true }],
      kycStatus: 'NOT_STARTED',
      kycProfileId: profileOf(seen),
      accountId,
      createdAt: now,
    },
    { id: runtime.newId(), type: 'user.registered', at: now, payload: { userId, partnerId, accountId } },
  );
  // A twin may have recorded it already.
  await registrations.advance(seen, 'completed', now);
};
