import { ConfigError } from '@florin/rpc/config';
import type { ThreedsConfig } from '../config.ts';
import type { Challenge, Decision } from '../domain/challenge.ts';

/** `acknowledged`: confirmed at once. `later`: will be confirmed through AcknowledgeDecision. */
type NotifyResult = 'acknowledged' | 'later';

/** Port to the system that raised the challenge and forwards the decision to the merchant's bank (EMV 3DS ACS). */
export type AccessControlServer = {
  /** The server accepts every decision: the write that stores a decision also confirms it, and `notify` serves only decisions stored without. */
  confirmsAtOnce?: true;
  /** Notifies the server of a decision. May be called more than once; after a rejection it is called again until the confirmation times out. */
  notify: (challenge: Challenge & { decision: Decision }) => Promise<NotifyResult>;
};

/** A real server: it watches the challenge itself and confirms through AcknowledgeDecision. */
export const grpcAccessControlServer: AccessControlServer = { notify: async () => 'later' };

/** Confirms every decision at once, so that the whole flow can be played without a real server. */
export const sandboxAccessControlServer: AccessControlServer = { confirmsAtOnce: true, notify: async () => 'acknowledged' };

/**
 * The access control server that the configuration names. Default: `sandbox` in the sandbox, else `grpc`.
 * @throws ConfigError when `sandbox` is configured outside the sandbox: decisions would count as confirmed without any confirmation
 */
export const chooseAccessControlServer = ({ ACS, SANDBOX }: Pick<ThreedsConfig, 'ACS' | 'SANDBOX'>): AccessControlServer => {
  if (ACS === 'sandbox' && !SANDBOX) throw new ConfigError('ACS: sandbox requires SANDBOX=true');
  return (ACS ?? (SANDBOX ? 'sandbox' : 'grpc')) === 'sandbox' ? sandboxAccessControlServer : grpcAccessControlServer;
};
