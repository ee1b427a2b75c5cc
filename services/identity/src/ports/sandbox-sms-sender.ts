import type { SandboxOutbox } from './sandbox-outbox.ts';
import type { SmsSender } from './sms-sender.ts';

/** Keeps text messages in the outbox of a sandbox. */
export const createSandboxSmsSender = (outbox: SandboxOutbox): SmsSender => ({
  send: ({ to, text, code }) => outbox.keep({ channel: 'sms', to, text, code }),
});
