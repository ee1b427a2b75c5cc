import { run } from '../run.ts';

type Method = {
  name: string;
  options: { '[florin.options.v1.method]'?: { callers: string[]; scope?: string; partnerScope?: string; errors?: string[]; key?: string } };
};
type File = { name: string; package: string; service?: { name: string; method?: Method[] }[] };

const INTRODUCTION = `# RPCs

<!-- Generated from the contracts by \`npm run generate\`; do not edit. -->

Who may call each RPC, and the codes that are its own; the [contracts](../../proto/florin) say what it does, and
[proto/florin/options/v1](../../proto/florin/options/v1/options.proto) which codes follow from its other rules. A scope is that of a
service's token; a _process_ is a service client that is no person, a _partner_ one of a partner, about its own users.`;

/** Sections in the order in which a request meets the services; contracts that every service serves come last. */
const ORDER = ['identity', 'card', 'ledger', 'threeds', 'vault', 'chain', 'events', 'settlement', 'notifications', 'privacy', 'audit'];

const CALLERS: Readonly<Record<string, string>> = {
  CALLER_ANYONE: 'anyone',
  CALLER_WALLET: 'wallet',
  CALLER_USER: 'user',
  CALLER_SERVICE: 'service',
  CALLER_PROCESS: 'process',
};

const codes = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');

const rowOf = ({ name, options }: Method): string => {
  const { callers = [], scope, partnerScope, errors = [] } = options['[florin.options.v1.method]'] ?? {};
  const who = callers.map((caller) => CALLERS[caller] ?? caller).join(', ');
  const partners = partnerScope === undefined ? '' : `, partner \`${partnerScope}\``;
  return `| ${name} | ${who}${scope === undefined ? '' : ` \`${scope}\``}${partners} | ${codes(errors)} |`;
};

const rowsOf = ({ service = [] }: File): string[] =>
  service.flatMap(({ name, method = [] }) => [`| **${name}** | | |`, ...method.map(rowOf)]);

/** Generates the reference page of all RPCs, as Markdown. */
export const rpcsPage = async (): Promise<string> => {
  const { code, output } = await run('buf', ['build', '-o', '-#format=json']);
  if (code !== 0) throw new Error(output);
  const { file } = JSON.parse(output) as { file: File[] };
  const sections = ORDER.map((name) => {
    const files = file.filter((one) => one.package === `florin.${name}.v1`).sort((a, b) => (a.name < b.name ? -1 : 1));
    return `## ${name}\n\n| RPC | callers | errors |\n| --- | --- | --- |\n${files.flatMap(rowsOf).join('\n')}\n`;
  });
  return `${INTRODUCTION}\n\n${sections.join('\n')}`;
};
