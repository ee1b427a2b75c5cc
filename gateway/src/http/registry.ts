import { declaredCodes } from './declared-codes.ts';
import type { Route } from './define-route.ts';
import { needsToken, POLICIES } from './policy.ts';

const templateNames = (path: string): string[] => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');

const problemsOf = (route: Route): string[] => {
  const problems: string[] = [];
  if (!(POLICIES as readonly unknown[]).includes(route.policy)) problems.push('has no policy');
  const declared = Object.keys(route.params?.shape ?? {}).sort();
  if (declared.join() !== templateNames(route.path).sort().join()) problems.push('declares path parameters that differ from its path');
  if (route.method === 'get' && route.body !== undefined) problems.push('is a GET with a body');
  if (route.eventStream !== undefined && (route.method !== 'get' || !needsToken(route.policy))) problems.push('streams without a caller');
  if (route.csv !== undefined && (route.method !== 'get' || !needsToken(route.policy)))
    problems.push('offers CSV without GET and a caller');
  if (route.policy !== 'public' && route.publicForSeconds !== undefined) problems.push('lets caches keep a response that requires a token');
  return problems.map((problem) => `${route.operationId} (${route.method} ${route.path}) ${problem}`);
};

/** A literal path declared after a template that matches it would never be reached. */
const hiddenBy = (path: string, earlier: Iterable<string>): string | undefined => {
  for (const template of earlier) {
    const pattern = new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
    if (template !== path && pattern.test(path)) return template;
  }
  return undefined;
};

/** The routes, in order of declaration, and grouped by path. */
export type Registry = { routes: readonly Route[]; byPath: ReadonlyMap<string, readonly Route[]> };

/**
 * Collects the routes that this process serves and checks the rules that types cannot express.
 * @throws Error that lists every invalid route
 */
export const createRegistry = (all: readonly Route[], options: { sandbox: boolean }): Registry => {
  const routes = all.filter(({ sandboxOnly }) => options.sandbox || sandboxOnly !== true);
  const problems = routes.flatMap(problemsOf);
  const seen = new Set<string>();
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    for (const name of [route.operationId, `${route.method} ${route.path}`]) {
      if (seen.has(name)) problems.push(`${name} is declared twice`);
      seen.add(name);
    }
    for (const code of Object.keys(route.statusOf ?? {})) {
      if (!declaredCodes(route).has(code as never)) problems.push(`${route.operationId} sets a status for ${code}, which it never raises`);
    }
    const hidden = hiddenBy(route.path, byPath.keys());
    if (hidden !== undefined) problems.push(`${route.operationId} is hidden by ${hidden}`);
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  }
  if (problems.length > 0) throw new Error(problems.join('; '));
  return { routes, byPath };
};
