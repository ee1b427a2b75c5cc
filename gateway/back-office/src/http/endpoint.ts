import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { describeIssue } from '@florin/rpc/validation';
import type { z } from 'zod';
import type { Permission } from '../contract/index.ts';
import type { OperatorSession } from '../operators/sessions.ts';

/** A request that has been read. */
export type Incoming = {
  requestId: string;
  /** The address that has connected; behind a proxy it is the proxy's. */
  address: string;
  /** Parts of the path that the template names. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The parsed JSON of the body; undefined without one. */
  body: unknown;
  /** The only value of a cookie; undefined without one, and when somebody has set another one with the same name. */
  cookie: (name: string) => string | undefined;
  header: (name: string) => string | undefined;
  logger: Logger;
};

export type Answer = {
  /** Default: 200, or 204 without a body. */
  status?: number;
  body?: unknown;
  headers?: Readonly<Record<string, string | readonly string[]>>;
};

type Method = 'GET' | 'POST' | 'DELETE';

/**
 * One operation. `access` is who may call it: anybody, everybody who has signed in, or those whose roles give the permission. An endpoint that
 * changes something with a permission for moving money needs a confirmation by passkey.
 */
export type Endpoint = {
  method: Method;
  path: string;
  /** Pages ask for it again and again by themselves, so it does not show that somebody is there: the session lives no longer by it. */
  isPolled?: true;
} & (
  | { access: 'public'; handle: (request: Incoming) => Promise<Answer> }
  | { access: 'session' | Permission; handle: (request: Incoming, session: OperatorSession) => Promise<Answer> }
);

/** @throws CodedError VALIDATION_FAILED, naming fields and never values */
export const parse = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new CodedError('VALIDATION_FAILED', { message: problems.slice(0, 10).join('; ') });
};
