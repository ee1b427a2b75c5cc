import { run } from '../run.ts';

type Method = {
  name: string;
  options: { '[florin.options.v1.method]'?: { callers: string[]; scope?: string; partnerScope?: string; errors?: string[]; key?: string } };
};
type Location = { path?: number[]; leadingComments?: string };
type File = {
  name: string;
  package: string;
  service?: { name: string; method?: Method[] }[];
  sourceCodeInfo?: { location?: Location[] };
};

const INTRODUCTION = `# RPCs

<!-- Generated from the contracts by \`npm run generate\`; do not edit. -->

Who may call each RPC, and the codes that are its own; [proto/florin/options/v1](../../proto/florin/options/v1/options.proto) says which codes follow from
its other rules. A scope is that of a service's token; a _process_ is a service client that is no person, a _partner_ one of a partner, about its own users.`;

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

/** First clause of an RPC's comment, without its name; the contract has the rest. */
const purposeOf = (name: string, comment: string): string => {
  const text = comment.replaceAll(/\s+/g, ' ').trim();
  const [clause = ''] = text.split(/(?<=[.])\s(?=[A-Z])|[:;]\s/);
  return clause
    .replace(new RegExp(`^${name} `), '')
    .replace(/[.]$/, '')
    .replaceAll('|', '\\|');
};

const rowOf = ({ name, options }: Method, comment: string): string => {
  const { callers = [], scope, partnerScope, errors = [] } = options['[florin.options.v1.method]'] ?? {};
  const who = callers.map((caller) => CALLERS[caller] ?? caller).join(', ');
  const partners = partnerScope === undefined ? '' : `, partner \`${partnerScope}\``;
  return `| ${name} | ${who}${scope === undefined ? '' : ` \`${scope}\``}${partners} | ${purposeOf(name, comment)} | ${codes(errors)} |`;
};

const tablesOf = ({ service = [], sourceCodeInfo }: File): string[] =>
  service.map(({ name, method = [] }, at) => {
    const commentOf = (index: number): string =>
      sourceCodeInfo?.location?.find(({ path }) => String(path) === String([6, at, 2, index]))?.leadingComments ?? '';
    const rows = method.map((one, index) => rowOf(one, commentOf(index)));
    return `### ${name}\n\n| RPC | callers | purpose | errors |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });

/** Generates the reference page of all RPCs, as Markdown. */
export const rpcsPage = async (): Promise<string> => {
  const { code, output } = await run('buf', ['build', '-o', '-#format=json']);
  if (code !== 0) throw new Error(output);
  const { file } = JSON.parse(output) as { file: File[] };
  const sections = ORDER.map((name) => {
    const files = file.filter((one) => one.package === `florin.${name}.v1`).sort((a, b) => (a.name < b.name ? -1 : 1));
    return `## ${name}\n\n${files.flatMap(tablesOf).join('\n')}`;
  });
  return `${INTRODUCTION}\n\n${sections.join('\n')}`;
};
