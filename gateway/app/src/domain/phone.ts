/** A phone number as people write it, in E.164: `+49 (0)151 123` or `0049 151 123` becomes `+49151123`. */
export const toE164 = (typed: string): string => {
  const digits = typed.replace(/\(0\)/g, '').replace(/[^\d+]/g, '');
  return digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
};
