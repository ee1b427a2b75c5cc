import { buildOverlay, OVERLAYS } from './deploy/build-overlay.ts';
import { POLICIES } from './deploy/policies/index.ts';
import { schemaValidation } from './deploy/validate-schemas.ts';

/**
 * `npm run check:deploy`: kustomize builds every overlay of deploy/k8s, its objects match the schemas of Kubernetes, and the policies of
 * scripts/deploy/policies hold.
 */
const note = (line: string): void => void process.stdout.write(`note: ${line}\n`);

const validate = await schemaValidation(note);
if (validate === undefined) note('the manifests were not compared with the schemas of Kubernetes');
let failed = false;
for (const one of OVERLAYS) {
  const { overlay, yaml } = await buildOverlay(one, note);
  const problems = (await validate?.(yaml)) ?? [];
  for (const { name, check } of POLICIES) problems.push(...check(overlay).map((problem) => `${problem} (${name})`));
  for (const problem of problems) process.stderr.write(`${one.name}: ${problem}\n`);
  failed ||= problems.length > 0;
}
process.exitCode = failed ? 1 : 0;
