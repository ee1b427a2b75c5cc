/**
 * A value that the contract of a request requires.
 * @throws Error when it is absent, which the contract's rules should have ruled out
 */
export const stated = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('a value that the contract requires is absent');
  return value;
};
