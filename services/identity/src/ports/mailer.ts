/** A message with a code in it. */
export type Mail = {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The code by itself, for those who do not read. */
  code: string;
};

/** Hands mails over. Rejects when the mail was not accepted; the text of the rejection is for logs. */
export type Mailer = { send: (mail: Mail) => Promise<void> };
