import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { createDocumentCheck, type OpenApiDocument } from '../support/answers-match-document.ts';
import { createApiClient } from '../support/api-client.ts';
import { BUSINESS_RULES, COMMON_RULE } from './business-rules.ts';
import { type Operation, operationsOf, resolverOf } from './operations.ts';
import { createPeople } from './people.ts';
import { type FuzzRequest, requestsOf } from './requests.ts';

/** The requests of an operation: how many responses had which status, and the smallest request that breaks a rule, if there is one. */
export type FuzzedOperation = { operationId: string; cases: number; statuses: ReadonlyMap<number, number>; failure?: string };

/** How often, and when, a request is repeated that the platform was too busy for: generating requests stops its process for moments. */
const REPEATS = 5;
const REPEAT_MS = 500;

type Sent = { status: number; headers: Headers; body: unknown };

const isReadable = (headers: Headers): boolean => headers.get('content-type')?.includes('json') === true;

const expand = (path: string, parameters: Record<string, unknown>, toValue: (name: string, value: unknown) => string): string =>
  path.replace(/\{([^}]+)\}/g, (_match, name: string) => encodeURIComponent(toValue(name, parameters[name]).toWellFormed()));

/** A parameter as text. A generated object may have no usable toString. */
const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed();

const queryOf = ({ operation, parameters }: FuzzRequest): string => {
  const given = operation.parameters.filter((one) => one.in === 'query' && parameters[one.name] !== undefined);
  const pairs = given.map(({ name }) => [name, toText(parameters[name])] as [string, string]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
};

const validationMessage = (body: unknown): string | undefined => {
  const { kind, error } = body as { kind?: string; error?: { message: string } };
  return kind === 'validation' ? error?.message : undefined;
};

/** @throws Error when the response breaks a rule */
const judge = ({ operation, quality, headers }: FuzzRequest, { status, body }: Sent): void => {
  if (status >= 500) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
  const message = status === 422 ? validationMessage(body) : undefined;
  if (message === undefined || quality !== 'valid' || headers['idempotency-key'] !== undefined) return;
  const unexplained = message
    .split('; ')
    .filter(
      (problem) =>
        !new RegExp(BUSINESS_RULES[operation.operationId] ?? COMMON_RULE).test(problem) && !new RegExp(COMMON_RULE).test(problem),
    );
  if (unexplained.length > 0) throw new Error(`a request that the document allows is rejected: ${unexplained.join('; ')}`);
};

/** The document with the exact patterns, which programs in other languages do not understand. */
const fetchDocument = async (url: string): Promise<OpenApiDocument> => {
  const text = await (await fetch(`${url}/openapi.json`)).text();
  return JSON.parse(text.replaceAll('"x-pattern":', '"pattern":')) as OpenApiDocument;
};

/**
 * Sends generated requests to every operation of a running sandbox, one after the other. Every response must be one that the document
 * describes, with status, code and shape; none may be a fault; and a request that the document allows must not be a validation error.
 * @param options how many requests for each operation, from which seed, and the only operation, if not all; `onOperation` learns of each when it is done
 */
export const fuzzOperations = async (
  url: string,
  options: { cases: number; seed: number; only?: string; onOperation?: (fuzzed: FuzzedOperation) => void },
): Promise<FuzzedOperation[]> => {
  const document = await fetchDocument(url);
  const { check } = createDocumentCheck(document);
  const people = await createPeople(createApiClient(url));

  const send = async (request: FuzzRequest): Promise<Sent> => {
    const { operation, caller, parameters, body, rawBody, headers } = request;
    const token = operation.needsToken ? people.tokenOf(caller) : undefined;
    const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const path = expand(operation.path, parameters, people.pathValueOf) + queryOf(request);
    const abort = new AbortController();
    const response = await fetch(url + path, {
      method: operation.method,
      signal: AbortSignal.any([abort.signal, AbortSignal.timeout(20_000)]),
      headers: {
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content as string }),
    });
    const isOpen = operation.isStream && response.status === 200;
    const text = isOpen ? '' : await response.text();
    if (isOpen) abort.abort();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isReadable(response.headers) ? (JSON.parse(text) as unknown) : text,
    };
    if (!isOpen) check({ method: operation.method, path, ...answer });
    return answer;
  };

  const sendUntilAvailable = async (request: FuzzRequest, repeats = REPEATS): Promise<Sent> => {
    const sent = await send(request);
    if (sent.status !== 503 || repeats === 0) return sent;
    await pause(REPEAT_MS);
    return sendUntilAvailable(request, repeats - 1);
  };

  const fuzz = async (operation: Operation): Promise<FuzzedOperation> => {
    const statuses = new Map<number, number>();
    let cases = 0;
    const property = fc.asyncProperty(requestsOf(operation, resolverOf(document)), async (request) => {
      const sent = await sendUntilAvailable(request);
      cases += 1;
      statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1);
      // The session may have been ended by this request or an earlier one.
      if (sent.status === 401 && request.caller === 'user') await people.renew();
      judge(request, sent);
    });
    const run = await fc.check(property, { numRuns: options.cases, seed: options.seed, endOnFailure: false });
    const { operationId } = operation;
    if (!run.failed) return { operationId, cases, statuses };
    const [smallest] = run.counterexample ?? [];
    const { operation: _operation, ...request } = smallest ?? ({} as FuzzRequest);
    const failure = `${operationId}: ${String(run.errorInstance)}\n${JSON.stringify(request)}\nseed ${run.seed}, path ${run.counterexamplePath}`;
    return { operationId, cases, statuses, failure };
  };

  const fuzzed: FuzzedOperation[] = [];
  for (const operation of operationsOf(document)) {
    if (options.only !== undefined && options.only !== operation.operationId) continue;
    const one = await fuzz(operation);
    options.onOperation?.(one);
    fuzzed.push(one);
  }
  return fuzzed;
};
