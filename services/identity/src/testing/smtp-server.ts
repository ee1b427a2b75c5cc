import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type ReceivedMail = { from: string; to: string[]; body: string };

/** A mail server on a free port that stores received mails. */
export const startTestSmtpServer = async (options: SMTPServerOptions = {}) => {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, callback) => {
      let body = '';
      stream.on('data', (chunk) => {
        body += String(chunk);
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({ from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address), body });
        callback();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    mails,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
};

/** The decoded content of one part of a mail, by media type. Supports the encodings of identity's mails (RFC 2045, section 6). */
export const partOf = ({ body }: ReceivedMail, mediaType: string): string => {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(body) ?? [];
  const part = body.split(`--${boundary}`).find((text) => text.toLowerCase().includes(`content-type: ${mediaType}`)) ?? '';
  const [head = '', ...content] = part.split('\r\n\r\n');
  const text = content.join('\r\n\r\n');
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(head)) return text;
  return text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
};
