import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type BatchGetUsersRequest,
  type CheckUserPartnerRequest,
  type CountUsersRequest,
  type FindUsersRequest,
  type GetCurrentUserRequest,
  type GetUserPartnerRequest,
  type GetUserRequest,
  type NotifyCurrentUserRequest,
  type RegisterUserRequest,
  UserService,
} from '@florin/proto/identity/v1/user_service';
import type { UserCaller } from '@florin/rpc/auth';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { phoneCountryOf, phoneProblem } from '@florin/rpc/phone';
import { implement, type ServiceImplementation, serviceMethod, userMethod, walletMethod } from '@florin/rpc/server';
import { emailKeyOf } from '../domain/email.ts';
import { newEvent } from '../domain/events.ts';
import { CARD_KINDS, formerPhoneText } from '../domain/notices.ts';
import { walletKeyOf } from '../domain/user.ts';
import { emailClaimKey } from '../store/claims.ts';
import type { Dependencies } from './dependencies.ts';
import { readEmail } from './fields.ts';
import { requireUser } from './require-user.ts';
import { toWireUser } from './to-wire.ts';

const REJECTION = { invalid: 'INVALID_OTP', expired: 'OTP_EXPIRED', exhausted: 'OTP_ATTEMPTS_EXCEEDED' } as const;

/**
 * The code stays usable until the user exists, so that a failed call can be repeated with it. Only a caller who has proven an e-mail
 * address learns that it is taken.
 */
const registerUser = ({ codes, lock, isRegistered, register, issueAccessToken }: Dependencies) =>
  walletMethod(async (request: RegisterUserRequest, { caller, requestId, logger }) => {
    const { otp } = request;
    const email = readEmail(request.email);
    const shareToken = request.shareToken || undefined;
    if (caller.userId !== undefined) throw new CodedError('USER_ALREADY_EXISTS');
    const { wallet, partnerId, sessionId, walletEpoch, signedInAt, jkt } = caller;
    const emailKey = emailKeyOf(email);
    const slot = { purpose: 'email', partnerId, wallet, emailKey } as const;

    return lock(wallet, logger, async () => {
      // Checked before the code, because the call that registered the wallet consumed it.
      if (await isRegistered(wallet)) throw new CodedError('USER_ALREADY_EXISTS');
      const checked = await codes.check(slot, otp);
      if (checked.outcome !== 'valid') throw new CodedError(REJECTION[checked.outcome]);

      const userId = await register({ wallet, partnerId, email, emailKey, shareToken, requestId });
      // The user exists, so the code is worthless. If consuming it fails, it expires.
      await codes.consume(slot, checked.id).catch((err: unknown) => logger.warn({ err }, 'consuming the code failed'));
      const { token, expiresAt } = await issueAccessToken({ wallet, sessionId, partnerId, userId, walletEpoch, signedInAt, jkt });
      return { userId, accessToken: token, accessExpiresAt: timestampFromDate(expiresAt) };
    });
  });

const getCurrentUser = ({ users }: Dependencies) =>
  userMethod(async (_request: GetCurrentUserRequest, { caller }) => {
    return { user: toWireUser(requireUser(await users.find(caller.userId))) };
  });

/** Events of what card tells by no event of its own. */
const EVENT_OF_NOTICE = { limits_raising: 'user.card_limits_raising', controls_opening: 'user.card_controls_opening' } as const;

/** Tells a number that it is being replaced, within the limits of codes: one that was verified has got a code. */
const textFormerPhone = async (
  { sendLimits, smsCountries, smsSender, partnerNameOf }: Dependencies,
  to: string,
  { userId, partnerId }: Pick<UserCaller, 'userId' | 'partnerId'>,
): Promise<void> => {
  if (!smsCountries.has(phoneCountryOf(to) ?? '')) return;
  await sendLimits.take({ purpose: 'phone', recipient: to, owner: userId, ip: '' });
  await smsSender.send({ to, code: '', text: formerPhoneText(partnerNameOf(partnerId)) });
};

const notifyCurrentUser = (dependencies: Dependencies) => {
  const { users, notices, runtime } = dependencies;
  return userMethod(async (request: NotifyCurrentUserRequest, { caller, logger }) => {
    const { noticeId: id, last4, formerPhone } = request;
    const { userId } = caller;
    const kind = stated(CARD_KINDS[request.kind - 1]);
    requireFields({ former_phone: formerPhone === '' ? undefined : phoneProblem(formerPhone) });
    const type = kind === 'limits_raising' || kind === 'controls_opening' ? EVENT_OF_NOTICE[kind] : undefined;
    const events = type === undefined ? [] : [newEvent(runtime, { type, payload: { userId, last4 } })];
    await users.addNotice(userId, { events, notice: { id, kind, ...(last4 === '' ? {} : { last4 }), at: runtime.now() } });
    notices.kick();
    // The mail is sure to arrive; a provider of messages that is away keeps nobody from a change.
    if (kind === 'phone_changing' && formerPhone !== '')
      textFormerPhone(dependencies, formerPhone, caller).catch((err: unknown) =>
        logger.warn({ err, userId }, 'the former phone number was not told'),
      );
    return {};
  });
};

