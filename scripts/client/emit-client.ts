import { flagsOf, inQueryOf, isPaged } from './name-types.ts';
import { type Document, groupOf, type Operation, readOperations } from './read-operations.ts';
import { docComment, membersOf, refName, type Schema, typeOf } from './schema-type.ts';

const HEADER = '// Generated from the OpenAPI document by `npm run generate`; do not edit.\n';

/** The types of the document's schemas. Those of errors become `FlorinError`. */
export const emitSchemas = ({ components }: Document): string => {
  const types = Object.entries(components.schemas)
    .filter(([name]) => name !== 'Error' && name !== 'ValidationError')
    .map(
      ([name, schema]) =>
        `${docComment(schema.description === undefined ? [] : [schema.description], '')}export type ${name} = ${typeOf(schema)};\n`,
    );
  return `${HEADER}\n${types.join('\n')}`;
};

/** Path, query and body as one object. */
const inputOf = ({ parameters, body }: Operation): { type: string; isOptional: boolean } => {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name);
  const own = body?.$ref === undefined ? (body ?? {}) : {};
  const all: Schema = { properties: { ...properties, ...own.properties }, required: [...required, ...(own.required ?? [])] };
  const members = membersOf(all, '      ', { isInput: true });
  const literal = members === '' ? 'Record<never, never>' : `{\n${members}    }`;
  const type = body?.$ref === undefined ? literal : `${members === '' ? '' : `${literal} & `}${refName(body.$ref)}`;
  return { type, isOptional: (all.required ?? []).length === 0 && body?.$ref === undefined };
};

/** The events that a reader gets. The client itself acts on `end`. */
const eventsOf = (events: Readonly<Record<string, string>>): string =>
  Object.entries(events)
    .filter(([name]) => name !== 'end')
    // Names of event types have two parts, for example card.issued; the others have one.
    .map(([name, data]) => `ServerEvent<${name === '*' ? '`' + '$' + '{string}.' + '$' + '{string}`' : `'${name}'`}, ${data}>`)
    .join(' | ');

const commentOf = ({ summary, description, method, path, codes }: Operation): string[] => [
  `${summary}: \`${method} ${path}\``,
  '',
  description,
  '',
  `Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
];

const callType = (operation: Operation): string => {
  const id = `'${operation.group}.${operation.name}'`;
  if (operation.events !== undefined) return `AsyncIterable<${eventsOf(operation.events)}>`;
  const output = typeOf(operation.output, '    ');
  return isPaged(operation) ? `PagedCall<${output}, ${id}>` : `Call<${output}, ${id}>`;
};

const emitCall = (operation: Operation): string => {
  const { type, isOptional } = inputOf(operation);
  const options = operation.events === undefined ? 'CallOptions' : 'StreamOptions';
  const input = `input${isOptional ? '?' : ''}: ${type}, options?: ${options}`;
  const call = `${docComment(commentOf(operation), '    ')}    ${operation.name}: (${input}) => ${callType(operation)};\n`;
  if (!operation.hasCsv) return call;
  const comment = [
    `${operation.summary} as a table: \`${operation.method} ${operation.path}\` as CSV`,
    '',
    'Returns the text of the whole table.',
  ];
  return `${call}${docComment(comment, '    ')}    ${operation.name}Csv: (${input}) => Call<string, '${operation.group}.${operation.name}'>;\n`;
};

const groupsIn = (document: Document, operations: readonly Operation[]): [string, Operation[]][] =>
  document.tags.map(({ name }) => [groupOf(name), operations.filter(({ group }) => group === groupOf(name))]);

/** The types of the calls, and the codes that each can fail with. */
export const emitCalls = (document: Document): string => {
  const operations = readOperations(document);
  const text = groupsIn(document, operations)
    .map(([group, calls]) => `  ${group}: {\n${calls.map(emitCall).join('')}  };\n`)
    .join('');
  const codes = operations.map(({ group, name, codes: all }) => `  '${group}.${name}': ${all.map((code) => `'${code}'`).join(' | ')};\n`);
  const names = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b(?!')`).test(text.replace(/^ *\/?\*.*$/gm, '')),
  );
  const imports = names.filter((name) => name !== 'Error' && name !== 'ValidationError').join(', ');
  return `${HEADER}
import type { Call, CallOptions, PagedCall, ServerEvent, StreamOptions } from '../types.ts';
import type { ${imports} } from './schemas.ts';

/** The operations of the platform: a group for each tag of the document. */
export type Calls = {
${text}};

/** The codes that each operation can fail with. */
export type ErrorCodes = {
${codes.join('')}};
`;
};

/** The calls at run time: how each is sent. */
export const emitRoutes = (document: Document): string => {
  const rowOf = (operation: Operation): string => {
    const { name, method, path, hasCsv } = operation;
    const query = inQueryOf(operation).map((one) => `'${one}'`);
    const rest = query.length === 0 ? '' : `, [${query.join(', ')}]`;
    const row = (as: string, flags: string) => `    ${as}: ['${method}', '${path}', '${flags}'${rest}],\n`;
    return row(name, flagsOf(operation)) + (hasCsv ? row(`${name}Csv`, `${flagsOf(operation)}c`) : '');
  };
  const text = groupsIn(document, readOperations(document))
    .map(([group, calls]) => `  ${group}: {\n${calls.map(rowOf).join('')}  },\n`)
    .join('');
  return `${HEADER}
import type { Routes } from '../routes.ts';

export const ROUTES: Routes = {
${text}};
`;
};
