import { mkdir, rm, writeFile } from 'node:fs/promises';
import { run } from './run.ts';

/**
 * Proves that the import boundaries of biome.json, and the rule of our own, can fail: the linter must reject each of these forbidden imports in a probe file. A
 * boundary that accepts its probe protects nothing.
 */
const FORBIDDEN: readonly (readonly [file: string, source: string, why: string])[] = [
  ['services/card/src/domain', 'mongoose', 'domain is pure'],
  ['services/card/src/domain', 'redis', 'domain is pure'],
  ['services/ledger/src/domain', '@connectrpc/connect', 'domain is pure'],
  ['services/ledger/src/domain', '../store/probe.ts', 'domain is pure'],
  ['services/identity/src/handlers', 'mongoose', 'only store/ uses mongoose'],
  ['services/card/src/handlers', '@florin/ledger', 'services share contracts only'],
  ['services/threeds/src/clients', '@florin/identity', 'services share contracts only'],
  ['services/card/src', '../../ledger/src/app.ts', 'services share contracts only'],
  ['services/vault/src/domain', 'mongoose', 'domain is pure'],
  ['services/vault/src/handlers', '@florin/card', 'services share contracts only'],
  ['services/chain/src/domain', 'mongoose', 'domain is pure'],
  ['services/chain/src/watching', '@florin/ledger', 'services share contracts only'],
  ['services/events/src/domain', 'mongoose', 'domain is pure'],
  ['services/events/src/feed', '@florin/ledger', 'services share contracts only'],
  ['services/settlement/src/domain', 'mongoose', 'domain is pure'],
  ['services/settlement/src/clients', '@florin/card', 'services share contracts only'],
  ['services/notifications/src/domain', 'mongoose', 'domain is pure'],
  ['services/notifications/src/delivery', '@florin/events', 'services share contracts only'],
  ['gateway/src/routes', '@florin/card', 'the gateway calls services, it does not import them'],
  ['gateway/src/routes', 'mongoose', 'the gateway has no store'],
  ['gateway/src/routes', 'viem', 'the gateway has no chain'],
  ['gateway/src/routes', '@florin/data/store', 'the gateway has no store'],
  ['gateway/src/routes', '@florin/rpc/phone', 'the gateway leaves phone numbers to the services'],
  ['gateway/ui/src', 'node:crypto', 'the parts run in a browser'],
  ['gateway/ui/src', '@florin/client', 'the parts know nothing of the platform'],
  ['gateway/back-office/pages/src', 'node:crypto', 'the pages run in a browser'],
  ['gateway/back-office/pages/src', '@florin/back-office/config', 'the pages know the contract only'],
  ['gateway/app/src', 'node:crypto', 'the app runs in a browser'],
  ['gateway/app/src', '@florin/rpc/errors', 'the app knows the REST interface only'],
  ['gateway/webhooks/src', 'node:crypto', 'the package runs without Node'],
  ['gateway/webhooks/src', '@florin/proto/events/v1/event-types', 'the package has no dependencies'],
  ['gateway/client/src', 'node:crypto', 'the package runs without Node'],
  ['gateway/client/src', 'viem', 'only its entry viem knows viem'],
  ['gateway/client/src/viem', '@florin/proto/events/v1/event-types', 'the package has no dependencies but viem'],
  ['services/ledger/src/audit', '../domain/apply-entry.ts', 'the audit shares no code with the writer'],
  ['services/ledger/src/audit', '../journal/chain.ts', 'the audit shares no code with the writer'],
  ['services/ledger/src/heads', '../domain/block.ts', 'the audit shares no code with the writer'],
  ['services/ledger/src/audit', '../store/blocks.ts', 'the audit shares no code with the writer'],
  ['services/identity/src/domain', '@florin/evm/chain', 'domain is pure'],
  ['services/kit/rpc/src/server', '@florin/card', 'the kit contains no business rules'],
  ['services/kit/rpc/src/server', '@florin/data/redis', 'rpc uses no engine'],
  ['services/kit/rpc/src/server', 'mongoose', 'rpc uses no engine'],
  ['services/kit/evm/src/chain', 'redis', 'evm uses no engine'],
  ['services/kit/data/src/store', '@florin/ledger', 'the kit contains no business rules'],
];

/** A file that the linter must reject by a rule, and the words for when it does not. */
const PROBES = [
  ...FORBIDDEN.map(([directory, source, why]) => ({
    directory,
    text: `import '${source}';\n`,
    rule: 'lint/style/noRestrictedImports',
    accepted: `${directory} may import ${source}, although ${why}`,
  })),
  ...['services/kit/rpc/src/server', 'services/ledger/src/domain', 'gateway/src/http'].map((directory) => ({
    directory,
    text: 'export const probe = {\n  get value() {\n    return 1;\n  },\n};\n',
    rule: 'plugin',
    accepted: `${directory} may have accessors in object literals (scripts/lint/no-object-accessors.grit)`,
  })),
].map((probe, index) => ({ ...probe, file: `${probe.directory}/boundary-probe-${index}.ts` }));

const RULES = ['--only=style/noRestrictedImports', '--only=plugin'];

/** Judges the probes, which exist for that time. @returns the lines of the linter */
const lintProbes = async (): Promise<string[]> => {
  const files = PROBES.map(({ file }) => file);
  try {
    for (const { file, text, directory } of PROBES) {
      await mkdir(directory, { recursive: true });
      await writeFile(file, text);
    }
    const { output } = await run('biome', [
      'lint',
      ...RULES,
      '--reporter=github',
      '--max-diagnostics=none',
      '--vcs-enabled=false',
      ...files,
    ]);
    return output.split('\n');
  } finally {
    for (const file of files) await rm(file, { force: true });
  }
};

const verdicts = await lintProbes();
const accepted = PROBES.filter(({ file, rule }) => !verdicts.some((line) => line.includes(`title=${rule},file=${file},`)));
for (const probe of accepted) process.stderr.write(`${probe.accepted}\n`);
process.exitCode = accepted.length === 0 ? 0 : 1;
