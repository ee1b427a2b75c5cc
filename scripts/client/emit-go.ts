import {
  commonCodes,
  createKindsOfValues,
  flagsOf,
  groupsOf,
  inQueryOf,
  type Member,
  type NamedOperation,
  type NamedType,
  nameTypes,
  nullable,
  pascalCase,
} from './name-types.ts';
import { type Document, groupOf } from './read-operations.ts';
import { refName, type Schema } from './schema-type.ts';

const HEADER = '// Code generated from the OpenAPI document by `npm run generate`; DO NOT EDIT.\n';

/** `cardId` is `CardID`. */
const goName = (name: string): string =>
  pascalCase(name.replace(/[^A-Za-z0-9]+(\w)/g, (_match, letter: string) => letter.toUpperCase())).replace(
    /(?:Id|Url|Uri|Ip)(?=[A-Z]|$)/g,
    (word) => word.toUpperCase(),
  );

const SCALARS: Readonly<Record<string, string>> = { string: 'string', integer: 'int64', number: 'float64', boolean: 'bool' };

const scalarOf = ({ type, enum: values, ...rest }: Schema): string | undefined => {
  if ('const' in rest) return typeof rest.const === 'boolean' ? 'bool' : typeof rest.const === 'number' ? 'int64' : 'string';
  return values === undefined ? SCALARS[type as string] : 'string';
};

/** The type of a value that is there. @throws Error for a schema that has none in Go */
const plainType = (schema: Schema): string => {
  const { $ref, type, items } = schema;
  if ($ref !== undefined) return goName(refName($ref));
  const scalar = scalarOf(schema);
  if (scalar !== undefined) return scalar;
  if (type === 'array') return `[]${plainType(nullable(items ?? {}).schema)}`;
  if (type === 'object') return 'map[string]any';
  if (type === undefined) return 'any';
  throw new Error(`no Go type for ${JSON.stringify(schema)}`);
};

/** The type of a field, and whether it is left out when it is empty. */
const fieldType = ({ schema: given, isRequired }: Member): { type: string; isLeftOut: boolean } => {
  const { schema, isNullable } = nullable(given);
  const type = plainType(schema);
  if (isNullable) return { type: isRequired ? `*${type}` : `*Nullable[${type}]`, isLeftOut: !isRequired };
  // A list that has to be there is never null.
  if (isRequired) return { type: type.startsWith('[]') ? `List[${type.slice(2)}]` : type, isLeftOut: false };
  const isPointer = schema.$ref !== undefined || ['bool', 'int64', 'float64'].includes(type);
  return { type: isPointer ? `*${type}` : type, isLeftOut: true };
};

type IsKind = (description: string | undefined) => boolean;

/** Pads the columns of lines that follow each other, as gofmt does. */
const aligned = (rows: readonly (string | readonly string[])[]): string => {
  const lines: string[] = [];
  let block: (readonly string[])[] = [];
  const flush = (): void => {
    const widths = [0, 1].map((column) => Math.max(0, ...block.map((row) => row[column]?.length ?? 0)));
    for (const row of block) lines.push(`\t${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' ')}`.trimEnd());
    block = [];
  };
  for (const row of rows) {
    if (typeof row !== 'string') block.push(row);
    else {
      flush();
      lines.push(`\t${row}`);
    }
  }
  flush();
  return lines.map((line) => `${line}\n`).join('');
};

const structOf = (members: readonly Member[], isKind: IsKind): string => {
  const rows = members.flatMap((member): (string | readonly string[])[] => {
    const { type, isLeftOut } = fieldType(member);
    const { description } = member.schema;
    // An empty list says something else than none, for example in a change.
    const omit = type.startsWith('[]') ? ',omitzero' : ',omitempty';
    const row = [goName(member.name), type, `\`json:"${member.name}${isLeftOut ? omit : ''}"\``];
    return isKind(description) ? [row] : [`// ${description?.replaceAll('\n', ' ')}`, row];
  });
  return rows.length === 0 ? 'struct{}' : `struct {\n${aligned(rows)}}`;
};

