import { createRegistry } from '../http/registry.ts';
import { allRoutes } from '../routes/index.ts';
import { createOpenApiDocument } from './openapi.ts';

/** The document of all operations, those of a sandbox too, for clients that are made from it. */
export const wholeDocument = () => createOpenApiDocument(createRegistry(allRoutes, { sandbox: true }));
