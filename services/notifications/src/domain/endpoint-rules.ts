/** Which endpoints of push services are allowed. */
export type EndpointRules = {
  /** Names of hosts; `*.` stands for any hosts below a name. */
  hosts: readonly string[];
  allowsLoopback: boolean;
};

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const matches = (host: string, pattern: string): boolean => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern);

/**
 * Reports whether something may be sent to an endpoint that a user's browser has named: over https to the known push services only, so that nobody makes the
 * platform connect to a host of their choice.
 */
export const isAllowedEndpoint = (endpoint: string, { hosts, allowsLoopback }: EndpointRules): boolean => {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  if (allowsLoopback && LOOPBACK.has(hostname)) return protocol === 'http:' || protocol === 'https:';
  return protocol === 'https:' && port === '' && hosts.some((pattern) => matches(hostname, pattern));
};
