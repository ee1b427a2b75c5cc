export type { KubeApi } from './api.ts';
export type { Cluster } from './cluster.ts';
export { deploySandbox, NAMESPACE, rolledOut, WORKLOADS } from './deployment/deploy.ts';
export type { Kubectl } from './kubectl.ts';
export { compareBuilds, launch } from './launch.ts';
export { processesOfPod } from './namespaces/cgroups.ts';
export { isInside, launchedAt } from './namespaces/isolation.ts';
export { type OpenCluster, openCluster } from './open-cluster.ts';