const emitType = ({ name, schema }: NamedType, isKind: IsKind): string => {
  const members = Object.entries(schema.properties ?? {}).map(
    ([key, member]): Member => ({ name: key, schema: member, isRequired: schema.required?.includes(key) === true }),
  );
  if (schema.properties === undefined) return `type ${goName(name)} = ${plainType(schema)}\n`;
  return `type ${goName(name)} ${structOf(members, isKind)}\n`;
};

const routeOf = (operation: NamedOperation, more = ''): string => {
  const { group, name, method, path } = operation;
  const query = inQueryOf(operation).map((one) => `, "${one}"`);
  return `newRoute("${group}.${name}", "${method}", "${path}", "${flagsOf(operation)}${more}"${query.join('')})`;
};

const emitOperation = (operation: NamedOperation, type: string, common: ReadonlySet<string>, isKind: IsKind): string => {
  const { id, name, members, output, row, events, summary, method, path, hasCsv, codes } = operation;
  const as = goName(name);
  const input = `${goName(id)}Input`;
  const own = codes.filter((code) => !common.has(code));
  const comment = (named: string, text: string): string =>
    `// ${named}: ${text}, ${method} ${path}.${own.length === 0 ? '' : ` Codes: ${own.join(', ')}.`}\n`;
  const struct = members.length === 0 ? '' : `// ${input} is the input of ${as}.\ntype ${input} ${structOf(members, isKind)}\n\n`;
  const parameters = members.length === 0 ? '' : `, in ${input}`;
  const given = members.length === 0 ? 'nil' : 'in';
  const method_ = (named: string, text: string, last: string, result: string, body: string): string =>
    `${comment(named, text)}func (o ${type}) ${named}(ctx context.Context${parameters}, ${last}) ${result} {\n\treturn ${body}\n}\n`;
  const calling = (named: string, result: string, route: string): string =>
    method_(named, summary, 'options ...CallOption', `(${result}, error)`, `call[${result}](ctx, o.client, ${route}, ${given}, options)`);
  const table = hasCsv ? `\n${calling(`${as}Csv`, 'string', routeOf(operation, 'c'))}` : '';
  if (events !== undefined) {
    const body = `watch(ctx, o.client, ${routeOf(operation)}, ${given}, options)`;
    return struct + method_(as, summary, 'options ...StreamOption', 'iter.Seq2[ServerEvent, error]', body);
  }
  const result = plainType(output);
  if (row === undefined) return struct + calling(as, result, routeOf(operation)) + table;
  const rows = plainType(row);
  const all = method_(
    `${as}All`,
    `${summary}, the rows of all pages`,
    'options ...CallOption',
    `iter.Seq2[${rows}, error]`,
    `all[${rows}](ctx, o.client, ${routeOf(operation)}, ${given}, options)`,
  );
  return `${struct}${calling(as, result, routeOf(operation))}\n${all}${table}`;
};

/** The Go client's generated files by name. */
export const goFiles = (document: Document): Record<string, string> => {
  const { types, operations } = nameTypes(document);
  const isKind = createKindsOfValues(document);
  const common = commonCodes(operations);
  const groups = groupsOf(
    operations,
    document.tags.map(({ name }) => groupOf(name)),
  );
  const nameOf = (group: string): string => `${goName(group)}Operations`;
  const fields = groups.map(([group]) => [goName(group), nameOf(group)]);
  const text = groups.map(
    ([group, calls]) =>
      `// ${nameOf(group)} are the operations of a tag of the reference.\ntype ${nameOf(group)} struct{ client *Client }\n\n${calls.map((one) => emitOperation(one, nameOf(group), common, isKind)).join('\n')}`,
  );
  return {
    'types.gen.go': `${HEADER}\npackage florin\n\n${types.map((type) => emitType(type, isKind)).join('\n')}`,
    'operations.gen.go': `${HEADER}
package florin

import (
\t"context"
\t"iter"
)

// Operations are the operations of the platform by group, the tags of the reference.
type Operations struct {
${aligned(fields)}}

func newOperations(client *Client) Operations {
\treturn Operations{${groups.map(([group]) => `${nameOf(group)}{client}`).join(', ')}}
}

${text.join('\n')}`,
  };
};
