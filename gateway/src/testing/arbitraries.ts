import fc from 'fast-check';

/** The part of JSON Schema that the document uses for requests. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
};

/** Resolves a reference within the document. */
export type Resolve = (reference: string) => Schema;

/** Longest text and list that are generated: limits are tested from both sides by near misses, so long values add only time. */
const MAX_SIZE = 300;

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc
    .tuple(
      fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
      fc.constantFrom('Z', '+02:00', '-11:30'),
    )
    .map(([date, zone]) => date.toISOString().replace('Z', zone)),
  uuid: fc.oneof(
    fc.uuid(),
    fc.uuid().map((id) => id.toUpperCase()),
  ),
  email: fc
    .tuple(fc.stringMatching(/^[a-z0-9_+-]{1,12}$/), fc.stringMatching(/^[a-z0-9]{1,8}\.[a-z]{2,6}$/))
    .map((parts) => parts.join('@')),
};

const CODE_POINTS = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...'azAZ09 .-_') },
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);

const stringOf = ({ minLength = 0, maxLength = MAX_SIZE, pattern, format }: Schema): fc.Arbitrary<string> => {
  const most = Math.min(maxLength, Math.max(minLength, MAX_SIZE));
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= maxLength;
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined) return known.filter(fits);
  if (pattern === undefined) return fc.string({ unit: 'grapheme-ascii', minLength, maxLength: most }).filter(fits);
  const regex = new RegExp(pattern, 'u');
  // The generator does not know look-ahead.
  if (pattern.includes('(?!'))
    return fc
      .array(CODE_POINTS, { minLength, maxLength: most })
      .map((parts) => parts.join(''))
      .filter((text) => regex.test(text) && fits(text));
  return fc.stringMatching(regex).filter(fits);
};

const objectOf = ({ properties = {}, required = [], not }: Schema, resolve: Resolve): fc.Arbitrary<Record<string, unknown>> => {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, validOf(schema, resolve)]));
  const whole = (needed: string[]) => fc.record(fields, { requiredKeys: needed as never[] });
  // Not all of these are absent.
  const oneOf = Object.keys(not?.properties ?? {});
  return oneOf.length === 0 ? whole(required) : fc.oneof(...oneOf.map((name) => whole([...required, name])));
};

/** Values that a schema accepts. @throws Error for a keyword that it does not know */
export const validOf = (schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) return validOf(resolve(schema.$ref), resolve);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object') return objectOf(schema, resolve);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => validOf(choice, resolve)));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => validOf({ ...schema, type }, resolve)));
  const { minimum = -(2 ** 31), maximum = 2 ** 31 } = schema;
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
      return fc.integer({ min: minimum, max: Math.min(maximum, Number.MAX_SAFE_INTEGER) });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(validOf(schema.items ?? {}, resolve), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case undefined:
      return fc.jsonValue();
    default:
      throw new Error(`cannot generate values of ${JSON.stringify(schema)}`);
  }
};

/** Texts that have broken parsers, stores and displays. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  '\r\n',
  '\ud800',
  '\udc00x',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\u2800',
  '\u{1f9ff}',
  'İ',
  'ﬁ',
  'e\u0301',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  '1e309',
  '0x10',
  '٣',
  "' OR 1=1 --",
  '{"$gt":""}',
  '$where',
  '../../etc/passwd',
  '%00',
  '%2e%2e',
  '<script>',
  '{{7*7}}',
  '\\u0000',
  'a'.repeat(5000),
  '9'.repeat(400),
  '\u{1f600}'.repeat(30),
];

/** Any JSON, with a preference for texts and numbers that break programs. */
export const hostileOf = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<unknown>(...HOSTILE_TEXTS) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<unknown>(null, true, 0, -0, -1, 1.5, 1e21, 1e308, 2 ** 53, [], {}, [[]], { length: 1 }, { $ne: null }),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  );

const resized = (text: string, size: number): string =>
  (text || 'x').repeat(Math.ceil(size / Math.max(1, [...text].length))).slice(0, size);

/** Values beside a schema's limits: one step over a bound, one character too many, a word that is not in the list. */
const nearScalar = (schema: Schema, valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] => [
  ...(schema.maxLength === undefined ? [] : [valid.map((text) => resized(String(text), (schema.maxLength ?? 0) + 1))]),
  ...(schema.minLength === undefined ? [] : [valid.map((text) => [...String(text)].slice(0, (schema.minLength ?? 1) - 1).join(''))]),
  ...(schema.type === 'string'
    ? [valid.map((text) => `${String(text)}\u0007`), valid.map((text) => ` ${String(text)}`), valid.map((text) => String(text).slice(1))]
    : []),
  ...(schema.enum === undefined ? [] : [valid.map((word) => String(word).toUpperCase()), valid.map((word) => `${String(word)}x`)]),
  ...(schema.maximum === undefined ? [] : [fc.constant(schema.maximum + 1)]),
  ...(schema.minimum === undefined ? [] : [fc.constant(schema.minimum - 1)]),
  ...(schema.type === 'integer' ? [valid.map((number) => Number(number) + 0.5), valid.map(String)] : []),
];

const nearObject = (schema: Schema, resolve: Resolve, whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    fc.tuple(whole, nearMissOf(field, resolve)).map(([object, value]) => ({ ...(object as object), [name]: value })),
    whole.map((object) => {
      const { [name]: _removed, ...rest } = object as Record<string, unknown>;
      return rest;
    }),
  ]);

/** Values that differ from accepted ones in one place. Most, but not all, are outside of the schema. */
export const nearMissOf = (schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) return nearMissOf(resolve(schema.$ref), resolve);
  const valid = validOf(schema, resolve);
  const items = schema.items;
  const list =
    items === undefined
      ? []
      : [
          fc.array(nearMissOf(items, resolve), { minLength: 1, maxLength: 2 }),
          ...(schema.maxItems === undefined
            ? []
            : [validOf(items, resolve).map((item) => Array.from({ length: (schema.maxItems ?? 0) + 1 }, () => item))]),
        ];
  return fc.oneof(
    hostileOf(),
    valid.map((value) => [value]),
    ...nearScalar(schema, valid),
    ...list,
    ...nearObject(schema, resolve, valid),
  );
};
