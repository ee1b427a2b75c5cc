import { STATUS_CODES } from 'node:http';
import { CodedError, ERRORS, type ErrorCode } from '@florin/rpc/errors';
import type { ZodOpenApiComponentsObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { declaredCodes, statusOf } from '../http/declared-codes.ts';
import { isIdempotent, type Route } from '../http/define-route.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { EXAMPLES } from './examples/index.ts';

const ref = (component: string) => ({ $ref: `#/components/schemas/${component}` });

const headerRef = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });

/** The codes that a route returns with one status. */
type Group = { status: number; codes: readonly ErrorCode[] };

const groupsOf = (route: Route): Group[] => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of declaredCodes(route)) {
    const status = statusOf(code, route);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, codes]) => ({ status, codes: codes.sort() }));
};

const toPascalCase = (code: string): string =>
  code.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** Name of a shared response: its codes, and the status where it differs from the platform's table. */
const nameOf = ({ status, codes }: Group): string =>
  codes.map(toPascalCase).join('Or') + (codes.every((code) => ERRORS[code].http === status) ? '' : String(status));

/** An error response: a reference to the shared shapes, with the codes as examples. */
const errorResponse = ({ status, codes }: Group): ZodOpenApiResponseObject => {
  const shapes = [
    ...(codes.includes('VALIDATION_FAILED') ? [ref('ValidationError')] : []),
    ...(codes.some((code) => code !== 'VALIDATION_FAILED') ? [ref('Error')] : []),
  ];
  const example = (code: ErrorCode) =>
    errorAnswer(new CodedError(code, code === 'VALIDATION_FAILED' ? { message: 'field: must be …' } : {})).body;
  return {
    description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.join(', ')}`,
    headers: {
      ...headerRef('X-Request-Id'),
      ...headerRef('Link'),
      ...(status === 401 || codes.includes('WRONG_TOKEN_KIND') ? headerRef('WWW-Authenticate') : {}),
      ...(status === 429 ? { ...headerRef('Retry-After'), ...headerRef('RateLimit'), ...headerRef('RateLimit-Policy') } : {}),
    },
    content: {
      'application/json': {
        schema: shapes.length === 1 && shapes[0] !== undefined ? shapes[0] : { oneOf: shapes },
        examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
      },
    },
  };
};

/** The error responses that several operations share, as `components.responses`. */
export const sharedResponses = (routes: readonly Route[]): NonNullable<ZodOpenApiComponentsObject['responses']> => {
  const seen = new Map<string, Group[]>();
  for (const group of routes.flatMap(groupsOf)) seen.set(nameOf(group), [...(seen.get(nameOf(group)) ?? []), group]);
  const shared = [...seen].filter(([, groups]) => groups.length > 1);
  return Object.fromEntries(shared.map(([name, [group]]) => [name, errorResponse(group as Group)]));
};

const exampleOf = ({ operationId }: Route, status: string): { example?: unknown } => {
  const response = EXAMPLES[operationId]?.response;
  return status === '200' && response !== undefined ? { example: response } : {};
};

const csvContent = ({ description }: { description: string }) => ({ 'text/csv': { schema: { type: 'string' as const, description } } });

/** Headers that successful responses of a route may have besides the request id. */
const headersOfSuccess = (route: Route) => ({
  ...(route.rateLimit === 'none' ? {} : { ...headerRef('RateLimit'), ...headerRef('RateLimit-Policy') }),
  ...(isIdempotent(route) ? headerRef('Idempotency-Replayed') : {}),
  ...(route.csv === undefined && route.savedAs === undefined ? {} : headerRef('Content-Disposition')),
});

/** Every response of a route by status: those that it declares, and its errors grouped by status. */
export const responsesOf = (route: Route, shared: Readonly<Record<string, unknown>>): ZodOpenApiResponsesObject => {
  const responses: ZodOpenApiResponsesObject = {};
  for (const group of groupsOf(route)) {
    const name = nameOf(group);
    responses[`${group.status as 400}`] = Object.hasOwn(shared, name) ? { $ref: `#/components/responses/${name}` } : errorResponse(group);
  }
  for (const [status, schema] of Object.entries(route.answers)) {
    responses[status as '200'] = {
      description: STATUS_CODES[status] ?? 'Response',
      headers: { ...headerRef('X-Request-Id'), ...headersOfSuccess(route) },
      content: {
        [route.eventStream !== undefined && status === '200' ? 'text/event-stream' : 'application/json']: {
          schema,
          ...exampleOf(route, status),
        },
        ...(route.csv !== undefined && status === '200' ? csvContent(route.csv) : {}),
      },
    };
  }
  return responses;
};
