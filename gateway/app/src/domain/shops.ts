import type { CardTransaction } from '@florin/client';

/** A merchant as a control names it: the acquirer's id, and the name that its payments have. */
export type Shop = { id: string; name: string };

/** The shops that a card has paid, by name, each once. Declined payments name none, and those that the acquirer does not identify are left out. Shops of one name have their id with it. */
export const shopsOf = (payments: readonly Pick<CardTransaction, 'kind' | 'status' | 'merchant'>[]): Shop[] => {
  const names = new Map<string, string>();
  for (const { kind, status, merchant } of payments) {
    if (kind !== 'payment' || status === 'declined' || merchant.id === undefined || names.has(merchant.id)) continue;
    names.set(merchant.id, merchant.name ?? merchant.id);
  }
  const all = [...names.values()];
  const isAlone = (name: string): boolean => all.indexOf(name) === all.lastIndexOf(name);
  return [...names]
    .map(([id, name]) => ({ id, name: isAlone(name) ? name : `${name} (${id})` }))
    .sort((one, other) => one.name.localeCompare(other.name));
};
