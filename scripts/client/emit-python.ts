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

const HEADER = '# Generated from the OpenAPI document by `npm run generate`; do not edit.\n';

const KEYWORDS: ReadonlySet<string> = new Set([
  'from',
  'class',
  'def',
  'import',
  'global',
  'pass',
  'in',
  'is',
  'not',
  'as',
  'async',
  'await',
]);

/** Enumerations with more values than this, for example of all currencies, are text. */
const MOST_VALUES = 24;

/** `cardId` is `card_id`. */
const snakeCase = (name: string): string => {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
};

const SCALARS: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool' };

const literal = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value));

/** The type of a schema. @throws Error for a schema that has none in Python */
const typeOf = (given: Schema, isInput = false): string => {
  const { schema, isNullable } = nullable(given);
  const { $ref, enum: values, type, items } = schema;
  const orNone = isNullable ? ' | None' : '';
  if ($ref !== undefined) return refName($ref) + orNone;
  if ('const' in schema) return `Literal[${literal(schema.const)}]${orNone}`;
  if (values !== undefined && values.length <= MOST_VALUES) return `Literal[${values.map(literal).join(', ')}]${orNone}`;
  if (type === 'array') return `${isInput ? 'Sequence' : 'list'}[${typeOf(items ?? {}, isInput)}]${orNone}`;
  if (type === 'object') return (isInput ? 'Mapping[str, Any]' : 'dict[str, Any]') + orNone;
  const scalar = type === undefined ? 'Any' : SCALARS[type as string];
  if (scalar === undefined) throw new Error(`no Python type for ${JSON.stringify(schema)}`);
  return scalar + orNone;
};

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}# ${text.replaceAll('\n', ' ')}\n`;

type IsKind = (description: string | undefined) => boolean;

const emitType = ({ name, schema }: NamedType, isKind: IsKind): string => {
  const members = Object.entries(schema.properties ?? {});
  if (schema.properties === undefined) return `${name} = ${typeOf(schema)}\n`;
  const field = ([key, member]: [string, Schema]): [string, string] => {
    const type = typeOf(member);
    return [key, schema.required?.includes(key) === true ? type : `NotRequired[${type}]`];
  };
  if (members.some(([key]) => KEYWORDS.has(key) || !/^[A-Za-z_]\w*$/.test(key))) {
    const fields = members.map((member) => `    "${field(member)[0]}": "${field(member)[1].replaceAll('"', "'")}",\n`);
    return `${name} = TypedDict(\n  "${name}",\n  {\n${fields.join('')}  },\n)\n`;
  }
  const lines = members.map((member) => {
    const { description } = member[1];
    return `${comment(isKind(description) ? undefined : description, '    ')}    ${field(member).join(': ')}\n`;
  });
  return `class ${name}(TypedDict):\n${lines.join('') || '    pass\n'}`;
};

/** The types of the document's objects. */
const emitTypes = (
  types: readonly NamedType[],
  isKind: IsKind,
): string => `${HEADER}"""Types of the objects in requests and responses, by the names of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

${types.map((type) => emitType(type, isKind)).join('\n\n')}`;

const routeRows = (operation: NamedOperation): string => {
  const { group, name, method, path, hasCsv } = operation;
  const row = (as: string, flags: string): string => {
    const query = inQueryOf(operation).map((one) => `"${one}", `);
    return `    "${as}": Route("${group}.${name}", "${method}", "${path}", "${flags}", (${query.join('')})),\n`;
  };
  const key = `${group}.${name}`;
  return row(key, flagsOf(operation)) + (hasCsv ? row(`${key}Csv`, `${flagsOf(operation)}c`) : '');
};

const emitRoutes = (operations: readonly NamedOperation[]): string => `${HEADER}"""How each operation is sent."""

from .._core import Route

ROUTES: dict[str, Route] = {
${operations.map(routeRows).join('')}}
`;

/** A member that may be null: leaving it out means something else. */
const isUnset = ({ schema, isRequired }: Member): boolean => !isRequired && nullable(schema).isNullable;

const parameterOf = (member: Member): string => {
  const type = typeOf(member.schema, true);
  const name = snakeCase(member.name);
  if (member.isRequired) return `${name}: ${type}`;
  return isUnset(member) ? `${name}: ${type} | Unset = UNSET` : `${name}: ${type} | None = None`;
};

