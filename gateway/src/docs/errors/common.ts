import type { COMMON_ERROR_CODES } from '@florin/proto/common/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const COMMON_ERRORS: Readonly<Record<keyof typeof COMMON_ERROR_CODES, ErrorEntry>> = {
  VALIDATION_FAILED: {
    cause: 'One or more fields of the request are missing or invalid. This error has the validation shape: its message names each field.',
    remedy: 'Correct the named fields.',
    repeat: 'no',
  },
  MALFORMED_BODY: {
    cause:
      'The body is not valid JSON or not valid UTF-8, or the request is not valid HTTP. Over gRPC: the message is not one of the contract, or is not compressed as its header states.',
    remedy: 'Send the body as JSON in UTF-8; over gRPC, encode the message with code generated from the contract.',
    repeat: 'no',
  },
  UNAUTHORIZED: {
    cause: 'The access token is missing, malformed, expired or revoked. The error_description in the WWW-Authenticate header says which.',
    remedy:
      'A person’s token: refresh the tokens with POST /auth/refresh, or sign in again. A partner’s token: refreshing does not help, sign another one with a registered key (guide Partners: keys and tokens).',
    repeat: 'after_remedy',
  },
  USER_NOT_REGISTERED: {
    cause: 'The operation requires a user token, and the access token belongs to a wallet without a user.',
    remedy: 'Register with POST /user. If the wallet is registered, refresh the tokens: the new access token is a user token.',
    repeat: 'after_remedy',
  },
  WRONG_TOKEN_KIND: {
    cause:
      "The token is valid, but of another kind: a person's token for an operation of partners, or a partner's token for an operation of a person. The error_description in the WWW-Authenticate header names the right one.",
    remedy:
      "Send a person's access token, which a sign-in yields, or a token that the partner's server signs with its own key (guide Partners: keys and tokens).",
    repeat: 'no',
  },
  FORBIDDEN: {
    cause:
      'The caller may not perform the operation: the client of a partner lacks the scope that it needs, or its token does not carry it.',
    remedy: 'Sign a token with the scope that the WWW-Authenticate header names; if the key has not got it, register one that has.',
    repeat: 'no',
  },
  NOT_FOUND: {
    cause:
      'The path does not exist, which the title of the Link header says; or the object, for example a session or a wallet, does not exist or does not belong to the caller.',
    remedy: 'Check the path, or the id or address of the object.',
    repeat: 'no',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path does not support the method.',
    remedy: 'Use a method that the Allow header lists.',
    repeat: 'no',
  },
  PAYLOAD_TOO_LARGE: {
    cause:
      'The body exceeds 64 KiB, or the headers exceed 16 KiB. Over gRPC: the request exceeds 1 MiB (16 KiB without a token) or the response 4 MiB; the metadata states the limit as maxBytes.',
    remedy: 'Send a smaller request, or ask for a smaller page.',
    repeat: 'no',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The Content-Type of the body is missing or is not application/json in UTF-8.',
    remedy: 'Send JSON with the header Content-Type: application/json. The Accept header of the response states what is accepted.',
    repeat: 'no',
  },
  UNSUPPORTED_CONTENT_ENCODING: {
    cause: 'The body is compressed. Compressed bodies are not accepted; a body may have 64 KiB.',
    remedy: 'Send the body without Content-Encoding, as the Accept-Encoding header of the response states.',
    repeat: 'no',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The Idempotency-Key was used for a request with other content in the last 24 hours.',
    remedy: 'Use a new key for every new request, and the same key only for repeats of the same request.',
    repeat: 'no',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'The first request with this Idempotency-Key is still running.',
    remedy: 'Repeat the request with the same key after a short wait to get its response.',
    repeat: 'later',
  },
  RATE_LIMITED: {
    cause:
      'The caller exceeded a limit: of requests per minute, of codes sent per hour, of responses kept for an Idempotency-Key per day, of exports of personal data per day, or of CSV tables at once.',
    remedy: 'Wait for the time in the Retry-After header.',
    repeat: 'later',
  },
  STREAM_LIMIT_REACHED: {
    cause: 'The user, or the partner, has the maximum number of open event streams: ten through the gateway.',
    remedy:
      'Close a stream that is no longer read, for example of a window in the background, and open the new one after the time in Retry-After.',
    repeat: 'after_remedy',
  },
  INVITATION_WAITS: {
    cause: 'The link gives rights over money or operators, and no second administrator of the back office has approved it yet.',
    remedy: 'Have another administrator approve it, whom the one who made it has not let in.',
    repeat: 'after_remedy',
  },
  PROVIDER_NOT_LINKED: {
    cause: 'The operator with this address is not linked to the person who has signed in at the OpenID provider.',
    remedy: 'Sign in with a passkey, and link the two at /passkeys.',
    repeat: 'after_remedy',
  },
  LAST_PASSKEY: {
    cause: 'The operator of the back office has no other passkey, and no other way to sign in.',
    remedy: 'Add another passkey first. If the last one was lost, have an administrator end it and send a new link.',
    repeat: 'after_remedy',
  },
  ASSIGNMENT_CHANGED: {
    cause: 'In the back office, somebody else has assigned this item of a queue meanwhile.',
    remedy: 'Read the queue again, and decide anew.',
    repeat: 'after_remedy',
  },
  BACK_OFFICE_NOT_ADMITTED: {
    cause:
      'A service does not accept the service token of the back office: the service does not trust its key, or not with the scope of the call.',
    remedy: 'Whoever runs the platform adds the key of the back office, with its scopes, to SERVICE_TRUST of that service.',
    repeat: 'after_remedy',
  },
  OPERATOR_EXISTS: {
    cause: 'Another operator of the back office has the mailbox of this e-mail address. A person has one account there.',
    remedy: 'Invite the operator by the address that they have there, which gives them another passkey.',
    repeat: 'no',
  },
  ORDER_STATE_CONFLICT: {
    cause: 'Another operator has decided this order of the back office, or nobody has in time.',
    remedy: 'Read the order. If it was not carried out, make another one.',
    repeat: 'no',
  },
  REASON_REQUIRED: {
    cause: 'A person called a service without saying why. Calls of people are recorded with their reason. Raised over gRPC only.',
    remedy: 'Send the reason in the header x-florin-reason.',
    repeat: 'after_remedy',
  },
  INTERNAL_ERROR: {
    cause: 'The platform failed unexpectedly. The operation may or may not have been performed.',
    remedy: 'Repeat the request with the same Idempotency-Key. If it fails again, report the X-Request-Id.',
    repeat: 'later',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'A part of the platform is temporarily unavailable. The operation may or may not have been performed.',
    remedy: 'Repeat the request with the same Idempotency-Key after a short wait.',
    repeat: 'later',
  },
  UPSTREAM_TIMEOUT: {
    cause: 'A part of the platform did not respond in time. The operation may or may not have been performed.',
    remedy: 'Repeat the request with the same Idempotency-Key after a short wait.',
    repeat: 'later',
  },
  RPC_NOT_FOUND: {
    cause:
      'The service has no RPC at the path: the port belongs to another service, or the service is older than the contract. Raised over gRPC only.',
    remedy: 'Call the port of the service that serves the contract, and compare versions.',
    repeat: 'no',
  },
  INVALID_DEADLINE: {
    cause: 'The deadline of a call is malformed or longer than 60 seconds. Raised over gRPC only.',
    remedy: 'Set a deadline of at most the milliseconds that the metadata states as maxMs.',
    repeat: 'no',
  },
  HTTP_VERSION_NOT_SUPPORTED: {
    cause: 'The RPC streams in both directions, which needs HTTP/2. Raised over gRPC only.',
    remedy: 'Call it over HTTP/2.',
    repeat: 'no',
  },
  INVALID_SIGNATURE: {
    cause:
      'The signature does not match the message or typed data and the wallet, the typed data was created for another decision, or the data was never issued. On sign-in and webhooks the status is 401.',
    remedy: 'Request the data to sign again, sign it unchanged with the right wallet, and submit the new signature.',
    repeat: 'no',
  },
};
