import type { AccountOwner } from '@florin/back-office/contract';
import { Money } from '@florin/ui/parts/money.tsx';
import { Link } from '@tanstack/react-router';
import { readLedgerAccount } from '../domain/ledger-account.ts';
import { useTranslator } from '../i18n/i18n.ts';

type Transfer = { debit: string; credit: string; token: string; amount: string; decimals: number; currency: string };

/** Owners of accounts, by the ids of the accounts. */
export type Owners = ReadonlyMap<string, AccountOwner>;

const NOBODY: Owners = new Map();

/** A ledger account in words: a system account by its name, that of a person by its owner, or else by its id. */
export const useAccountName = (): ((name: string, owners: Owners) => string) => {
  const { word } = useTranslator();
  return (name, owners) => {
    const account = readLedgerAccount(name);
    return 'system' in account ? word('system.', account.system) : (owners.get(account.owner)?.email ?? account.owner);
  };
};

/** A bucket, where one is named, with the owner of its account, or the first digits of its id; the names of system accounts. */
const LedgerAccount = ({ name, owners }: { name: string; owners: Owners }) => {
  const { word } = useTranslator();
  const account = readLedgerAccount(name);
  if ('system' in account) return <span title={account.system}>{word('system.', account.system)}</span>;
  const owner = owners.get(account.owner);
  return (
    <span title={name}>
      {account.bucket === undefined ? '' : `${word('bucket.', account.bucket)} `}
      {owner === undefined ? null : (
        <Link to="/people/$userId" params={{ userId: owner.userId }} preload={false}>
          {owner.email}
        </Link>
      )}{' '}
      <span className="mono small soft">{account.owner.slice(0, 8)}…</span>
    </span>
  );
};

/** Money that moves, each from one account to another. */
export const Transfers = ({ of, owners = NOBODY }: { of: readonly Transfer[]; owners?: Owners }) => (
  <ul className="transfers">
    {of.map(({ debit, credit, token, amount, decimals, currency }) => (
      <li key={`${debit} ${credit} ${token} ${amount}`}>
        <LedgerAccount name={debit} owners={owners} /> → <LedgerAccount name={credit} owners={owners} />{' '}
        <Money amount={amount} decimals={decimals} currency={currency} />
      </li>
    ))}
  </ul>
);
