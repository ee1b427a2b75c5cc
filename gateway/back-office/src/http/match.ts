import type { Endpoint } from './endpoint.ts';

/** An endpoint that a path matches, with what the template names; the methods of the path when none of them is the request's. */
export type Match = { endpoint: Endpoint; params: Record<string, string> } | { allowed: string[] };

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** An id as it is stored: a UUID has one form, so that the audit log knows what it is about by one name. */
const asStored = (id: string): string => (UUID.test(id) ? id.toLowerCase() : id);

/** Values of the template's names; undefined when the path is not one of it. A name stands for what ids consist of. */
const paramsOf = (template: string, path: string): Record<string, string> | undefined => {
  const expected = segmentsOf(template);
  const given = segmentsOf(path);
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = given[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== value : !/^[\w.:-]{1,128}$/.test(value)) return undefined;
    if (name !== undefined) params[name] = asStored(value);
  }
  return params;
};

/** @returns undefined for a path of no endpoint */
export const match = (endpoints: readonly Endpoint[], method: string, path: string): Match | undefined => {
  const allowed: string[] = [];
  for (const endpoint of endpoints) {
    const params = paramsOf(endpoint.path, path);
    if (params === undefined) continue;
    if (endpoint.method === method) return { endpoint, params };
    allowed.push(endpoint.method);
  }
  return allowed.length === 0 ? undefined : { allowed };
};
