import { z } from 'zod';
import type { Route } from './define-route.ts';

/** The parts of a route that declare fields of its requests. */
export type Declared = Partial<Pick<Route, 'params' | 'query' | 'body'>>;

const unwrap = (schema: unknown): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return unwrap(schema.unwrap());
  return schema;
};

const fieldsOf = ({ params, query, body }: Declared): ReadonlyMap<string, unknown> => {
  const shapes = [params, query, body].map(unwrap).flatMap((schema) => (schema instanceof z.ZodObject ? [schema.shape] : []));
  return new Map(shapes.flatMap((shape) => Object.entries(shape as Record<string, unknown>)));
};

const hasParts = (schema: unknown): boolean => {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject || inner instanceof z.ZodArray || inner instanceof z.ZodRecord;
};

/** `entries[0].hold_id` becomes `entries.0.holdId`. */
const toCamelCase = (path: string): string =>
  path.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()).replace(/\[(\d+)\]/g, '.$1');

/**
 * Converts a field path of a service to the caller's name of the field: in camel case, and without the messages of the contract that group
 * fields which a request has on the top level (`page.cursor` becomes `cursor`, `controls.countries` becomes `countries`).
 */
const toRestPath = (path: string, fields: ReadonlyMap<string, unknown>): string => {
  const parts = toCamelCase(path).split('.');
  const start = parts.findIndex((part, index) => fields.has(part) && (index === parts.length - 1 || hasParts(fields.get(part))));
  return parts.slice(Math.max(start, 0)).join('.');
};

/** Converts the field paths of a validation message, `<path>: <problem>; …`, to the names of a route's request. */
export const toRestNames = (message: string, route: Declared = {}): string => {
  const fields = fieldsOf(route);
  return message
    .split('; ')
    .map((problem) => problem.replace(/^[\w.[\]]+(?=: )/, (path) => toRestPath(path, fields)))
    .join('; ');
};
