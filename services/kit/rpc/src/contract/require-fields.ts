import { invalidRequest } from './request-judge.ts';

/**
 * Rejects a request by a rule that its contract cannot state, for example one that spans fields.
 * @param problems by the path of a field in names of the contract; undefined for a field without a problem
 * @throws CodedError VALIDATION_FAILED
 */
export const requireFields = (problems: Readonly<Record<string, string | undefined>>): void => {
  const found = Object.entries(problems).flatMap(([field, problem]) => (problem === undefined ? [] : [{ field, problem }]));
  if (found.length > 0) throw invalidRequest(found);
};
