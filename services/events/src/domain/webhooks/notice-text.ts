import type { DisabledReason, Endpoint } from './endpoint.ts';

const WHY: Readonly<Record<DisabledReason, string>> = {
  requested: 'You disabled it.',
  gone: 'It answered 410 Gone.',
  failing: 'No delivery to it succeeded for five days.',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The mail to an endpoint's contact about why it was disabled. Of the URL only the host is named: paths of such URLs are often secrets. */
export const noticeText = ({
  id,
  url,
  notice,
}: Pick<Endpoint, 'id' | 'url'> & { notice: NonNullable<Endpoint['notice']> }): { subject: string; text: string; html: string } => {
  const { host } = new URL(url);
  const lines = [
    `Your webhook endpoint ${id} at ${host} was disabled. ${WHY[notice.reason]}`,
    `Time: ${notice.at.toISOString()}`,
    'When you enable the endpoint, deliveries go on with the first event that failed since the last success. Replay the endpoint to get earlier ones that were given up.',
  ];
  return {
    subject: `Webhook endpoint at ${host} was disabled`,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</body></html>`,
  };
};
