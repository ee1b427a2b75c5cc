import { WalletChange } from '@florin/proto/identity/v1/wallet_service';
import { undefinedOn } from '@florin/rpc/client';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { APPROVAL_ERRORS, APPROVAL_STATUS, approvalQuery } from '../../schemas/approval.ts';
import { addressInput, DONE, dateTime, done, email, id, oneTimeCode, present, signature, toIso } from '../../schemas/fields.ts';
import { signedMessage } from '../../schemas/signed-message.ts';
import { opaque } from '../../schemas/text.ts';
import { secondsUntil } from '../../schemas/token-pair.ts';
import { toTypedMessage, typedDataQuery, typedMessage } from '../../schemas/typed-message.ts';
import { toUser, toWallet, user, wallet } from '../../schemas/user.ts';

/** Registration calls the KYC provider and then the ledger, each with a deadline of its own. */
const TIMEOUT_MS = 15_000;

export const registerUser = defineRoute({
  operationId: 'registerUser',
  method: 'post',
  path: '/user',
  tag: 'User',
  summary: 'Register User',
  description:
    'Creates a user with a wallet token and a one-time password of `POST /email-verification`. Returns a user token for later requests. The session continues: the refresh token of the sign-in stays valid and now yields user tokens, and the wallet token of the sign-in keeps working where a wallet token suffices.',
  policy: 'wallet',
  rateLimit: 'auth',
  ignoresUnknownFields: true,
  body: z.object({
    email,
    otp: oneTimeCode.meta({ description: 'One-time password received by e-mail' }),
    shareToken: opaque(4096).optional().meta({ description: 'Share token for reusable KYC' }),
  }),
  answers: {
    200: z
      .object({
        userId: id,
        accessToken: z.string().meta({ description: 'JWT access token: a user token' }),
        expiresIn: z
          .int()
          .min(0)
          .meta({ description: 'Seconds until the access token expires; the refresh token of the sign-in yields the next one' }),
      })
      .meta({ id: 'Registration' }),
  },
  errors: [
    'INVALID_OTP',
    'OTP_EXPIRED',
    'OTP_ATTEMPTS_EXCEEDED',
    'USER_ALREADY_EXISTS',
    'USER_REGISTRATION_IN_PROGRESS',
    'PROFILE_CREATION_FAILED',
  ],
  handler: async ({ body: { email: address, otp, shareToken = '' } }, { upstream, asCaller, now }) => {
    const { userId, accessToken, accessExpiresAt } = await upstream.users.registerUser(
      { email: address, otp, shareToken },
      { ...asCaller, timeoutMs: TIMEOUT_MS },
    );
    return { userId, accessToken, expiresIn: secondsUntil(accessExpiresAt, now()) };
  },
});

export const getUser = defineRoute({
  operationId: 'getUser',
  method: 'get',
  path: '/user',
  tag: 'User',
  summary: 'Get the user',
  description: "Returns the caller's own record.",
  policy: 'user',
  answers: { 200: user },
  errors: ['USER_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    // The phone number belongs to the cardholder. A missing cardholder means no phone; an unavailable card service is an error.
    const [record, cardholder] = await Promise.all([
      upstream.users.getCurrentUser({}, asCaller),
      undefinedOn('CARDHOLDER_NOT_FOUND', upstream.cards.getCurrentCardholder({}, asCaller)),
    ]);
    return toUser(present(record.user, 'user'), cardholder);
  },
});

export const eraseUser = defineRoute({
  operationId: 'eraseUser',
  method: 'delete',
  path: '/user',
  tag: 'User',
  summary: 'Erase the user',
  description:
    'Erases the caller (GDPR, Art. 17): cancels the cards, closes the account, ends all sessions and erases the personal data. What the law requires to be kept stays under the id of the user. Requires a sign-in within the last five minutes, and an account without money, holds, open challenges and recent card payments. The token of the request is invalid afterwards; when the response is lost, a repeat gets 401.',
  policy: 'user',
  rateLimit: 'auth',
  answers: {
    200: z.object({
      success: z.literal(true),
      claimsReleasedAt: dateTime.meta({ description: 'Time from which the e-mail address and the wallets may register again' }),
    }),
  },
  errors: [
    'REAUTHENTICATION_REQUIRED',
    'USER_NOT_FOUND',
    'USER_HAS_BALANCE',
    'USER_HAS_OPEN_HOLDS',
    'USER_HAS_OPEN_CHALLENGES',
    'USER_HAS_OPEN_DISPUTES',
    'USER_HAS_RECENT_PAYMENTS',
    'USER_IS_BLOCKED',
  ],
  handler: async (_input, { upstream, asCaller }) => {
    const { claimsReleasedAt } = await upstream.erasure.eraseUser({}, asCaller);
    return { success: true as const, claimsReleasedAt: toIso(claimsReleasedAt) };
  },
});

const CHANGE = { add: WalletChange.ADD, make_primary: WalletChange.MAKE_PRIMARY, remove: WalletChange.REMOVE } as const;

