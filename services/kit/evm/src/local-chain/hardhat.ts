import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The used part of `hardhat/hre`, which is a dependency of no workspace (`hardhat/` beside `src/`). */
type Hardhat = {
  createHardhatRuntimeEnvironment(config: {
    networks: Record<string, { type: 'edr-simulated'; chainType: 'l1'; chainId: number; initialDate?: string }>;
  }): Promise<{
    network: {
      createServer(
        network: string,
        hostname: string,
        port: number,
      ): Promise<{ listen(): Promise<{ port: number }>; close(): Promise<void> }>;
      connect(network: string): Promise<{ provider: { request(call: { method: string; params: readonly unknown[] }): Promise<unknown> } }>;
    };
  }>;
};

/** Loads Hardhat, which must be installed. */
export const loadHardhat = async (): Promise<Hardhat> => {
  const { resolve } = createRequire(new URL('../../hardhat/package.json', import.meta.url));
  return import(pathToFileURL(resolve('hardhat/hre')).href);
};
