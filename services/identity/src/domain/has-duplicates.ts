/** Reports whether a value occurs more than once. */
export const hasDuplicates = (values: readonly string[]): boolean => new Set(values).size < values.length;
