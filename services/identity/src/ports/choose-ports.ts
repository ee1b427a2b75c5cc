import { ConfigError } from '@florin/rpc/config';
import { createJsonHttp } from '@florin/rpc/json-http';
import type { Runtime } from '@florin/rpc/runtime';
import type { IdentityConfig } from '../config.ts';
import { createHttpKycProvider } from './http-kyc-provider.ts';
import { createHttpTexter } from './http-texter.ts';
import type { KycProvider } from './kyc-provider.ts';
import type { Mailer } from './mailer.ts';
import { createSandboxKycProvider } from './sandbox-kyc-provider.ts';
import type { SandboxOutbox } from './sandbox-outbox.ts';
import { createSmtpMailer } from './smtp-mailer.ts';
import type { Texter } from './texter.ts';

export type OutsidePorts = { mailer: Mailer; texter: Texter; kyc: KycProvider };

/** Every outside system: the variable that says where it is, and those without which it cannot be used. */
const OUTSIDE = [
  ['SMTP_URL', ['MAIL_FROM']],
  ['SMS_URL', ['SMS_TOKEN']],
  ['KYC_URL', ['KYC_TOKEN', 'KYC_WEBHOOK_SECRET']],
] as const;

/** @throws ConfigError that names every missing variable */
const requireOutside = (config: IdentityConfig): void => {
  const missing = OUTSIDE.flatMap(([url, companions]) => {
    if (config[url] !== undefined)
      return companions.flatMap((name) => (config[name] === undefined ? [`${name}: is required with ${url}`] : []));
    return config.SANDBOX ? [] : [`${url}: is required with SANDBOX=false`];
  });
  if (missing.length > 0) throw new ConfigError(missing.join('; '));
};

/**
 * The real adapter of every outside system that is configured; the sandbox's for the others. Without the sandbox all have
 * to be configured: nobody gets a code that nobody sent.
 * @throws ConfigError
 */
export const choosePorts = (
  config: IdentityConfig,
  { outbox, runtime, defer }: { outbox: SandboxOutbox; runtime: Runtime; defer: (release: () => unknown) => void },
): OutsidePorts => {
  requireOutside(config);
  const { SMTP_URL, MAIL_FROM = '', SMS_URL, SMS_TOKEN = '', KYC_URL, KYC_TOKEN = '' } = config;
  const httpTo = (url: string, token: string) => {
    const http = createJsonHttp({ url, token });
    defer(http.close);
    return http;
  };
  const mailer = () => {
    if (SMTP_URL === undefined) return outbox.mailer;
    const smtp = createSmtpMailer({ url: SMTP_URL, from: MAIL_FROM });
    defer(smtp.close);
    return smtp;
  };
  return {
    mailer: mailer(),
    texter: SMS_URL === undefined ? outbox.texter : createHttpTexter(httpTo(SMS_URL, SMS_TOKEN)),
    kyc: KYC_URL === undefined ? createSandboxKycProvider(runtime) : createHttpKycProvider(httpTo(KYC_URL, KYC_TOKEN)),
  };
};
