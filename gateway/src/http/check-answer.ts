import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { declaredCodes } from './declared-codes.ts';
import type { Route } from './define-route.ts';

const fault = (route: Route, what: string, cause?: unknown): CodedError =>
  new CodedError('INTERNAL_ERROR', { cause: new Error(`${route.operationId}: ${what}`, { cause }) });

/**
 * Checks a response against its declaration (VALIDATE_ANSWERS). An undeclared field is an error too.
 * @throws CodedError INTERNAL_ERROR
 */
export const checkAnswer = (route: Route, status: number, body: unknown): void => {
  const schema = route.answers[status];
  if (schema === undefined) throw fault(route, `status ${status} is not declared`);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw fault(route, 'the response does not match its schema', parsed.error);
  if (hashInput(parsed.data) !== hashInput(body)) throw fault(route, 'the response has fields that its schema does not declare');
};

/** @throws CodedError INTERNAL_ERROR when the route does not declare the code */
export const checkCode = (route: Route, error: CodedError): void => {
  if (!declaredCodes(route).has(error.code)) throw fault(route, `code ${error.code} is not declared`, error);
};
