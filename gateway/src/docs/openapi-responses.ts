import { STATUS_CODES } from 'node:http';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { declaredCodes, statusOf } from '../http/declared-codes.ts';
import type { Route } from '../http/define-route.ts';
import { errorAnswer } from '../http/error-answer.ts';

const ref = (component: string) => ({ $ref: `#/components/schemas/${component}` });

const headerRef = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });

/** The error shapes of one status with their codes, as an enum for programs and as examples for people. */
const errorResponse = (route: Route, status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject => {
  const simple = codes.filter((code) => code !== 'VALIDATION_FAILED');
  const shapes = [
    ...(simple.length === codes.length ? [] : [ref('ValidationError')]),
    ...(simple.length === 0 ? [] : [{ allOf: [ref('Error'), { type: 'object' as const, properties: { error: { enum: simple } } }] }]),
  ];
  const [only, ...others] = shapes;
  const example = (code: ErrorCode) =>
    errorAnswer(new CodedError(code, code === 'VALIDATION_FAILED' ? { message: 'field: must be …' } : {}), route).body;
  return {
    description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.join(', ')}`,
    headers: {
      ...headerRef('X-Request-Id'),
      ...(status === 401 ? headerRef('WWW-Authenticate') : {}),
      ...(status === 429 ? { ...headerRef('Retry-After'), ...headerRef('RateLimit'), ...headerRef('RateLimit-Policy') } : {}),
    },
    content: {
      'application/json': {
        schema: only !== undefined && others.length === 0 ? only : { oneOf: shapes },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
      },
    },
  };
};

const csvContent = ({ description }: { description: string }) => ({ 'text/csv': { schema: { type: 'string' as const, description } } });

/** Every response of a route by status: those that it declares, and its errors grouped by status. */
export const responsesOf = (route: Route): ZodOpenApiResponsesObject => {
  const responses: ZodOpenApiResponsesObject = {};
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of declaredCodes(route)) {
    const status = statusOf(code, route);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, codes] of byStatus) responses[`${status as 400}`] = errorResponse(route, status, codes.sort());
  for (const [status, schema] of Object.entries(route.answers)) {
    responses[status as '200'] = {
      description: STATUS_CODES[status] ?? 'Response',
      headers: headerRef('X-Request-Id'),
      content: {
        [route.eventStream === true && status === '200' ? 'text/event-stream' : 'application/json']: { schema },
        ...(route.csv !== undefined && status === '200' ? csvContent(route.csv) : {}),
      },
    };
  }
  return responses;
};
