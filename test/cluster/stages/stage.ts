import type { OpenCluster } from '@florin/cluster';
import type { ApiClient } from '../../support/api-client.ts';

/** The parts that the stages share. */
export type Deployment = {
  cluster: OpenCluster;
  /** Address of the gateway. */
  url: string;
  /** A client that sends every request once. */
  api: ApiClient;
  report: (line: string) => void;
};

/** One thing that the cluster has to show. */
export type Stage = {
  name: string;
  /** @returns what is wrong, one line each */
  run: (deployment: Deployment) => Promise<string[]>;
};
