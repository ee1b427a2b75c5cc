import { ConfigError } from '@florin/rpc/config';
import { createJsonHttp } from '@florin/rpc/json-http';
import { createSmtpMailer } from '@florin/rpc/mail';
import type { Runtime } from '@florin/rpc/runtime';
import type { IdentityConfig } from '../config.ts';
import { createHttpKycProvider } from './http-kyc-provider.ts';
import type { KycProvider } from './kyc-provider.ts';
import type { Mailer } from './mailer.ts';
import { createSandboxMailer } from './mailer.ts';
import { createSandboxKycProvider } from './sandbox-kyc-provider.ts';
import type { SandboxOutbox } from './sandbox-outbox.ts';
import type { SmsSender } from './sms-sender.ts';
import { createHttpSmsSender, createSandboxSmsSender } from './sms-sender.ts';

export type OutsidePorts = { mailer: Mailer; smsSender: SmsSender; kyc: KycProvider };

/** For every outside system: the variable with its URL, and the variables that it requires. */
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
 * Chooses the real adapter of every outside system that is configured, and the sandbox adapter of the others. Outside the sandbox
 * every system must be configured.
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
    if (SMTP_URL === undefined) return createSandboxMailer(outbox);
    const smtp = createSmtpMailer({ url: SMTP_URL, from: MAIL_FROM });
    defer(smtp.close);
    return smtp;
  };
  return {
    mailer: mailer(),
    smsSender: SMS_URL === undefined ? createSandboxSmsSender(outbox) : createHttpSmsSender(httpTo(SMS_URL, SMS_TOKEN)),
    kyc: KYC_URL === undefined ? createSandboxKycProvider(runtime) : createHttpKycProvider(httpTo(KYC_URL, KYC_TOKEN)),
  };
};