const getUser = ({ users }: Dependencies) =>
  serviceMethod(async (request: GetUserRequest) => {
    const { userId } = request;
    return { user: toWireUser(requireUser(await users.find(userId))) };
  });

const batchGetUsers = ({ users }: Dependencies) =>
  serviceMethod(async ({ userIds }: BatchGetUsersRequest) => {
    const ids = [...new Set(userIds)];
    const found = (await Promise.all(ids.map((id) => users.find(id)))).filter((user) => user !== undefined);
    const known = new Set(found.map(({ id }) => id));
    return { users: found.map(toWireUser), erasedUserIds: await users.erasedOf(ids.filter((id) => !known.has(id))) };
  });

const LONGEST_MS = 31 * 86_400_000;

const isAscending = (bounds: readonly Date[]): boolean =>
  bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? bound));

const isShort = (bounds: readonly Date[]): boolean => Number(bounds.at(-1) ?? 0) - Number(bounds[0] ?? 0) <= LONGEST_MS;

const countUsers = ({ users }: Dependencies) =>
  serviceMethod(async (request: CountUsersRequest) => {
    const since = request.since.map(timestampDate);
    const bounds = request.bounds.map(timestampDate);
    requireFields({
      bounds: isAscending(bounds) ? (isShort(bounds) ? undefined : 'must be at most 31 days apart') : 'must be in ascending order',
    });
    const [total, ...counts] = await Promise.all([users.count(), ...since.map((at) => users.countBetween(at))]);
    const between: bigint[] = [];
    // One after another: an overview does not take the connections that sign-ins need.
    for (const [index, end] of bounds.slice(1).entries()) between.push(BigInt(await users.countBetween(bounds[index] ?? end, end)));
    return { total: BigInt(total), since: counts.map(BigInt), between };
  });

/** @throws CodedError VALIDATION_FAILED */
const findUsers = ({ users, emailClaims, walletClaims, partnerIds }: Dependencies) => {
  /** Addresses are unique per partner, and stored as hashes: each partner is asked. */
  const byEmail = (email: string): Promise<(string | undefined)[]> =>
    Promise.all(partnerIds.map((partnerId) => emailClaims.ownerOf(emailClaimKey({ partnerId, emailKey: emailKeyOf(email) }))));
  return serviceMethod(async (request: FindUsersRequest) => {
    const { case: by, value = '' } = request.key;
    const owners = by === 'email' ? await byEmail(readEmail(value)) : [await walletClaims.ownerOf(walletKeyOf(value))];
    const ids = [...new Set(owners.filter((id) => id !== undefined))];
    const found = await Promise.all(ids.map((id) => users.find(id)));
    return { users: found.filter((user) => user !== undefined).map(toWireUser) };
  });
};

const getUserPartner = ({ users, registrations }: Dependencies) =>
  serviceMethod(async (request: GetUserPartnerRequest) => {
    const { userId } = request;
    const partnerId = await users.partnerOf(userId);
    if (partnerId !== undefined) return { partnerId, registered: true };
    const registering = await registrations.partnerOf(userId);
    if (registering === undefined) throw new CodedError('USER_NOT_FOUND');
    return { partnerId: registering, registered: false };
  });

const checkUserPartner = ({ users }: Dependencies) =>
  serviceMethod(async ({ userId, partnerId }: CheckUserPartnerRequest) => {
    if ((await users.find(userId))?.partnerId !== partnerId) throw new CodedError('USER_NOT_FOUND');
    return {};
  });

/** Implementation of the contract `UserService`. */
export const userService = (dependencies: Dependencies): ServiceImplementation =>
  implement(UserService, {
    registerUser: registerUser(dependencies),
    getCurrentUser: getCurrentUser(dependencies),
    notifyCurrentUser: notifyCurrentUser(dependencies),
    getUser: getUser(dependencies),
    batchGetUsers: batchGetUsers(dependencies),
    countUsers: countUsers(dependencies),
    findUsers: findUsers(dependencies),
    getUserPartner: getUserPartner(dependencies),
    checkUserPartner: checkUserPartner(dependencies),
  });
