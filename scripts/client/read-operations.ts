import { refName, type Schema } from './schema-type.ts';

type Content = Record<string, { schema: Schema; examples?: Record<string, unknown> }>;
type Response = { $ref?: string; content?: Content };
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type OperationObject = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: object[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
  'x-events'?: Record<string, { $ref: string }>;
};

/** The parts of the OpenAPI document that a client is made from. */
export type Document = {
  tags: { name: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};

export type Operation = {
  /** As in the document, unique in all groups. */
  operationId: string;
  /** Tag in camelCase. */
  group: string;
  /** Operation id, without the name of the group where it begins with it. */
  name: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  isSecured: boolean;
  /** Accepts a DPoP proof without a token. */
  takesProof: boolean;
  parameters: readonly Parameter[];
  body?: Schema;
  /** Of the 200 response. */
  output: Schema;
  /** Names of the data's schemas by the name of the event. */
  events?: Readonly<Record<string, string>>;
  hasCsv: boolean;
  codes: readonly string[];
};

const JSON_TYPE = 'application/json';

/** A name cannot begin with a digit. */
const GROUPS: Readonly<Record<string, string>> = { '3DS': 'threeDs' };

/** The group of a tag: `User Account` is `userAccount`, `KYC` is `kyc`. */
export const groupOf = (tag: string): string => {
  const [first = '', ...more] = tag.split(' ');
  return GROUPS[tag] ?? first.toLowerCase() + more.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
};

const nameOf = (operationId: string, group: string): string => {
  const rest = operationId.startsWith(group) ? operationId.slice(group.length) : '';
  return /^[A-Z]/.test(rest) ? rest.charAt(0).toLowerCase() + rest.slice(1) : operationId;
};

/** Codes are the names of the examples of error responses, as the gateway documents them. */
const codesOf = ({ responses }: OperationObject, document: Document): string[] => {
  const codes = Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([, response]) => {
      const { content } = response.$ref === undefined ? response : (document.components.responses[refName(response.$ref)] ?? {});
      return Object.keys(content?.[JSON_TYPE]?.examples ?? {});
    });
  return [...new Set(codes)].sort();
};

const toOperation = (path: string, method: string, operation: OperationObject, document: Document): Operation => {
  const group = groupOf(operation.tags[0] ?? '');
  const content = operation.responses['200']?.content ?? {};
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const events = operation['x-events'];
  return {
    operationId: operation.operationId,
    group,
    name: nameOf(operation.operationId, group),
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    isSecured: operation.security.length > 0,
    takesProof: operation.parameters?.some(({ name }) => name === 'DPoP') === true,
    parameters: (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header'),
    ...(body === undefined ? {} : { body }),
    output: content[JSON_TYPE]?.schema ?? { type: 'null' },
    ...(events === undefined
      ? {}
      : { events: Object.fromEntries(Object.entries(events).map(([name, { $ref }]) => [name, refName($ref)])) }),
    hasCsv: content['text/csv'] !== undefined,
    codes: codesOf(operation, document),
  };
};

/** Requests with a signature of their own come from outside systems, not from clients. */
const isForClients = ({ parameters = [] }: OperationObject): boolean =>
  !parameters.some((parameter) => parameter.in === 'header' && parameter.required === true);

/**
 * The operations of a document, as a client offers them.
 * @throws Error if two parts of a request, or two operations of a group, have the same name
 */
export const readOperations = (document: Document): Operation[] => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isForClients(operation))
      .map(([method, operation]) => toOperation(path, method, operation, document)),
  );
  const seen = new Set<string>();
  for (const { group, name, parameters, body } of operations) {
    const members = [...parameters.map((parameter) => parameter.name), ...Object.keys(body?.properties ?? {})];
    if (new Set(members).size < members.length) throw new Error(`${group}.${name}: two parts of the request have the same name`);
    if (seen.has(`${group}.${name}`)) throw new Error(`${group}.${name} exists twice`);
    seen.add(`${group}.${name}`);
  }
  return operations;
};
