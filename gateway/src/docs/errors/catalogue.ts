import { ERRORS, type ErrorCode } from '@florin/rpc/errors';
import { declaredCodes } from '../../http/declared-codes.ts';
import type { Registry } from '../../http/registry.ts';
import { CARD_ERRORS } from './card.ts';
import { CHAIN_ERRORS } from './chain.ts';
import { COMMON_ERRORS } from './common.ts';
import type { ErrorEntry } from './entry.ts';
import { EVENTS_ERRORS } from './events.ts';
import { IDENTITY_ERRORS } from './identity.ts';
import { LEDGER_ERRORS } from './ledger.ts';
import { NOTIFICATIONS_ERRORS } from './notifications.ts';
import { PRIVACY_ERRORS } from './privacy.ts';
import { SETTLEMENT_ERRORS } from './settlement.ts';
import { THREEDS_ERRORS } from './threeds.ts';
import { VAULT_ERRORS } from './vault.ts';

const ENTRIES: Readonly<Record<ErrorCode, ErrorEntry>> = {
  ...COMMON_ERRORS,
  ...IDENTITY_ERRORS,
  ...CARD_ERRORS,
  ...LEDGER_ERRORS,
  ...THREEDS_ERRORS,
  ...PRIVACY_ERRORS,
  ...VAULT_ERRORS,
  ...CHAIN_ERRORS,
  ...EVENTS_ERRORS,
  ...NOTIFICATIONS_ERRORS,
  ...SETTLEMENT_ERRORS,
};

/** A code as `GET /errors` returns it. */
export type CatalogueEntry = ErrorEntry & {
  code: string;
  /** HTTP status, unless an operation documents another one. */
  status: number;
  /** Ids of the operations that can return it; empty for codes of the services' own interfaces. */
  operations: string[];
};

/** Every code of the platform, in alphabetical order. */
export const createErrorCatalogue = ({ routes }: Registry): CatalogueEntry[] =>
  (Object.keys(ENTRIES) as ErrorCode[]).sort().map((code) => ({
    code,
    status: ERRORS[code].http,
    ...ENTRIES[code],
    operations: routes.filter((route) => declaredCodes(route).has(code)).map(({ operationId }) => operationId),
  }));
