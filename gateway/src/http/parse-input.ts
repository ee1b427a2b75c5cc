import { CodedError } from '@florin/rpc/errors';
import { describeIssue, describeUnknown } from '@florin/rpc/validation';
import type { Request } from 'express';
import type { z } from 'zod';
import { hasNoBody, type Route } from './define-route.ts';

export type RouteInput = { params: unknown; query: unknown; body: unknown };

/** Keeps the response to a hostile body short. */
const MAX_ISSUES = 10;

const check = (schema: z.ZodType | undefined, value: unknown, whole: string, problems: string[]): unknown => {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? describeUnknown(issue) : describeIssue(issue)),
  });
  if (parsed.success) return parsed.data;
  for (const { code, path, message } of parsed.error.issues) {
    const place = path.map(String);
    if (code === 'unrecognized_keys') problems.push(...message.split('; ').map((problem) => [...place, problem].join('.')));
    else problems.push(`${place.join('.') || whole}: ${message}`);
  }
  return undefined;
};

/** Problems of a body that was sent to an operation without one. An empty object, and null, say nothing. */
const checkStray = (body: unknown, query: Route['query'], problems: string[]): void => {
  if (body === undefined || body === null) return;
  if (typeof body !== 'object' || Array.isArray(body)) {
    problems.push('body: must be empty');
    return;
  }
  const parameters = query?.shape ?? {};
  for (const name of Object.keys(body)) {
    problems.push(Object.hasOwn(parameters, name) ? `${name}: must be in the query` : describeUnknown({ keys: [name] }));
  }
};

/**
 * Validates the parts of a request against the route's schemas.
 * @throws CodedError VALIDATION_FAILED with the message `<path>: <what is wrong>; …`, without values
 */
export const parseInput = (route: Route, request: Request): RouteInput => {
  const problems: string[] = [];
  const input = {
    params: check(route.params, request.params, 'path', problems),
    query: check(route.query, request.query, 'query', problems),
    // The service that can verify the signature validates a delivery.
    body: route.webhook === undefined ? check(route.body, request.body, 'body', problems) : undefined,
  };
  if (hasNoBody(route)) checkStray(request.body, route.query, problems);
  if (problems.length > 0) throw new CodedError('VALIDATION_FAILED', { message: problems.slice(0, MAX_ISSUES).join('; ') });
  return input;
};
