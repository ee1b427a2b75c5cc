import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from './answer.ts';

type Response = { $ref?: string; content?: Record<string, { schema: unknown; examples?: object }> };
type Operation = { responses: Record<string, Response> };
export type OpenApiDocument = {
  openapi: string;
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: unknown; responses?: Record<string, Response> };
};

const METHODS = new Set(['get', 'post', 'patch', 'put', 'delete']);

type Matcher = { pattern: RegExp; literal: number; method: string; template: string; operation: Operation };

const matchers = (document: OpenApiDocument): Matcher[] =>
  Object.entries(document.paths)
    .flatMap(([template, operations]) =>
      Object.entries(operations)
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) => ({
          pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
          // Literal paths take precedence over templated ones.
          literal: template.includes('{') ? 1 : 0,
          method: method.toUpperCase(),
          template,
          operation,
        })),
    )
    .sort((a, b) => a.literal - b.literal);

/**
 * Checks responses against the OpenAPI document of the gateway: the status of the operation is declared, and the body matches its
 * schema. `seen` counts the checked responses by operation and status, so that a test can verify that the check has run.
 */
export const createDocumentCheck = (document: OpenApiDocument) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
  const routes = matchers(document);
  const validators = new Map<unknown, ValidateFunction>();
  const seen = new Map<string, number>();

  // References in a schema are relative to the document, so a schema is compiled as a pointer into the document.
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const compiled = ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, compiled);
    return compiled;
  };

  const check = ({ method, path, status, headers, body }: Answer): void => {
    const pathname = path.split('?')[0] ?? path;
    const route = routes.find((candidate) => candidate.method === method && candidate.pattern.test(pathname));
    if (route === undefined) return;
    const name = `${method} ${route.template} ${status}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    const declared = route.operation.responses[String(status)];
    if (declared === undefined) throw new Error(`${name} is not declared: ${JSON.stringify(body)}`);
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    const shared = declared.$ref?.split('/').at(-1);
    const { content } = shared === undefined ? declared : (document.components?.responses?.[shared] ?? {});
    if (shared !== undefined && content === undefined) throw new Error(`${name} refers to ${shared}, which does not exist`);
    if (content?.[type] === undefined) return;
    const code = status >= 400 ? (body as { error?: unknown }).error : undefined;
    if (typeof code === 'string' && !Object.hasOwn(content[type].examples ?? {}, code)) throw new Error(`${name} does not declare ${code}`);
    const escapePart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
    const response =
      shared === undefined
        ? ['paths', route.template, method.toLowerCase(), 'responses', String(status)]
        : ['components', 'responses', shared];
    const pointer = [...response, 'content', type, 'schema'];
    const validate = validatorOf(`/${pointer.map((part) => encodeURIComponent(escapePart(part))).join('/')}`);
    if (!validate(body)) throw new Error(`${name} does not match its schema: ${ajv.errorsText(validate.errors)}`);
  };
  return { check, seen };
};
