import type { SandboxOutbox } from './sandbox-outbox.ts';

/** A message with a code in it. */
export type Mail = {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The code alone, for the sandbox outbox. */
  code: string;
};

/** Submits mails. Rejects when a mail was not accepted. The text of the rejection is for logs. */
export type Mailer = { send: (mail: Mail) => Promise<void> };

/** Keeps mails in the outbox of a sandbox. */
export const createSandboxMailer = (outbox: SandboxOutbox): Mailer => ({
  send: ({ to, text, code }) => outbox.keep({ channel: 'email', to, text, code }),
});
