import type { MessageKey } from '../i18n/i18n.tsx';

/** The keys of texts about wallets. */
type WalletKey = Extract<MessageKey, `wallet.${string}`> | 'approve.unexpected';

/** A wallet that is missing, refuses, or is not as it has to be. */
export class WalletError extends Error {
  /** Code that is shown to the person. */
  readonly code: string;
  readonly key: WalletKey;
  readonly values: Readonly<Record<string, string>>;

  constructor(code: string, key: WalletKey, values: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.key = key;
    this.values = values;
  }
}

export type FailureView = {
  code: string;
  requestId: string | undefined;
  /** `session`: signing in again helps. `network`: trying again helps. */
  kind: 'session' | 'network' | 'validation' | 'other';
  /** A text of its own. */
  detail: { key: WalletKey; values: Readonly<Record<string, string>> } | undefined;
};

const SESSION_CODES = new Set(['UNAUTHORIZED', 'INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED', 'REAUTHENTICATION_REQUIRED']);
const NETWORK_CODES = new Set(['NETWORK_ERROR', 'TIMEOUT']);

const textOf = (error: object, name: string): string | undefined => {
  const value = (error as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const kindOf = (code: string): FailureView['kind'] => {
  if (SESSION_CODES.has(code)) return 'session';
  if (NETWORK_CODES.has(code)) return 'network';
  return code === 'VALIDATION_FAILED' ? 'validation' : 'other';
};

/** What a screen shows of an error. */
export const describeFailure = (error: unknown): FailureView => {
  if (error instanceof WalletError) {
    return { code: error.code, requestId: undefined, kind: 'other', detail: { key: error.key, values: error.values } };
  }
  if (typeof error !== 'object' || error === null) return { code: 'UNKNOWN', requestId: undefined, kind: 'other', detail: undefined };
  const code = textOf(error, 'code') ?? 'UNKNOWN';
  const detail = code === 'UNEXPECTED_TEXT' ? { key: 'approve.unexpected' as const, values: {} } : undefined;
  return { code, requestId: textOf(error, 'requestId'), kind: kindOf(code), detail };
};

/** The problem of a field of a request that failed validation. */
export const fieldProblem = (error: unknown, field: string): string | undefined => {
  const fields = typeof error === 'object' && error !== null ? (error as { fields?: unknown }).fields : undefined;
  return typeof fields === 'object' && fields !== null ? textOf(fields, field) : undefined;
};
