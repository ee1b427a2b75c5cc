import { wholeDocument } from '../../gateway/src/whole-document.ts';
import { emitCalls, emitRoutes, emitSchemas } from './emit-client.ts';
import { goFiles } from './emit-go.ts';
import { pythonModules } from './emit-python.ts';
import type { Document } from './read-operations.ts';

export const CLIENT_DIRECTORY = 'gateway/client/src/generated';

/** Beside the rest of the package: one package of Go is one directory. */
export const GO_FILES = ['types.gen.go', 'operations.gen.go'].map((name) => `gateway/clients/go/${name}`);

export const PYTHON_DIRECTORY = 'gateway/clients/python/src/florin_client/generated';

/** The generated parts of the clients by path. They contain the operations of a sandbox too. */
export const clientFiles = (): Record<string, string> => {
  const document = wholeDocument() as unknown as Document;
  return {
    [`${CLIENT_DIRECTORY}/schemas.ts`]: emitSchemas(document),
    [`${CLIENT_DIRECTORY}/calls.ts`]: emitCalls(document),
    [`${CLIENT_DIRECTORY}/routes.ts`]: emitRoutes(document),
    ...Object.fromEntries(Object.entries(goFiles(document)).map(([name, text]) => [`gateway/clients/go/${name}`, text])),
    ...Object.fromEntries(Object.entries(pythonModules(document)).map(([name, text]) => [`${PYTHON_DIRECTORY}/${name}`, text])),
  };
};
