import { createOpenApiDocument } from '../../gateway/src/docs/openapi.ts';
import { createRegistry } from '../../gateway/src/http/registry.ts';
import { allRoutes } from '../../gateway/src/routes/index.ts';
import { emitCalls, emitRoutes, emitSchemas } from './emit-client.ts';
import type { Document } from './read-operations.ts';

export const CLIENT_DIRECTORY = 'gateway/client/src/generated';

/** The generated part of `@florin/client` by path. It contains the operations of a sandbox too. */
export const clientFiles = (): Record<string, string> => {
  const document = createOpenApiDocument(createRegistry(allRoutes, { sandbox: true })) as unknown as Document;
  return {
    [`${CLIENT_DIRECTORY}/schemas.ts`]: emitSchemas(document),
    [`${CLIENT_DIRECTORY}/calls.ts`]: emitCalls(document),
    [`${CLIENT_DIRECTORY}/routes.ts`]: emitRoutes(document),
  };
};
