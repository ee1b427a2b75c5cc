import type { AccountOwner } from '@florin/back-office/contract';
import { Money } from '@florin/ui/parts/money.tsx';
import { Link } from '@tanstack/react-router';
import { readLedgerAccount } from '../domain/ledger-account.ts';
import { useTranslator } from '../i18n/i18n.ts';

type Transfer = { debit: string; credit: string; token: string; amount: string; decimals: number; currency: string };

/** Owners of accounts, by the ids of the accounts. */
export type Owners = ReadonlyMap<string, AccountOwner>;

const NOBODY: Owners = new Map();

/** The digits of an account's id that tell it from that of a person whose masked address is the same. */
const firstDigits = (id: string): string => `${id.slice(0, 8)}…`;

/** A ledger account in words: a system account by its name, that of a person by its owner and the first digits of its id, or else by its id. */
export const useAccountName = (): ((name: string, owners: Owners) => string) => {
  const { word } = useTranslator();
  return (name, owners) => {
    const account = readLedgerAccount(name);
    if ('system' in account) return word('system.', account.system);
    const email = owners.get(account.owner)?.email;
    return email === undefined ? account.owner : `${email} (${firstDigits(account.owner)})`;
  };
};

/** A bucket, where one is named, with the owner of its account, or the first digits of its id; the names of system accounts. */
const LedgerAccount = ({ name, owners }: { name: string; owners: Owners }) => {
  const { word } = useTranslator();
  const account = readLedgerAccount(name);
  if ('system' in account) return <span title={account.system}>{word('system.', account.system)}</span>;
  const owner = owners.get(account.owner);
  const id = <span className="mono small soft">{firstDigits(account.owner)}</span>;
  return (
    <span title={name}>
      {account.bucket === undefined ? '' : `${word('bucket.', account.bucket)} `}
      {owner === undefined ? (
        id
      ) : (
        <Link to="/people/$userId" params={{ userId: owner.userId }} preload={false}>
          {owner.email} {id}
        </Link>
      )}
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
