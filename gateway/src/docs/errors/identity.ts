import type { IDENTITY_ERROR_CODES } from '@florin/proto/identity/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

const EXHAUSTED = 'Five wrong codes were entered, so that the code that was sent no longer works, not even when it is entered correctly.';

export const IDENTITY_ERRORS: Readonly<Record<keyof typeof IDENTITY_ERROR_CODES, ErrorEntry>> = {
  DOMAIN_NOT_ALLOWED: {
    cause: 'The domain of the sign-in message does not belong to a partner.',
    remedy: 'Ask the operator of the platform to add the domain to the partner.',
    repeat: 'after_remedy',
  },
  BOOTSTRAP_TOKEN_INVALID: {
    cause: 'The bootstrap token is unknown, older than seven days, or was used for another key.',
    remedy: 'Ask the operator of the platform for a new one. A partner that has a key registers further ones with POST /partner/keys.',
    repeat: 'no',
  },
  PARTNER_KEY_IN_USE: {
    cause: 'The key is one of another client or partner, was revoked, or is registered with other scopes than those that are asked for.',
    remedy: 'Make a new key and register it. The scopes of a key never change.',
    repeat: 'no',
  },
  PARTNER_KEY_LIMIT_REACHED: {
    cause: 'The partner has as many keys as a partner may have: 20, in a sandbox 1,000.',
    remedy: 'Revoke keys that no server uses.',
    repeat: 'after_remedy',
  },
  PARTNER_KEY_NOT_FOUND: {
    cause: 'The partner has no registered key of this id. Keys that the operator has put into the trust of the services are not listed.',
    remedy: 'List the keys for their ids.',
    repeat: 'no',
  },
  NONCE_EXPIRED: {
    cause: 'The sign-in message, or the typed data of an approval, is older than ten minutes.',
    remedy: 'Request a new message with GET /auth/siwe/{address}, or new typed data with POST /user/wallets/challenge, and sign it.',
    repeat: 'no',
  },
  NONCE_USED: {
    cause: 'The sign-in message, or the typed data of an approval, was used before.',
    remedy: 'Request a new message with GET /auth/siwe/{address}, or new typed data with POST /user/wallets/challenge, and sign it.',
    repeat: 'no',
  },
  INVALID_REFRESH_TOKEN: {
    cause: 'The refresh token is unknown or expired, or its session ended.',
    remedy: 'Sign in again.',
    repeat: 'no',
  },
  REFRESH_TOKEN_REUSED: {
    cause: 'The refresh token was used before. The session was ended, because the token may have been stolen.',
    remedy: 'Sign in again. Store the new refresh token of every refresh, and do not refresh in several places at once.',
    repeat: 'no',
  },
  INVALID_DPOP_PROOF: {
    cause:
      'The DPoP header is missing, malformed, expired, for another request, key or token, or was used before; or a token that is bound to a key was sent as a bearer token; or a session that is not bound was refreshed with a proof.',
    remedy:
      'Send a new proof for each request, signed with the key of the session, and the access token with the scheme DPoP. Check the clock. A refresh token stays usable.',
    repeat: 'after_remedy',
  },
  REAUTHENTICATION_REQUIRED: {
    cause: 'The operation requires a recent sign-in, and the session is older than five minutes.',
    remedy: 'Sign in again and repeat the request with the new access token. Refreshing the tokens is not enough.',
    repeat: 'after_remedy',
  },
  SIGNING_KEY_NOT_FOUND: {
    cause: 'There is no signing key with this id.',
    remedy: 'Check the id. A key that is no longer published needs no revocation.',
    repeat: 'no',
  },
  INVALID_OTP: {
    cause: 'The one-time password is wrong, was used before, or was sent to another e-mail address or wallet.',
    remedy: 'Ask for the newest code that was received. A code allows five wrong attempts.',
    repeat: 'no',
  },
  OTP_ATTEMPTS_EXCEEDED: { cause: EXHAUSTED, remedy: 'Request a new one with POST /email-verification.', repeat: 'no' },
  OTP_EXPIRED: {
    cause: 'The one-time password has expired.',
    remedy: 'Request a new one with POST /email-verification.',
    repeat: 'no',
  },
  INVALID_CODE: {
    cause: 'The code is wrong, was used before, or was sent to another phone number.',
    remedy: 'Ask for the newest code that was received. A code allows five wrong attempts.',
    repeat: 'no',
  },
  CODE_ATTEMPTS_EXCEEDED: { cause: EXHAUSTED, remedy: 'Request a new one with POST /phone/verification.', repeat: 'no' },
  RESEND_TOO_SOON: {
    cause: 'A code was sent less than 30 seconds ago. It stays valid.',
    remedy: 'Use the code that was sent, or wait for the time in the Retry-After header. One code to another phone number is sent at once.',
    repeat: 'later',
  },
  CODE_EXPIRED: {
    cause: 'The code has expired.',
    remedy: 'Request a new one with POST /phone/verification.',
    repeat: 'no',
  },
  PHONE_COUNTRY_NOT_ALLOWED: {
    cause: 'Codes are not sent to phone numbers of this country.',
    remedy: 'Use a phone number of another country.',
    repeat: 'after_remedy',
  },
  CODE_REQUIRED: {
    cause: 'The platform requires verified phone numbers, and the request has no code.',
    remedy: 'Request a code with POST /phone/verification and send it in `code`.',
    repeat: 'no',
  },
  USER_ALREADY_EXISTS: {
    cause: 'The wallet or the e-mail address is already registered.',
    remedy: 'Refresh the tokens to get a user token, or use another e-mail address.',
    repeat: 'no',
  },
  USER_REGISTRATION_IN_PROGRESS: {
    cause: 'A registration of this wallet or e-mail address is still running.',
    remedy: 'Repeat the request after a short wait.',
    repeat: 'later',
  },
  PROFILE_CREATION_FAILED: {
    cause: 'The KYC provider could not create a profile. The one-time password remains valid.',
    remedy: 'Repeat the request. If it has a share token, check that the token is valid.',
    repeat: 'later',
  },
  USER_NOT_FOUND: {
    cause: 'The user of the access token does not exist.',
    remedy: 'Sign in again.',
    repeat: 'no',
  },
  WALLET_IN_USE: {
    cause: 'The wallet belongs to another user.',
    remedy: 'Use another wallet, or remove it from the other user first.',
    repeat: 'after_remedy',
  },
  WALLET_LIMIT_REACHED: {
    cause: 'The user has the maximum number of wallets.',
    remedy: 'Remove a wallet first.',
    repeat: 'after_remedy',
  },
  LAST_WALLET: {
    cause: 'The wallet is the last one of the user.',
    remedy: 'Add another wallet first.',
    repeat: 'after_remedy',
  },
  WALLET_IS_OWNER: {
    cause: 'The wallet is the primary one, or owns the Safe of the account or is to own it, and cannot be removed.',
    remedy:
      'Make another wallet the primary one with POST /user/wallets/primary. The wallet that owns the Safe stays; when it was lost or stolen, ask support to replace it.',
    repeat: 'no',
  },
  WALLET_COOLING: {
    cause: 'The wallet was added recently, and may not approve anything yet.',
    remedy: 'Use another wallet, or wait until the `approvesFrom` of the wallet in GET /user.',
    repeat: 'later',
  },
  APPROVAL_REQUIRED: {
    cause: 'The change lets through what was not: it needs the signature of a wallet of the user.',
    remedy:
      'Create typed data for the change (POST /user/wallets/challenge, or /challenge after the path of the change of a card), sign it with a wallet of the user, and send the signature in `approval`.',
    repeat: 'after_remedy',
  },
  INVALID_APPROVAL: {
    cause: 'No wallet of the user signed typed data that was created for this change of this wallet or card.',
    remedy:
      'Create typed data for the change (POST /user/wallets/challenge, or /challenge after the path of the change of a card), sign it with a wallet of the user, and send the signature in `approval`.',
    repeat: 'no',
  },
  RECOVERY_NOT_FOUND: {
    cause: 'There is no wallet recovery with this id.',
    remedy: 'Check the id.',
    repeat: 'no',
  },
  RECOVERY_STATE_CONFLICT: {
    cause: 'The wallet recovery is not pending: it was approved or rejected by somebody else.',
    remedy: 'Read the recovery and decide again.',
    repeat: 'no',
  },
  TERMS_VERSION_INVALID: {
    cause: 'A document is unknown, or the version is not the current one.',
    remedy: 'Get the current versions with GET /user/terms and accept those.',
    repeat: 'no',
  },
  KYC_PROFILE_NOT_FOUND: {
    cause: 'The event names a profile that does not exist.',
    remedy: 'Check the profile id. Deliver the event again if the profile was created recently.',
    repeat: 'later',
  },
  KYC_STATE_CONFLICT: {
    cause: 'The identity check cannot be started or moved in its current status.',
    remedy: 'Get the status with GET /kyc.',
    repeat: 'no',
  },
  KYC_SESSION_FAILED: {
    cause: 'The KYC provider could not create a page.',
    remedy: 'Repeat the request after a short wait.',
    repeat: 'later',
  },
};