export const createWalletChallenge = defineRoute({
  operationId: 'createWalletChallenge',
  method: 'post',
  path: '/user/wallets/challenge',
  tag: 'User',
  summary: 'Create the approval of a wallet to sign',
  description:
    'Returns EIP-712 typed data that names the user, the wallet and the expiry ten minutes later. A wallet of the user whose cooling time is over signs it; the signature is the `approval` of `POST /user/wallets`, `POST /user/wallets/primary` or `DELETE /user/wallets/{address}`. The newest twenty of a user can be used.',
  policy: 'user',
  rateLimit: 'auth',
  query: typedDataQuery,
  body: z.object({
    wallet: addressInput,
    change: z.enum(['add', 'make_primary', 'remove']).default('add').meta({ description: 'Change that the signature allows' }),
  }),
  answers: { 200: typedMessage },
  errors: ['USER_NOT_FOUND'],
  handler: async ({ query, body: { wallet, change } }, { upstream, asCaller }) => {
    const { typedData } = await upstream.wallets.createWalletChallenge({ wallet, change: CHANGE[change] }, asCaller);
    return toTypedMessage(present(typedData, 'typed data'), query.domainType === 'true');
  },
});

export const addWallet = defineRoute({
  operationId: 'addWallet',
  method: 'post',
  path: '/user/wallets',
  tag: 'User',
  summary: 'Add a wallet',
  description:
    'Adds a wallet that may sign in. The new wallet signs a message that `GET /auth/siwe/{address}?purpose=add_wallet` created for its address, and a wallet of the user whose cooling time is over signs the typed data of `POST /user/wallets/challenge`. The new wallet can sign in immediately, and approve payments from `approvesFrom` on. The user is told by mail. The session must be younger than five minutes; otherwise sign in again. A user can have ten wallets.',
  policy: 'user',
  rateLimit: 'auth',
  body: signedMessage.extend({ approval: signature.meta({ description: 'Signature of an existing wallet over the typed data' }) }),
  answers: { 200: wallet },
  errors: [
    'REAUTHENTICATION_REQUIRED',
    'INVALID_SIGNATURE',
    'INVALID_APPROVAL',
    'WALLET_COOLING',
    'NONCE_EXPIRED',
    'NONCE_USED',
    'DOMAIN_NOT_ALLOWED',
    'WALLET_IN_USE',
    'WALLET_LIMIT_REACHED',
    'USER_NOT_FOUND',
  ],
  // The caller's own token is valid; the nonce belongs to the submitted message.
  statusOf: { NONCE_EXPIRED: 400, NONCE_USED: 400 },
  handler: async ({ body }, { upstream, asCaller }) => {
    const answer = await upstream.wallets.addWallet(body, asCaller);
    return toWallet(present(answer.wallet, 'wallet'));
  },
});

export const makeWalletPrimary = defineRoute({
  operationId: 'makeWalletPrimary',
  method: 'post',
  path: '/user/wallets/primary',
  tag: 'User',
  summary: 'Make a wallet the primary one',
  description:
    'Makes another wallet of the user the primary one, so that the previous one can be removed unless it owns the Safe of the account. The wallet itself signs the typed data of `POST /user/wallets/challenge` with the change `make_primary`. The session must be younger than five minutes; otherwise sign in again. The Safe on chain keeps its owner.',
  policy: 'user',
  rateLimit: 'auth',
  body: z.object({ wallet: addressInput, approval: signature.meta({ description: 'Signature of the wallet over the typed data' }) }),
  answers: { 200: wallet },
  errors: ['REAUTHENTICATION_REQUIRED', 'INVALID_APPROVAL', 'WALLET_COOLING', 'NONCE_EXPIRED', 'NONCE_USED', 'NOT_FOUND', 'USER_NOT_FOUND'],
  // The caller's own token is valid; the nonce belongs to the approval.
  statusOf: { NONCE_EXPIRED: 400, NONCE_USED: 400 },
  handler: async ({ body }, { upstream, asCaller }) => {
    const answer = await upstream.wallets.makeWalletPrimary(body, asCaller);
    return toWallet(present(answer.wallet, 'wallet'));
  },
});

export const removeWallet = defineRoute({
  operationId: 'removeWallet',
  method: 'delete',
  path: '/user/wallets/{address}',
  tag: 'User',
  summary: 'Remove a wallet',
  description:
    'Removes a wallet and ends its sessions immediately. The user is told by mail. The last wallet cannot be removed, nor can the primary one, unless another wallet is made the primary one first, nor the wallet that owns the Safe of the account, whose signature moves its money. During its cooling time a wallet can remove only itself. The session must be younger than five minutes; otherwise sign in again. A wallet of the user, the one to be removed included, signs the typed data of `POST /user/wallets/challenge` with the change `remove`.',
  policy: 'user',
  params: z.object({ address: addressInput }),
  query: approvalQuery,
  answers: { 200: done },
  errors: [...APPROVAL_ERRORS, 'NOT_FOUND', 'LAST_WALLET', 'WALLET_IS_OWNER', 'USER_NOT_FOUND'],
  statusOf: APPROVAL_STATUS,
  handler: async ({ params: { address }, query: { approval = '' } }, { upstream, asCaller }) => {
    await upstream.wallets.removeWallet({ address, approval }, asCaller);
    return DONE;
  },
});
