import { readFileSync } from 'node:fs';
import type { Logger } from '../observe/index.ts';
import { type ServiceTrust, serviceTrustSchema } from './service-keys.ts';
import { createServiceTokenVerifier, type ServiceTokenVerifier } from './service-token.ts';

/** The clients that a process trusts, as of now. */
export type FollowedTrust = {
  current: () => ServiceTrust;
  /** Reports whether a client has this name. */
  has: (name: string) => boolean;
  /** Returns a verifier of the tokens for an audience by what is trusted when it is called. */
  verifierFor: (audience: string) => ServiceTokenVerifier;
  close: () => void;
};

/** The variables of a process's configuration that say whom it trusts. */
type TrustConfig = { SERVICE_TRUST: ServiceTrust; SERVICE_TRUST_FILE?: string | undefined };

const CHECK_INTERVAL_MS = 1000;

/**
 * Follows the file of the trusted clients, so that one is added, and above all removed, while the process serves: the tokens of a client that was removed, and those signed
 * by a key that was replaced, are rejected from the next look at the file on, also those that were verified before. While the file cannot be read or is not valid, the
 * clients stay as they are and a warning is logged. Without a file they never change.
 */
export const followServiceTrust = (
  { SERVICE_TRUST, SERVICE_TRUST_FILE: path }: TrustConfig,
  logger: Pick<Logger, 'info' | 'warn'>,
  { checkIntervalMs = CHECK_INTERVAL_MS }: { checkIntervalMs?: number } = {},
): FollowedTrust => {
  let current = SERVICE_TRUST;
  let known = JSON.stringify(current);
  /** The text of the latest look, so that a file that does not change is neither parsed nor reported again. */
  let seen: string | undefined;
  let verifiers = new Map<string, ServiceTokenVerifier>();

  const take = (text: string): void => {
    const trust = serviceTrustSchema.parse(JSON.parse(text));
    const content = JSON.stringify(trust);
    if (content === known) return;
    current = trust;
    known = content;
    // With them goes what they remember of verified tokens.
    verifiers = new Map();
    logger.info({ clients: trust.clients.length }, 'the trusted clients were replaced');
  };

  const check = (file: string): void => {
    let text = '';
    try {
      text = readFileSync(file, 'utf8');
      if (text !== seen) take(text);
    } catch (err) {
      // The error of a parser may quote the file.
      const { code = 'not valid' } = err as NodeJS.ErrnoException;
      if (text !== seen) logger.warn({ code }, 'SERVICE_TRUST_FILE cannot be used; the trusted clients stay as they are');
    }
    seen = text;
  };

  const timer = path === undefined ? undefined : setInterval(check, checkIntervalMs, path);
  timer?.unref();
  return {
    current: () => current,
    has: (name) => current.clients.some((client) => client.name === name),
    verifierFor: (audience) => (token) => {
      const verify = verifiers.get(audience) ?? createServiceTokenVerifier(audience, current);
      verifiers.set(audience, verify);
      return verify(token);
    },
    close: () => clearInterval(timer),
  };
};
