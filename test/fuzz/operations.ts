import type { Resolve, Schema } from '@florin/gateway/testing/arbitraries';
import type { OpenApiDocument } from '../support/answers-match-document.ts';

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema };

/** An operation as the document describes its request. */
export type Operation = {
  operationId: string;
  method: string;
  path: string;
  needsToken: boolean;
  parameters: Parameter[];
  body: Schema | undefined;
  isStream: boolean;
};

type Described = {
  operationId: string;
  security: object[];
  parameters?: { name: string; in: Parameter['in']; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: object }>;
};

/** Every operation of the document. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Record<string, Described>).map(([method, described]) => ({
      operationId: described.operationId,
      method: method.toUpperCase(),
      path,
      needsToken: described.security.length > 0,
      parameters: (described.parameters ?? []).map(({ required = false, ...parameter }) => ({ ...parameter, required })),
      body: described.requestBody?.content['application/json']?.schema,
      isStream: 'text/event-stream' in (described.responses['200']?.content ?? {}),
    })),
  );

/** Resolves references to the document's shared schemas. */
export const resolverOf = (document: OpenApiDocument): Resolve => {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  return (reference) => {
    const schema = schemas[reference.split('/').at(-1) ?? ''];
    if (schema === undefined) throw new Error(`${reference} does not exist`);
    return schema;
  };
};
