import { DEPLOYER, encodeCollectorDeployment } from '../safe/index.ts';
import type { Evm } from './start-evm.ts';

/** Puts the deployer at its canonical address, and has it deploy the Collector. */
export const installCollector = async ({ setCode, send }: Evm): Promise<void> => {
  await setCode(
    DEPLOYER.address,
    '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
  );
  const { to, data } = encodeCollectorDeployment();
  await send(to, data);
};
