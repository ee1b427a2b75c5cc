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
