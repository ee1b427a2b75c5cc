import { kept } from '@florin/ui/page/kept.ts';
import { type LastKnown, parseLastKnown } from '../domain/last-known.ts';
import { balancesQuery, paymentsQuery, queries } from './queries.ts';

/** They stay in this browser until the person signs out. */
const NAME = 'florin.last-known';
const PAYMENTS = 5;

const keep = (): void => {
  const balance = queries.getQueryData(balancesQuery.queryKey)?.data[0];
  const payments = queries.getQueryData(paymentsQuery().queryKey)?.pages[0]?.data.slice(0, PAYMENTS);
  if (balance === undefined || payments === undefined) return;
  const known: LastKnown = { at: new Date().toISOString(), balance, payments };
  kept.keep(NAME, JSON.stringify(known));
};

/** Keeps the balance and the latest payments whenever they are read. @returns stops it */
export const keepLastKnown = (): (() => void) =>
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const [topic] = event.query.queryKey as [unknown];
    if (topic === 'balances' || topic === 'payments') keep();
  });

export const forgetLastKnown = (): void => kept.forget(NAME);

export const readLastKnown = (): LastKnown | undefined => {
  const text = kept.read(NAME);
  return text === undefined ? undefined : parseLastKnown(text);
};
