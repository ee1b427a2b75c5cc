const ABSENT = { not: {} };

/**
 * JSON Schema of objects that have at least one of the fields. Not `anyOf`, for which generators of clients lose the fields of the object.
 */
export const atLeastOne = (...names: string[]) => ({ not: { properties: Object.fromEntries(names.map((name) => [name, ABSENT])) } });
