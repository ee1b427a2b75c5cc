const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Reports whether messages to the URL are private: encrypted, or on this machine. */
export const isPrivateUrl = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || LOCAL_HOSTS.has(hostname);
};
