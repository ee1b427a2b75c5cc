import type { Manifest } from '../manifest.ts';

/** An overlay as kustomize builds it. `sandbox` is false for deployments that hold real data. */
export type Overlay = { name: string; sandbox: boolean; manifests: readonly Manifest[] };

/** A rule about an overlay that schemas cannot express. */
export type Policy = {
  /** The rule that holds when the policy reports nothing. */
  name: string;
  /** @returns a description of each violation */
  check: (overlay: Overlay) => string[];
};
