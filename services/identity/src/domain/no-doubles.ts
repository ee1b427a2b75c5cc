export const hasNoDoubles = (values: readonly string[]): boolean => new Set(values).size === values.length;
