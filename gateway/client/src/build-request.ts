import { hasBody, type Route } from './routes.ts';

export type Input = Readonly<Record<string, unknown>>;

/** A segment of a path cannot be empty, and `.` and `..` would change the path even if they were encoded (WHATWG URL). */
const segmentOf = (name: string, value: unknown): string => {
  const text = String(value ?? '');
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${name} must be a part of a path`);
  return encodeURIComponent(text);
};

/**
 * Distributes the members of an input over path, query and body. Undefined members are left out.
 * @returns path with query, and the body as JSON if the operation takes one
 * @throws TypeError if a part of the path is missing
 */
export const buildRequest = (route: Route, input: Input): { path: string; body?: string } => {
  const [, template, , inQuery = []] = route;
  const inPath = new Set<string>();
  const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    inPath.add(name);
    return segmentOf(name, input[name]);
  });
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (inPath.has(name) || value === undefined) continue;
    if (hasBody(route) && !inQuery.includes(name)) body[name] = value;
    else query.append(name, String(value));
  }
  const search = query.toString();
  return { path: search === '' ? path : `${path}?${search}`, ...(hasBody(route) ? { body: JSON.stringify(body) } : {}) };
};
