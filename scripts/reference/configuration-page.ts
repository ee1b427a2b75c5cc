import type { z } from 'zod';
import { configShape as backOfficeShape } from '../../gateway/back-office/src/config.ts';
import { configShape as gatewayShape } from '../../gateway/src/config.ts';
import { configShape as cardShape } from '../../services/card/src/config.ts';
import { programShape } from '../../services/card/src/program-config.ts';
import { configShape as chainServiceShape } from '../../services/chain/src/config.ts';
import { configShape as eventsShape, webhooksShape } from '../../services/events/src/config.ts';
import { configShape as identityShape } from '../../services/identity/src/config.ts';
import { auditShape } from '../../services/kit/data/src/audit/index.ts';
import { fieldShape } from '../../services/kit/data/src/encryption/index.ts';
import { storeShape } from '../../services/kit/data/src/store/index.ts';
import { chainShape } from '../../services/kit/evm/src/chain/index.ts';
import { serviceShape } from '../../services/kit/rpc/src/config/index.ts';
import { configShape as ledgerShape } from '../../services/ledger/src/config.ts';
import { configShape as notificationsShape } from '../../services/notifications/src/config.ts';
import { configShape as settlementShape } from '../../services/settlement/src/config.ts';
import { configShape as threedsShape } from '../../services/threeds/src/config.ts';
import { configShape as vaultShape } from '../../services/vault/src/config.ts';
import { readComments, readVariables, type Variable } from './read-variables.ts';

const KIT = 'services/kit';
const SHARED_SOURCES = [
  `${KIT}/rpc/src/config/service.ts`,
  `${KIT}/data/src/store/store.ts`,
  `${KIT}/data/src/audit/audit-retention.ts`,
  `${KIT}/data/src/encryption/field-keys.ts`,
  `${KIT}/evm/src/chain/config.ts`,
];

const PROCESSES: readonly { name: string; source: string; shape: z.ZodRawShape }[] = [
  { name: 'gateway', source: 'gateway/src/config.ts', shape: gatewayShape },
  { name: 'identity', source: 'services/identity/src/config.ts', shape: identityShape },
  { name: 'card', source: 'services/card/src/config.ts', shape: cardShape },
  { name: 'ledger', source: 'services/ledger/src/config.ts', shape: ledgerShape },
  { name: 'threeds', source: 'services/threeds/src/config.ts', shape: threedsShape },
  { name: 'vault', source: 'services/vault/src/config.ts', shape: vaultShape },
  { name: 'chain', source: 'services/chain/src/config.ts', shape: chainServiceShape },
  { name: 'events', source: 'services/events/src/config.ts', shape: eventsShape },
  { name: 'webhooks', source: 'services/events/src/config.ts', shape: webhooksShape },
  { name: 'settlement', source: 'services/settlement/src/config.ts', shape: settlementShape },
  { name: 'notifications', source: 'services/notifications/src/config.ts', shape: notificationsShape },
  { name: 'back-office', source: 'gateway/back-office/src/config.ts', shape: backOfficeShape },
];

const PROGRAM_SOURCE = 'services/card/src/program-config.ts';

/** Shows the pattern of the services' own default names instead of one service's. */
const databaseShape = { ...storeShape, MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_<service>'), ...auditShape };

const GROUPS: readonly { title: string; text: string; shape: z.ZodRawShape }[] = [
  { title: 'Every process', text: 'Set by `npm start` on one machine, and by the operator elsewhere.', shape: serviceShape },
  { title: 'Every service', text: 'Each service has a database of its own. The gateway has none.', shape: databaseShape },
  {
    title: 'Identity, card, events, webhooks and notifications',
    text: 'The keys of encrypted fields; each service has its own, and webhooks those of events.',
    shape: fieldShape,
  },
  {
    title: 'Identity, threeds and chain',
    text: 'The nodes of chains on which signatures of smart wallets are checked, and tokens are watched.',
    shape: chainShape,
  },
];

/** Renders variables as a list: name, what it is when it is unset, meaning. */
const toList = (variables: readonly Variable[]): string =>
  variables.map(({ name, fallback, meaning }) => `- **\`${name}\`**${fallback === '' ? '' : ` (${fallback})`}: ${meaning}`).join('\n');

/** Addresses of the platform's own processes, which a process needs if it lists them, and whose meaning is their name. */
const ADDRESS = /^(?:IDENTITY|CARD|LEDGER|THREEDS|VAULT)_URL$/;

/**
 * Renders a process's variables; in one line those that it must have of other processes, and in one line for each earlier process those that it has with the same meaning.
 * @param known name, default and meaning of the variables of earlier processes, with the process; extended
 */
const toProcess = (process: string, variables: readonly Variable[], known: Map<string, string>): string => {
  const isAddress = ({ name, fallback }: Variable): boolean => ADDRESS.test(name) && fallback === 'required';
  const addresses = variables.filter(isAddress).map(({ name }) => `\`${name}\``);
  const own: Variable[] = [];
  const shared = new Map<string, string[]>();
  for (const variable of variables.filter((one) => !isAddress(one))) {
    const key = JSON.stringify(variable);
    const earlier = known.get(key);
    if (earlier === undefined) {
      known.set(key, process);
      own.push(variable);
    } else shared.set(earlier, [...(shared.get(earlier) ?? []), `\`${variable.name}\``]);
  }
  return [
    `## ${process}`,
    ...(addresses.length === 0 ? [] : [`Required addresses of services: ${addresses.join(', ')}.`]),
    toList(own),
    ...[...shared].map(([earlier, names]) => `As of ${earlier}: ${names.join(', ')}.`),
  ].join('\n\n');
};

const INTRODUCTION = `# Configuration

<!-- Generated from the processes' configuration by \`npm run generate\`; do not edit. -->

Every process reads its configuration from environment variables when it starts. With an invalid or missing value it exits with
code 78 and one line that names the variable and never contains its value. Each variable may also come from a file: \`<NAME>_FILE\` names
it, as mounted secrets do. An empty value counts as unset. In parentheses is the default.

With Node's own \`NODE_USE_ENV_PROXY=1\`, processes reach systems outside of the platform, mail servers included, through the proxy in \`HTTPS_PROXY\`, but for hosts that end as a name in
\`NO_PROXY\`. Calls between processes, MongoDB and Redis never take it.

The launcher behind \`npm start\` sets what the processes need on one machine and passes every other variable on to them;
[deploy/local](../../deploy/local/README.md) lists its own variables.`;

/** Generates the reference page of all configuration variables, as Markdown. */
export const configurationPage = async (): Promise<string> => {
  const shared = new Set(GROUPS.flatMap(({ shape }) => Object.keys(shape)));
  const sharedComments = await readComments(SHARED_SOURCES);
  const groups = GROUPS.map(({ title, text, shape }) => `## ${title}\n\n${text}\n\n${toList(readVariables(shape, sharedComments))}`);
  const known = new Map<string, string>();
  const processes: string[] = [];
  for (const { name, source, shape } of PROCESSES) {
    const own = Object.fromEntries(Object.entries(shape).filter(([variable]) => !shared.has(variable)));
    processes.push(toProcess(name, readVariables(own, await readComments([source])), known));
  }
  const members = readVariables(programShape, await readComments([PROGRAM_SOURCE]), Number.POSITIVE_INFINITY);
  const program = `## Card program\n\nThe members of the JSON object in \`CARD_PROGRAM\`.\n\n${toList(members)}`;
  return `${[INTRODUCTION, ...groups, ...processes, program].join('\n\n')}\n`;
};
