import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { outsideProxyOf } from './outside.ts';

/** Configuration of a process that sends mails. */
export const mailShape = {
  /** Mail server, `smtp://user:password@host:587` or `smtps://…`. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
  /** Sender of mails, `Name <address>`. */
  MAIL_FROM: z.string().min(3).max(320).optional(),
} as const;

/** A mail to one person. */
export type Mail = {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
};

/** Timeouts of single steps of a delivery. The caller of the RPC waits for all of them together. */
const CONNECT_TIMEOUT_MS = 3000;
const SILENCE_TIMEOUT_MS = 4000;

const DEFAULT_PORT = 587;
const DEFAULT_TLS_PORT = 465;

/** @param url `smtp://[user:password@]host[:port]` (STARTTLS when offered) or `smtps://…` */
const parseUrl = (url: string) => {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return {
    host: hostname,
    port: port === '' ? (secure ? DEFAULT_TLS_PORT : DEFAULT_PORT) : Number(port),
    secure,
    // A password is never sent unencrypted.
    requireTLS: username !== '',
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
};

/** Submits mails. `send` rejects when a mail was not accepted; the text of the rejection is for logs. */
type SmtpMailer = { send: (mail: Mail) => Promise<void>; close: () => void };

/** Sends mails through an SMTP server (RFC 5321), as plain text with an HTML alternative. */
export const createSmtpMailer = ({ url, from }: { url: string; from: string }): SmtpMailer => {
  const server = parseUrl(url);
  const proxy = outsideProxyOf(server.host);
  const transport = createTransport({
    ...server,
    ...(proxy === undefined ? {} : { proxy }),
    pool: true,
    maxConnections: 5,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text, html }) => {
      // An object, because a string could be parsed as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html });
    },
    close: () => transport.close(),
  };
};
