import { ConfigError } from '@florin/rpc/config';
import type { ThreedsConfig } from '../config.ts';
import type { AccessControlServer } from './access-control-server.ts';
import { grpcAccessControlServer } from './grpc-access-control-server.ts';
import { sandboxAccessControlServer } from './sandbox-access-control-server.ts';

/**
 * The access control server that the configuration names. Default: `sandbox` in the sandbox, else `grpc`.
 * @throws ConfigError when `sandbox` is configured outside the sandbox: decisions would count as confirmed without any confirmation
 */
export const chooseAccessControlServer = ({ ACS, SANDBOX }: Pick<ThreedsConfig, 'ACS' | 'SANDBOX'>): AccessControlServer => {
  if (ACS === 'sandbox' && !SANDBOX) throw new ConfigError('ACS: sandbox requires SANDBOX=true');
  return (ACS ?? (SANDBOX ? 'sandbox' : 'grpc')) === 'sandbox' ? sandboxAccessControlServer : grpcAccessControlServer;
};
