import { describeFailure as describeError, type FailureView } from '@florin/ui/page/failure-view.ts';
import type { MessageKey } from '../i18n/i18n.ts';

/** The keys of texts about wallets. */
type WalletKey = Extract<MessageKey, `wallet.${string}`>;

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

const UNEXPECTED: MessageKey = 'approve.unexpected';

/** The text of an error on a screen: wallets, and texts that do not fit, have words of their own. */
export const describeFailure = (error: unknown): FailureView => {
  const view = describeError(error);
  if (error instanceof WalletError) {
    const kind = error.key === 'wallet.refused' ? 'choice' : view.kind;
    return { ...view, kind, detail: { key: error.key, values: error.values } };
  }
  return view.code === 'UNEXPECTED_TEXT' ? { ...view, detail: { key: UNEXPECTED, values: {} } } : view;
};
