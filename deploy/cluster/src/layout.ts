import { join } from 'node:path';

/** A node of the cluster. */
export type NodePlan = { name: string; address: string; podCidr: string; zone: string };

/** The addresses live in network namespaces that are connected to nothing else, so they cannot collide with those of the machine. */
export const NODES: readonly NodePlan[] = [
  { name: 'node1', address: '172.31.0.1', podCidr: '10.244.1.0/24', zone: 'a' },
  { name: 'node2', address: '172.31.0.2', podCidr: '10.244.2.0/24', zone: 'b' },
];

/** Address of everything that is not a node: control plane, engines, clients. */
export const OUTSIDE_ADDRESS = '172.31.0.254';
export const POD_CIDR = '10.244.0.0/16';
export const SERVICE_CIDR = '10.96.0.0/16';
export const DNS_ADDRESS = '10.96.0.10';
export const API_URL = `https://${OUTSIDE_ADDRESS}:6443`;

/** The namespace of the platform. */
export const NAMESPACE = 'florin';

/** Name of the control groups of a cluster. */
export const CGROUP = 'florin-cluster';

/** Where a running cluster keeps its files. */
export type StateDir = {
  path: string;
  logs: string;
  pki: string;
  /** Kubeconfig files by user. */
  kubeconfig: (user: string) => string;
  node: (name: string) => string;
};

export const stateDirOf = (path: string): StateDir => ({
  path,
  logs: join(path, 'logs'),
  pki: join(path, 'pki'),
  kubeconfig: (user) => join(path, 'pki', `${user}.conf`),
  node: (name) => join(path, name),
});
