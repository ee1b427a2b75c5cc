/** The queries of the screens, by the first word of their keys. */
export type Topic =
  | 'onboarding'
  | 'user'
  | 'account'
  | 'balances'
  | 'cards'
  | 'payments'
  | 'challenges'
  | 'movements'
  | 'sessions'
  | 'access-log';

const BY_FAMILY: Readonly<Record<string, readonly Topic[]>> = {
  user: ['user', 'onboarding', 'account', 'sessions'],
  cardholder: ['user'],
  card: ['cards'],
  payment: ['payments', 'balances', 'cards', 'movements'],
  dispute: ['payments', 'balances', 'movements'],
  challenge: ['challenges'],
  card_data: ['access-log'],
  account: ['account', 'onboarding', 'balances'],
  backup_key: ['account'],
  recovery: ['account', 'onboarding', 'user'],
  deposit: ['movements', 'balances'],
  withdrawal: ['movements', 'balances'],
  hold: ['balances'],
  entry: ['balances', 'movements'],
  transfer: ['balances', 'movements'],
  return: ['movements'],
};

/** The queries that an event may have changed, by its type, for example `payment.cleared`. None for types that no screen shows. */
export const touchedBy = (type: string): readonly Topic[] => BY_FAMILY[type.slice(0, Math.max(0, type.indexOf('.')))] ?? [];
