/** The gateway's settings for the page, in its `meta` elements. */
const told = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="florin-${name}"]`)?.content ?? '';

/** True if the platform is a sandbox, where the app may play the outside world. */
export const isSandbox = told('sandbox') === 'true';
