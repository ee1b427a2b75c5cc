/** The gateway's settings for the page, in its `meta` elements. */
const told = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="florin-${name}"]`)?.content ?? '';

/** True if the platform is a sandbox, where the app may play the outside world. */
export const isSandbox = told('sandbox') === 'true';

/** Where people get help: an `https:` or a `mailto:` URL. */
const support = told('support');

/** The URL of those who help; a mail has the subject. Undefined if the platform names nobody. */
export const supportUrl = (subject?: string): string | undefined => {
  if (support === '') return undefined;
  return subject !== undefined && support.startsWith('mailto:') ? `${support}?subject=${encodeURIComponent(subject)}` : support;
};

const explorer = told('explorer');

/** Where the chain's explorer shows a transaction; undefined if the platform names no explorer. */
export const transactionUrl = (hash: string): string | undefined =>
  explorer === '' ? undefined : new URL(`tx/${hash}`, explorer.replace(/\/?$/, '/')).href;
