import { type Document, type Operation, readOperations } from './read-operations.ts';
import { refName, type Schema } from './schema-type.ts';

/** A type that has a name. Its schema contains no objects with members, only references to other types. */
export type NamedType = { name: string; schema: Schema };

/** A part of a request. */
export type Member = { name: string; schema: Schema; isRequired: boolean };

export type NamedOperation = Operation & {
  /** Name of the operation in PascalCase: the operation id, which is unique in the document. */
  id: string;
  members: readonly Member[];
  /** Of a list, the schema of a row. */
  row?: Schema;
};

export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Lists are pages of rows: with a cursor and a direction, or with a cursor and a checkpoint. */
export const isPaged = ({ output, method }: Operation): boolean => {
  const names = Object.keys(output.properties ?? {});
  return method === 'GET' && names.includes('data') && (names.includes('pagination') || names.includes('hasMore'));
};

/** The part of a schema that makes a type. */
const shapeOf = ({ $ref, type, enum: values, items, properties, required, anyOf, ...rest }: Schema): unknown => ({
  ...{ $ref, type, values, required },
  ...('const' in rest ? { const: rest.const } : {}),
  items: items && shapeOf(items),
  choices: anyOf?.map(shapeOf),
  members: properties && Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, shapeOf(schema)])),
});

const isResponseOfDone = ({ properties = {} }: Schema): boolean => Object.keys(properties).join() === 'success';

/** Gives each object of the document a name, for languages in which a type needs one. Equal objects are one type. */
class TypeNames {
  readonly #types = new Map<string, Schema>();
  readonly #names = new Map<string, string>();

  types(): NamedType[] {
    return [...this.#types].map(([name, schema]) => ({ name, schema }));
  }

  /** Adds a schema of the document. */
  add(name: string, schema: Schema): void {
    const named = this.#inside(schema, name);
    this.#types.set(name, named);
    this.#names.set(JSON.stringify(shapeOf(named)), name);
  }

  /** A schema without objects that have members. @param wanted name of the type, if it is one */
  name(schema: Schema, wanted: string): Schema {
    const named = this.#inside(schema, wanted);
    if (named.properties === undefined) return named;
    const shape = JSON.stringify(shapeOf(named));
    const { description } = schema;
    return { $ref: this.#names.get(shape) ?? this.#create(shape, named, wanted), ...(description === undefined ? {} : { description }) };
  }

  #create(shape: string, schema: Schema, wanted: string): string {
    const base = isResponseOfDone(schema) ? 'Done' : wanted;
    let name = base;
    for (let number = 2; this.#types.has(name); number += 1) name = `${base}${number}`;
    this.#types.set(name, schema);
    this.#names.set(shape, name);
    return name;
  }

  #inside(schema: Schema, name: string): Schema {
    const { items, properties, anyOf } = schema;
    return {
      ...schema,
      ...(items === undefined ? {} : { items: this.name(items, name.replace(/(?<=[a-z])s$/, '')) }),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map((choice) => this.name(choice, name)) }),
      ...(properties === undefined
        ? {}
        : {
            properties: Object.fromEntries(
              Object.entries(properties).map(([member, one]) => [member, this.name(one, name + pascalCase(member))]),
            ),
          }),
    };
  }
}

/** The types and operations of a document, for languages in which a type needs a name. Errors have types of their own in a client. */
export const nameTypes = (document: Document): { types: NamedType[]; operations: NamedOperation[] } => {
  const names = new TypeNames();
  const { Error: _error, ValidationError: _validation, ...schemas } = document.components.schemas;
  for (const [name, schema] of Object.entries(schemas)) names.add(name, schema);
  const operations = readOperations(document).map((operation): NamedOperation => {
    const { parameters, body, output, operationId } = operation;
    const id = pascalCase(operationId);
    const whole = body?.$ref === undefined ? (body ?? {}) : (schemas[refName(body.$ref)] ?? {});
    const fields = [
      ...parameters.map(({ name, schema, required }) => ({ name, schema, isRequired: required === true })),
      ...Object.entries(whole.properties ?? {}).map(([name, schema]) => ({
        name,
        schema,
        isRequired: whole.required?.includes(name) === true,
      })),
    ];
    const members = fields.map(
      ({ name, schema, isRequired }): Member => ({ name, isRequired, schema: names.name(schema as Schema, `${id}${pascalCase(name)}`) }),
    );
    const rows = isPaged(operation) ? output.properties?.['data']?.items : undefined;
    return {
      ...operation,
      id,
      members,
      ...(rows === undefined ? {} : { row: names.name(rows, `${id}Row`) }),
      output: names.name(output, isPaged(operation) ? `${id}Page` : `${id}Output`),
    };
  });
  return { types: names.types(), operations };
};

/** Splits off `null`. */
export const nullable = (schema: Schema): { schema: Schema; isNullable: boolean } => {
  const { anyOf, type } = schema;
  if (anyOf !== undefined) {
    const others = anyOf.filter((choice) => choice.type !== 'null');
    const [first = {}, second] = others;
    // A time or a date, for example, are both text.
    const isOne = second === undefined || others.every((choice) => choice.type === first.type && choice.$ref === undefined);
    if (!isOne) throw new Error(`no single type for ${JSON.stringify(schema)}`);
    return { schema: first, isNullable: others.length < anyOf.length };
  }
  if (Array.isArray(type)) {
    const [first = ''] = type.filter((one) => one !== 'null');
    return { schema: { ...schema, type: first }, isNullable: type.includes('null') };
  }
  return { schema, isNullable: false };
};

/** Descriptions that say of which kind a value is, for example an id. A client tells them once. */
export const createKindsOfValues = (document: Document): ((description: string | undefined) => boolean) => {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { description } = value as { description?: unknown };
    if (typeof description === 'string') counts.set(description, (counts.get(description) ?? 0) + 1);
    for (const part of Object.values(value)) count(part);
  };
  count(document.components.schemas);
  count(document.paths);
  return (description) => description === undefined || (counts.get(description) ?? 0) > MANY;
};

const MANY = 6;

/** Codes that nearly every operation can fail with. */
export const commonCodes = (operations: readonly Operation[]): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  for (const code of operations.flatMap(({ codes }) => codes)) counts.set(code, (counts.get(code) ?? 0) + 1);
  return new Set([...counts].filter(([, number]) => number > operations.length / 3).map(([code]) => code));
};

/** The groups of operations by the order of the document's tags. */
export const groupsOf = <O extends Operation>(operations: readonly O[], order: readonly string[]): [string, O[]][] =>
  order.map((group): [string, O[]] => [group, operations.filter((one) => one.group === group)]).filter(([, calls]) => calls.length > 0);

/** Flags of a route, as the clients read them: `s` takes a token, `b` has a body, `p` takes a proof, `e` is a stream of events, `c` is answered by a table. */
export const flagsOf = ({ isSecured, takesProof, body, events }: Operation): string =>
  `${isSecured ? 's' : ''}${body === undefined ? '' : 'b'}${takesProof ? 'p' : ''}${events === undefined ? '' : 'e'}`;

/** Names of the members that go into the query of a request which has a body too. */
export const inQueryOf = ({ body, parameters }: Operation): string[] =>
  body === undefined ? [] : parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
