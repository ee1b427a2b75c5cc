import type { z } from 'zod';
import { CodedError } from '../errors/index.ts';
import { describeIssue, MAX_VIOLATIONS, toProtoPath } from '../validation/index.ts';

const isOneof = (value: unknown): value is { case: string | undefined } => typeof value === 'object' && value !== null && 'case' in value;

/**
 * The path of a problem in names of the contract. The generated code holds a oneof as `{case, value}`: its value is the field that is
 * set, and its case stands for the oneof itself.
 */
const toPath = (request: unknown, path: readonly PropertyKey[]): string => {
  let at: unknown = request;
  let text = '';
  for (const key of path) {
    const inside: unknown = at === null || at === undefined ? undefined : (at as Record<PropertyKey, unknown>)[key];
    if (isOneof(at) && key === 'value') text = text.replace(/[^.]*$/, at.case ?? '');
    else if (!isOneof(at) || key !== 'case') text += typeof key === 'number' ? `[${key}]` : `${text === '' ? '' : '.'}${String(key)}`;
    at = inside;
  }
  return toProtoPath(text) || 'request';
};

/**
 * Validates a request message at the edge of a service.
 * @throws CodedError VALIDATION_FAILED; the message lists `<path>: <problem>` separated by `; `, in names of the contract, and never
 * contains a value
 */
export const parseRequest = <S extends z.ZodType>(schema: S, request: unknown): z.output<S> => {
  const parsed = schema.safeParse(request, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${toPath(request, path)}: ${message}`);
  throw new CodedError('VALIDATION_FAILED', { message: problems.slice(0, MAX_VIOLATIONS).join('; ') });
};
