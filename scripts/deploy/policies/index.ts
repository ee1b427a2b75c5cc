import { availabilityPolicies } from './availability.ts';
import { configurationPolicies } from './configuration.ts';
import { edgePolicies } from './edges.ts';
import { podPolicies } from './pods.ts';
import type { Policy } from './policy.ts';

export type { Overlay } from './policy.ts';

/** All rules about the manifests of a deployment. */
export const POLICIES: readonly Policy[] = [...podPolicies, ...availabilityPolicies, ...edgePolicies, ...configurationPolicies];
