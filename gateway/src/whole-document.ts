import { createOpenApiDocument } from './docs/openapi.ts';
import { createRegistry } from './http/registry.ts';
import { allRoutes } from './routes/index.ts';

/** The document of all operations, those of a sandbox too, for clients that are made from it. */
export const wholeDocument = () => createOpenApiDocument(createRegistry(allRoutes, { sandbox: true }));
