import { EntryMode } from '@florin/proto/card/v1/payment';
import { collapseSpaces, merchantTextProblem } from '@florin/rpc/fields';
import type { Logger } from '@florin/rpc/observe';
import { parseRequest } from '@florin/rpc/server';
import type { z } from 'zod';

/** The part of a merchant's text that people can read. */
const readable = (text: string, maxCharacters: number): string => {
  const fit = [...text].map((character) => (merchantTextProblem(`a${character}`) === undefined ? character : ' ')).join('');
  const short = [...collapseSpaces(fit)].slice(0, maxCharacters).join('').trim();
  return merchantTextProblem(short) === undefined ? short : '';
};

const left = (): string => '';

/** By path, what takes the place of an optional field that is malformed. */
const REPAIRS: Readonly<Record<string, (value: string) => unknown>> = {
  'event.authorizationCode': left,
  'event.retrievalReference': left,
  'merchant.id': left,
  'merchant.name': (text) => readable(text, 40),
  'merchant.city': (text) => readable(text, 40),
  'merchant.country': left,
  'merchant.categoryCode': left,
  entryMode: () => EntryMode.UNSPECIFIED,
};

type Fields = Record<string, unknown>;

const repaired = (fields: Fields, [name, ...rest]: readonly string[], repair: (value: string) => unknown): Fields => {
  if (name === undefined) return fields;
  const value = fields[name];
  return { ...fields, [name]: rest.length === 0 ? repair(value as string) : repaired(value as Fields, rest, repair) };
};

/**
 * Parses a report of what has happened. The network has moved the money whether or not what describes it is well formed: an optional field that is
 * malformed is repaired or left out, with a note in the log that names the field.
 * @throws CodedError VALIDATION_FAILED
 */
export const parseReport = <S extends z.ZodType>(schema: S, request: object, logger: Logger): z.output<S> => {
  const issues = schema.safeParse(request).error?.issues ?? [];
  const fields = [...new Set(issues.map(({ path }) => path.join('.')))].filter((path) => REPAIRS[path] !== undefined);
  if (fields.length === 0) return parseRequest(schema, request);
  logger.warn({ fields }, 'optional fields of a report are malformed');
  const fit = fields.reduce((all, path) => repaired(all, path.split('.'), REPAIRS[path] ?? left), request as Fields);
  return parseRequest(schema, fit);
};
