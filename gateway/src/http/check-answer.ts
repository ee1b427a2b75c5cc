import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { declaredCodes } from './declared-codes.ts';
import type { Route } from './define-route.ts';

const fault = (route: Route, what: string, cause?: unknown): CodedError =>
  new CodedError('INTERNAL_ERROR', { cause: new Error(`${route.operationId}: ${what}`, { cause }) });

/**
 * Checks an answer against the document (VALIDATE_ANSWERS). Fields that the document does not name are a fault as well.
 * @throws CodedError INTERNAL_ERROR
 */
export const checkAnswer = (route: Route, status: number, body: unknown): void => {
  const schema = route.answers[status];
  if (schema === undefined) throw fault(route, `status ${status} is not declared`);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw fault(route, 'answer does not fit its schema', parsed.error);
  if (hashInput(parsed.data) !== hashInput(body)) throw fault(route, 'answer has fields that its schema does not know');
};

/** @throws CodedError INTERNAL_ERROR when the route does not declare the code */
export const checkCode = (route: Route, error: CodedError): void => {
  if (!declaredCodes(route).has(error.code)) throw fault(route, `code ${error.code} is not declared`, error);
};
