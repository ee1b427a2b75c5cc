/** `4999` with two decimals is `49.99`. */
export const formatAmount = (amount: string, decimals: number): string => {
  if (decimals === 0) return amount;
  const digits = amount.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};
