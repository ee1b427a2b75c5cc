export { createSmtpMailer, type Mail, mailShape } from './smtp.ts';
