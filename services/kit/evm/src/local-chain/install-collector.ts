import { DEPLOYER, encodeCollectorDeployment } from '../safe/index.ts';
import type { Evm } from './start-evm.ts';

/** Puts the deployer of contracts at its canonical address. */
export const installDeployer = async ({ setCode }: Pick<Evm, 'setCode'>): Promise<void> => {
  await setCode(
    DEPLOYER.address,
    '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
  );
};

/** Puts the Collector, and what deploys it, at their canonical addresses. */
export const installCollector = async (evm: Pick<Evm, 'setCode' | 'send'>): Promise<void> => {
  await installDeployer(evm);
  const { to, data } = encodeCollectorDeployment();
  await evm.send(to, data);
};
