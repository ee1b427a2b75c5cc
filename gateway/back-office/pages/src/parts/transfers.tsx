import { Money } from '@florin/ui/parts/money.tsx';
import { readLedgerAccount } from '../domain/ledger-account.ts';
import { useTranslator } from '../i18n/i18n.ts';

type Transfer = { debit: string; credit: string; token: string; amount: string; decimals: number; currency: string };

/** A bucket, where one is named, with the first digits of its account; the names of system accounts as they are. */
const LedgerAccount = ({ name }: { name: string }) => {
  const { word } = useTranslator();
  const account = readLedgerAccount(name);
  if ('system' in account) return <span className="mono small">{account.system}</span>;
  return (
    <span title={name}>
      {account.bucket === undefined ? '' : `${word('bucket.', account.bucket)} `}
      <span className="mono small soft">{account.owner.slice(0, 8)}…</span>
    </span>
  );
};

/** Money that moves, each from one account to another. */
export const Transfers = ({ of }: { of: readonly Transfer[] }) => (
  <ul className="transfers">
    {of.map(({ debit, credit, token, amount, decimals, currency }) => (
      <li key={`${debit} ${credit} ${token} ${amount}`}>
        <LedgerAccount name={debit} /> → <LedgerAccount name={credit} /> <Money amount={amount} decimals={decimals} currency={currency} />
      </li>
    ))}
  </ul>
);
