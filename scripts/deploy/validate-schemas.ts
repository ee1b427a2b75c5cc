import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonTools } from '../../test/support/python.ts';
import { run } from '../run.ts';

const PACKAGE = 'kubernetes-validate==1.37.0';

/** The oldest version whose clusters are supported. */
const KUBERNETES = '1.33';

/** Compares manifests with the schemas. @returns a description of each difference */
export type Validate = (yaml: string) => Promise<string[]>;

/**
 * Returns a comparison with the schemas of Kubernetes, in which unknown fields are differences. Objects of operators (cert-manager, External
 * Secrets and others) have no schemas there.
 * @returns undefined, after one line that says why, where the schemas cannot be installed
 */
export const schemaValidation = async (report: (line: string) => void): Promise<Validate | undefined> => {
  const programs = await pythonTools([PACKAGE], report);
  if (programs === undefined) return undefined;
  return async (yaml) => {
    const directory = await mkdtemp(join(tmpdir(), 'florin-deploy-'));
    try {
      const file = join(directory, 'manifests.yaml');
      await writeFile(file, yaml);
      const { code, output } = await run(join(programs, 'kubernetes-validate'), ['--strict', '--quiet', '-k', KUBERNETES, file]);
      return code === 0 ? [] : output.trim().split('\n');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
};
