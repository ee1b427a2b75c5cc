import type { Mail } from '@florin/rpc/mail';
import type { Logger } from '@florin/rpc/observe';
import type { Endpoint } from '../domain/webhooks/endpoint.ts';
import { noticeText } from '../domain/webhooks/notice-text.ts';
import type { WebhookSecretStore } from '../store/webhook-secrets.ts';

/** Sends a mail. Rejects when it was not accepted. */
export type SendMail = (mail: Mail) => Promise<void>;

/** Tells the contact of an endpoint why it was disabled. Rejects while that is not possible. */
export type Notify = (endpoint: Endpoint) => Promise<void>;

type Parts = {
  secrets: Pick<WebhookSecretStore, 'find'>;
  /** Undefined where no mail server is configured. */
  sendMail: SendMail | undefined;
  logger: Logger;
};

export const createNotify =
  ({ secrets, sendMail, logger }: Parts): Notify =>
  async ({ id, url, contactId = '', notice }) => {
    const to = (await secrets.find([contactId])).get(contactId);
    if (notice === undefined || to === undefined) return;
    if (sendMail === undefined)
      logger.warn({ endpointId: id, reason: notice.reason }, 'a webhook endpoint was disabled; without SMTP_URL nobody is told');
    else await sendMail({ to, ...noticeText({ id, url, notice }) });
  };
