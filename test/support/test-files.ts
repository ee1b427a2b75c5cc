import { globSync } from 'node:fs';
import { join } from 'node:path';
import { openModuleGraph } from './module-graph.ts';

const PATTERNS = ['{services,gateway,deploy,proto,scripts}/**/*.test.{ts,tsx}', 'test/**/*.test.ts'];

/** The files that `npm run proof` alone runs. */
const PROOF_ONLY = /\.proof\.test\.tsx?$/;

/** The values that the global setup provides: a module that takes one needs the engines. */
const ENGINES = /\binject\('(mongodbUri|redisUrl|evm)'\)/;

/** The value that says whether this is `npm run proof`. */
const PROOF = /\binject\('proof'\)/;

/**
 * Finds the test files of a run: in `npm test` all but those named `*.proof.test.ts`; in `npm run proof` these, and those that do more there.
 * The needs of a file follow from its imports.
 */
export const findTestFiles = (root: string, isProof: boolean): { onEngines: string[]; pure: string[] } => {
  const reaches = openModuleGraph(root);
  const files = globSync(PATTERNS, { cwd: root, exclude: ['**/node_modules/**'] }).toSorted();
  const chosen = files.filter((file) => (PROOF_ONLY.test(file) || (isProof && reaches(join(root, file), PROOF)) ? isProof : !isProof));
  const needsEngines = (file: string): boolean => reaches(join(root, file), ENGINES);
  return { onEngines: chosen.filter(needsEngines), pure: chosen.filter((file) => !needsEngines(file)) };
};
