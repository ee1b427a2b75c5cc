import { Code } from '@connectrpc/connect';
import { CARD_ERROR_CODES } from '@florin/proto/card/v1/error-codes';
import { CHAIN_ERROR_CODES } from '@florin/proto/chain/v1/error-codes';
import { COMMON_ERROR_CODES } from '@florin/proto/common/v1/error-codes';
import { EVENTS_ERROR_CODES } from '@florin/proto/events/v1/error-codes';
import { IDENTITY_ERROR_CODES } from '@florin/proto/identity/v1/error-codes';
import { LEDGER_ERROR_CODES } from '@florin/proto/ledger/v1/error-codes';
import { NOTIFICATIONS_ERROR_CODES } from '@florin/proto/notifications/v1/error-codes';
import { PRIVACY_ERROR_CODES } from '@florin/proto/privacy/v1/error-codes';
import { SETTLEMENT_ERROR_CODES } from '@florin/proto/settlement/v1/error-codes';
import { THREEDS_ERROR_CODES } from '@florin/proto/threeds/v1/error-codes';
import { VAULT_ERROR_CODES } from '@florin/proto/vault/v1/error-codes';

const CODES = {
  ...COMMON_ERROR_CODES,
  ...IDENTITY_ERROR_CODES,
  ...CARD_ERROR_CODES,
  ...LEDGER_ERROR_CODES,
  ...THREEDS_ERROR_CODES,
  ...PRIVACY_ERROR_CODES,
  ...VAULT_ERROR_CODES,
  ...CHAIN_ERROR_CODES,
  ...EVENTS_ERROR_CODES,
  ...NOTIFICATIONS_ERROR_CODES,
  ...SETTLEMENT_ERROR_CODES,
} as const;

/** Every error code of the platform. */
export type ErrorCode = keyof typeof CODES;

/** Every error code of every contract, with its gRPC and HTTP status. */
export const ERRORS = Object.fromEntries(
  Object.entries(CODES).map(([code, { grpc, http }]) => [code, { grpc: Code[grpc], http }]),
) as Readonly<Record<ErrorCode, { grpc: Code; http: number }>>;

/** Reports whether a text is an error code of the platform. */
export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);