const argumentsOf = (members: readonly Member[]): string => {
  const dict = (some: readonly Member[]) => `{${some.map(({ name }) => `"${name}": ${snakeCase(name)}`).join(', ')}}`;
  return `${dict(members.filter((one) => one.isRequired || isUnset(one)))}, ${dict(members.filter((one) => !one.isRequired && !isUnset(one)))}`;
};

type Kind = { isAsync: boolean; common: ReadonlySet<string> };

const emitOperation = (operation: NamedOperation, { isAsync, common }: Kind): string => {
  const { group, name, members, output, row, events, summary, method, path, hasCsv, codes } = operation;
  const ordered = [...members.filter((one) => one.isRequired), ...members.filter((one) => !one.isRequired)];
  const own = codes.filter((code) => !common.has(code));
  const doc = `"""${summary}: \`${method} ${path}\`.${own.length === 0 ? '' : ` Codes: ${own.join(', ')}.`}"""`;
  const signature = (as: string, last: string, result: string, keyword: string): string => {
    const parameters = [...(ordered.length === 0 && last === '' ? [] : ['*']), ...ordered.map(parameterOf), last].join(', ');
    return `    ${keyword}def ${as}(self, ${parameters}) -> ${result}:\n        ${doc}\n`;
  };
  const options = 'options: Options | None = None';
  const call = (as: string, key: string): string => `        return self.${as}("${key}", ${argumentsOf(members)}`;
  const emitCall = (named: string, route: string, result: string): string => {
    const body = call('_call', route).replace('return ', isAsync ? 'return await ' : 'return ');
    return `${signature(named, options, result, isAsync ? 'async ' : '')}${body}, options)\n`;
  };
  const key = `${group}.${name}`;
  const as = snakeCase(name);
  if (events !== undefined) {
    const result = `${isAsync ? 'AsyncIterator' : 'Iterator'}[ServerEvent]`;
    return `${signature(as, 'options: StreamOptions | None = None', result, '')}${call('_watch', key)}, options)\n`;
  }
  if (row !== undefined) {
    const pages = `${isAsync ? 'AsyncPages' : 'Pages'}[${typeOf(row)}, ${typeOf(output)}]`;
    const list = `${signature(as, options, pages, '')}        return ${isAsync ? 'AsyncPages' : 'Pages'}(self._pages("${key}", ${argumentsOf(members)}, options))\n`;
    return list + (hasCsv ? `\n${emitCall(`${as}_csv`, `${key}Csv`, 'str')}` : '');
  }
  return emitCall(as, key, typeOf(output));
};

/** The Python client's generated modules by name. */
export const pythonModules = (document: Document): Record<string, string> => {
  const { types, operations } = nameTypes(document);
  const isKind = createKindsOfValues(document);
  const common = commonCodes(operations);
  const groups = groupsOf(
    operations,
    document.tags.map(({ name }) => groupOf(name)),
  );
  const typeNames = new Set(types.map(({ name }) => name));
  const module = (isAsync: boolean): string => {
    const text = groups
      .map(
        ([group, calls]) =>
          `class ${pascalCase(group)}Operations(Group):\n${calls.map((one) => emitOperation(one, { isAsync, common })).join('\n')}`,
      )
      .join('\n\n');
    const used = [...new Set(text.replaceAll(/"""[\s\S]*?"""|"[^"]*"/g, '').match(/\b[A-Z]\w+\b/g) ?? [])]
      .filter((name) => typeNames.has(name))
      .sort();
    const from = isAsync ? '_async' : '_sync';
    const iterators = isAsync ? ['AsyncIterator'] : ['Iterator'];
    return `${HEADER}"""The operations, by groups: the tags of the reference${isAsync ? ', for asyncio' : ''}."""

from __future__ import annotations

from collections.abc import ${[...iterators, 'Mapping', 'Sequence'].join(', ')}
from typing import Any, Literal

from .._core import UNSET, Options, ServerEvent, StreamOptions, Unset
from ..${from} import Group, ${isAsync ? 'AsyncPages' : 'Pages'}, Runner
from .types import (
${used.map((name) => `    ${name},\n`).join('')})


${text}

class Operations:
    """The operations by group."""

    def __init__(self, runner: Runner) -> None:
${groups.map(([group]) => `        self.${snakeCase(group)} = ${pascalCase(group)}Operations(runner)\n`).join('')}`;
  };
  return {
    'types.py': emitTypes(types, isKind),
    '__init__.py': HEADER,
    'routes.py': emitRoutes(operations),
    'operations.py': module(false),
    'async_operations.py': module(true),
  };
};
