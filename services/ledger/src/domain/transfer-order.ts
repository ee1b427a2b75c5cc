import { hash } from 'node:crypto';
import { accountsOf, type Move } from './apply-entry.ts';
import type { Intent } from './draft-block.ts';
import { forcedFact, type Proposal, type Transfer } from './entry.ts';
import { type Metadata, metadataFacts, metadataText, NO_METADATA } from './metadata.ts';
import type { SystemAccounts } from './system-accounts.ts';

/** The optional parts of an order. */
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
  /** The same with their sides read, when they are at hand. */
  moves?: readonly Move[];
  /** Users' accounts among the sides, each once, when they are at hand. */
  accounts?: readonly string[];
};

/** The fields that tell two orders under one id apart. */
export const orderHash = (transfers: readonly Transfer[], { forced = false, metadata = NO_METADATA }: OrderOptions, more = ''): string => {
  const legs = transfers.map(({ debit, credit, token, amount }) => `${debit} ${credit} ${token} ${amount}`).join('\n');
  const text = metadata === NO_METADATA ? '' : metadataText(metadata);
  return hash('sha256', `${legs}\n${more}${forced ? '\nforced' : ''}${text === '' ? '' : `\n${text}`}`, 'base64url');
};

const NO_FACTS: Readonly<Record<string, string>> = Object.freeze({});

/** The facts that an order's options become in its entry. */
export const optionFacts = ({ forced = false, metadata = NO_METADATA }: OrderOptions): Readonly<Record<string, string>> =>
  forced || metadata !== NO_METADATA ? { ...forcedFact(forced), ...metadataFacts(metadata) } : NO_FACTS;

/** The options of an order that its intent takes over. */
export const intentRules = ({ systemAccounts }: OrderOptions): Pick<Intent, 'systemAccounts'> =>
  systemAccounts === undefined ? {} : { systemAccounts };

const hasFacts = (data: Readonly<Record<string, string>>): boolean => data !== NO_FACTS && Object.keys(data).length > 0;

/** Written out, without rest or spread: a call has up to a thousand orders. */
export const transferOrdered = (order: TransferOrder): Intent => {
  const { id, accountId, transfers, moves, accounts, systemAccounts } = order;
  const data = optionFacts(order);
  const isPlain = !hasFacts(data);
  const proposal: Proposal = {
    id,
    kind: 'transfer',
    accountId,
    inputHash: isPlain ? '' : orderHash(transfers, order),
    transfers,
    data,
  };
  return {
    id,
    inputHash: () => (isPlain ? orderHash(transfers, {}) : proposal.inputHash),
    accounts: accounts ?? accountsOf(proposal),
    propose: () => proposal,
    moves,
    systemAccounts,
  };
};
