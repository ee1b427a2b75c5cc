import { Money } from '@florin/ui/parts/money.tsx';

type Transfer = { debit: string; credit: string; token: string; amount: string; decimals: number; currency: string };

/** A UUID by its first digits; the names of system accounts as they are. */
const accountName = (account: string): string => (/^[0-9a-f]{8}-/.test(account) ? `${account.slice(0, 8)}…` : account);

/** Money that moves, each from one account to another. */
export const Transfers = ({ of }: { of: readonly Transfer[] }) => (
  <ul className="transfers">
    {of.map(({ debit, credit, token, amount, decimals, currency }) => (
      <li key={`${debit} ${credit} ${token} ${amount}`}>
        <span className="mono small" title={`${debit} → ${credit}`}>
          {accountName(debit)} → {accountName(credit)}
        </span>{' '}
        <Money amount={amount} decimals={decimals} currency={currency} />
      </li>
    ))}
  </ul>
);
