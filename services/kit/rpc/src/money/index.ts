export { type Amount, amountSchema, formatAmount, parseAmount } from './amount.ts';
export { currencyCodes, minorUnitDigits } from './iso-4217.ts';
export { toMinorUnits } from './scale.ts';
