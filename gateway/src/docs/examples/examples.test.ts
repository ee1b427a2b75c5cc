import { describe, expect, it } from 'vitest';
import { checkAnswer } from '../../http/check-answer.ts';
import { allRoutes } from '../../routes/index.ts';
import { EXAMPLES } from './index.ts';

describe('the examples of the document', () => {
  it('cover every operation, and no other', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(allRoutes.map(({ operationId }) => operationId).sort());
  });

  it.each(allRoutes.map((route) => [route.operationId, route] as const))('match the schemas of %s', (operationId, route) => {
    const { request, response } = EXAMPLES[operationId] ?? expect.fail('no example');
    expect(() => checkAnswer(route, 200, response)).not.toThrow();
    expect(request === undefined).toBe(route.body === undefined);
    if (route.body !== undefined) expect(route.body.safeParse(request).error).toBeUndefined();
  });
});
