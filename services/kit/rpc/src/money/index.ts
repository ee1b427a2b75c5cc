export { type Amount, amountSchema, formatAmount, parseAmount } from './amount.ts';
export { toMinorUnits } from './scale.ts';
