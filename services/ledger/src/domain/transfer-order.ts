import { hash } from 'node:crypto';
import { accountsOf } from './apply-entry.ts';
import { type Intent, intentOf } from './draft-block.ts';
import { forcedFact, type Transfer } from './entry.ts';
import { type Metadata, metadataFacts, metadataText, NO_METADATA } from './metadata.ts';
import type { SystemAccounts } from './system-accounts.ts';

/** What any order may carry. */
export type OrderOptions = {
  /** Written regardless of the balances and states of its accounts. Default: no. */
  forced?: boolean | undefined;
  metadata?: Metadata | undefined;
  /** Rules of the system accounts. Default: the built-in ones. */
  systemAccounts?: SystemAccounts | undefined;
};

/** Linked transfers between users' available or settling money and system accounts. */
export type TransferOrder = OrderOptions & {
  /** Caller-chosen UUID. */
  id: string;
  /** The first user account among the transfers' sides: the entry's own account. Empty when all sides are system accounts. */
  accountId: string;
  transfers: readonly Transfer[];
};

/** What tells two orders under one id apart. */
export const orderHash = (transfers: readonly Transfer[], { forced = false, metadata = NO_METADATA }: OrderOptions, more = ''): string => {
  const legs = transfers.map(({ debit, credit, token, amount }) => `${debit} ${credit} ${token} ${amount}`).join('\n');
  const text = metadata === NO_METADATA ? '' : metadataText(metadata);
  return hash('sha256', `${legs}\n${more}${forced ? '\nforced' : ''}${text === '' ? '' : `\n${text}`}`, 'base64url');
};

/** The facts that an order's options become in its entry. */
export const optionFacts = ({ forced = false, metadata = NO_METADATA }: OrderOptions): Record<string, string> =>
  forced || metadata !== NO_METADATA ? { ...forcedFact(forced), ...metadataFacts(metadata) } : {};

/** What an intent takes over from an order's options. */
export const intentRules = ({ systemAccounts }: OrderOptions): Pick<Intent, 'systemAccounts'> =>
  systemAccounts === undefined ? {} : { systemAccounts };

export const transferOrdered = ({ id, accountId, transfers, ...options }: TransferOrder): Intent => {
  const proposal = {
    id,
    kind: 'transfer',
    accountId,
    inputHash: orderHash(transfers, options),
    transfers,
    data: optionFacts(options),
  } as const;
  return { ...intentOf(proposal, accountsOf(proposal)), ...intentRules(options) };
};
