import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineRoute } from './define-route.ts';
import { createRegistry } from './registry.ts';

describe('registry', () => {
  const good = defineRoute({
    operationId: 'a',
    method: 'get',
    path: '/a/{id}',
    tag: 'Health',
    summary: 'a',
    policy: 'public',
    params: z.object({ id: z.string() }),
    answers: { 200: z.object({}) },
    errors: [],
    handler: () => ({}),
  });

  it.each([
    ['has no policy', [{ ...good, policy: undefined as never }]],
    ['declares path parameters that differ from its path', [{ ...good, path: '/a' }]],
    ['is declared twice', [good, { ...good, operationId: 'b' }]],
    ['is declared twice', [good, { ...good, path: '/b/{id}' }]],
    ['is a GET with a body', [{ ...good, body: z.object({}) }]],
    ['lets caches keep a response', [{ ...good, policy: 'user' as const, publicForSeconds: 1 }]],
    ['sets a status for INVALID_SIGNATURE, which it never raises', [{ ...good, statusOf: { INVALID_SIGNATURE: 401 } }]],
  ])('rejects a route that %s', (problem, routes) => {
    expect(() => createRegistry(routes, { sandbox: true })).toThrow(problem);
  });

  it('requires a policy at compile time', () => {
    // @ts-expect-error policy is missing
    defineRoute({
      operationId: 'a',
      method: 'get',
      path: '/a',
      tag: 'Health',
      summary: 'a',
      answers: { 200: z.object({}) },
      errors: [],
      handler: () => ({}),
    });
  });
});
