/** The parts of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  deprecated?: boolean;
};

type Options = {
  /** Optional members accept `undefined`, for values that a caller passes on. */
  isInput?: boolean;
};

/** The part of a comment that the type does not say. */
const commentOf = ({ description, deprecated }: Schema): string[] => [
  ...(description === undefined ? [] : [description]),
  ...(deprecated === true ? ['@deprecated'] : []),
];

/** A documentation comment in one line, followed by a line break; empty without text. A comment cannot contain its own end. */
export const docComment = (lines: readonly string[], indent: string): string => {
  const text = lines.map((line) => line.replaceAll('*/', '*∕'));
  if (text.length === 0) return '';
  if (text.length === 1) return `${indent}/** ${text[0]} */\n`;
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
};

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** The members of an object type, one in a line. */
export const membersOf = (schema: Schema, indent: string, options: Options): string =>
  Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const isRequired = schema.required?.includes(name) === true;
      const orUndefined = !isRequired && options.isInput === true ? ' | undefined' : '';
      const type = typeOf(property, indent, options);
      return `${docComment(commentOf(property), indent)}${indent}${propertyName(name)}${isRequired ? '' : '?'}: ${type}${orUndefined};\n`;
    })
    .join('');

const objectType = (schema: Schema, indent: string, options: Options): string => {
  if (schema.properties === undefined) return 'Record<string, unknown>';
  return `{\n${membersOf(schema, `${indent}  `, options)}${indent}}`;
};

/** Name of a schema that is referred to. */
export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/**
 * The TypeScript type of a schema.
 * @param indent white space before the line that the type begins in
 * @throws Error if the schema says something that this function does not know
 */
export const typeOf = (schema: Schema, indent = '', options: Options = {}): string => {
  const { $ref, type, anyOf, oneOf, items } = schema;
  if ($ref !== undefined) return refName($ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return unionOf(choices.map((choice) => typeOf(choice, indent, options)));
  if (Array.isArray(type)) return unionOf(type.map((one) => typeOf({ ...schema, type: one }, indent, options)));
  if (type === 'array') return `readonly (${typeOf(items ?? {}, indent, options)})[]`.replace(/\((\w+)\)/, '$1');
  if (type === 'object') return objectType(schema, indent, options);
  const scalar = SCALARS[type ?? ''];
  if (scalar === undefined && Object.keys(schema).some((key) => key !== 'description')) {
    throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  }
  return scalar ?? 'unknown';
};
