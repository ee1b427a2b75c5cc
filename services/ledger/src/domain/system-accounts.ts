import { z } from 'zod';
import { isSystemName, type SystemAccount } from './ledger-account.ts';

/** How entries may use a system account. Admission only: changing a rule does not affect entries that are written. */
export type SystemAccountRule = {
  /** True if its balance may go below zero without force. */
  overdraft: boolean;
  /** True if any platform service may name it; else only deposits, withdrawals, and callers with the scope for system entries. */
  open: boolean;
  /** True for positions with the card network. Entries between these alone need no scope for system entries. */
  ofCards?: true;
};

/**
 * System accounts that every ledger has.
 * - `chain`: everything outside of the Safes. Owes what the platform holds, so that every token's sum is zero.
 * - `settlement`: the card network, which is owed what cards have spent and owes what it refunds.
 * - `fees`: paid by users to the platform.
 * - `refused`: deposits that screening rejected. They lie in a Safe, but cannot be spent.
 * - `disputes`: paid to cardholders provisionally, until a dispute is decided.
 * - `suspense`: reported by the card network for a card or currency that is not known, until a person assigns it.
 * - `debt`: debt of users that the platform has written off.
 */
const BUILT_IN: Readonly<Record<SystemAccount, SystemAccountRule>> = {
  chain: { overdraft: true, open: false },
  settlement: { overdraft: true, open: true, ofCards: true },
  fees: { overdraft: false, open: true },
  refused: { overdraft: false, open: false },
  disputes: { overdraft: true, open: true, ofCards: true },
  suspense: { overdraft: true, open: true, ofCards: true },
  debt: { overdraft: true, open: true },
};

/** The configured system accounts, by name. */
export type SystemAccounts = ReadonlyMap<SystemAccount, SystemAccountRule>;

export const DEFAULT_SYSTEM_ACCOUNTS: SystemAccounts = new Map(Object.entries(BUILT_IN));

/** More system accounts, `{"<name>": {"overdraft": false, "open": true}}`; the built-in ones cannot be changed. */
export const systemAccountsSchema = z
  .record(
    z.string().refine(isSystemName, 'must be a letter and up to 31 of a-z, 0-9 and _'),
    z.object({ overdraft: z.boolean(), open: z.boolean() }).strict(),
  )
  .superRefine((more, context) => {
    const taken = Object.keys(more).find((name) => Object.hasOwn(BUILT_IN, name));
    if (taken !== undefined) context.addIssue({ code: 'custom', message: `${taken} is built in` });
  })
  .transform((more): SystemAccounts => new Map([...DEFAULT_SYSTEM_ACCOUNTS, ...Object.entries(more)]));
