import type { Mailer } from './mailer.ts';
import type { SandboxOutbox } from './sandbox-outbox.ts';

/** Keeps mails in the outbox of a sandbox. */
export const createSandboxMailer = (outbox: SandboxOutbox): Mailer => ({
  send: ({ to, text, code }) => outbox.keep({ channel: 'email', to, text, code }),
});
