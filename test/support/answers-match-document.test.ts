import { describe, expect, it } from 'vitest';
import { createDocumentCheck } from './answers-match-document.ts';

const answer = (status: number, body: unknown, path = '/things/7') => ({
  method: 'GET',
  path,
  status,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8' }),
  body,
});

const newCheck = () =>
  createDocumentCheck({
    openapi: '3.1.0',
    info: { title: 'User Service' },
    components: {
      schemas: { Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } } },
      responses: {
        Gone: { content: { 'application/json': { schema: { required: ['error'] }, examples: { GONE: { value: { error: 'GONE' } } } } } },
      },
    },
    paths: {
      '/things/{id}': {
        get: {
          responses: {
            '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
            '410': { $ref: '#/components/responses/Gone' },
            '404': { $ref: '#/components/responses/Missing' },
          },
        },
      },
      '/things/all': { get: { responses: { '204': {} } } },
    },
  });

describe('the check of responses against the OpenAPI document', () => {
  it('accepts and counts documented responses', () => {
    const { check, seen } = newCheck();
    check(answer(200, { id: '01890a5d-ac96-774b-bcce-b302099a8057' }, '/things/7?full=true'));
    expect([...seen]).toEqual([['GET /things/{id} 200', 1]]);
  });

  it('accepts a declared code of a shared response', () => {
    expect(() => newCheck().check(answer(410, { error: 'GONE' }))).not.toThrow();
  });

  it.each([
    ['a code that a shared response does not declare', answer(410, { error: 'OTHER' })],
    ['a body that does not match a shared response', answer(410, {})],
    ['a shared response that does not exist', answer(404, { error: 'GONE' })],
    ['a member of another type', answer(200, { id: 'seven' })],
    ['a missing member', answer(200, {})],
    ['an undeclared status', answer(418, {})],
    ['an undeclared status of the literal path', answer(200, {}, '/things/all')],
  ])('rejects %s', (_name, wrong) => {
    expect(() => newCheck().check(wrong)).toThrow(/is not declared|does not declare|does not match|does not exist/);
  });
});
