import type { Dependencies } from '../handlers/dependencies.ts';

/** Stands for the parts of card payments in tests of handlers that do not use them. */
export const NO_PAYMENTS = {} as Pick<
  Dependencies,
  | 'deciding'
  | 'reporting'
  | 'holds'
  | 'program'
  | 'payments'
  | 'claims'
  | 'exceptions'
  | 'suspense'
  | 'adjustments'
  | 'processors'
  | 'spendings'
  | 'book'
  | 'clocks'
  | 'expiring'
  | 'disputes'
  | 'effects'
  | 'record'
  | 'sandbox'
>;
