import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
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

/** The linter's verdict on a file that exists for that time. */
const lintProbe = async (directory: string, text: string, options: readonly string[] = []): Promise<string> => {
  const file = `${directory}/boundary-probe.ts`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  try {
    const { output } = await run('biome', ['lint', ...options, '--max-diagnostics=5', '--vcs-enabled=false', file]);
    return output;
  } finally {
    await rm(file, { force: true });
  }
};

let failed = 0;
for (const [directory, source, why] of FORBIDDEN) {
  const output = await lintProbe(directory, `import '${source}';\n`, ['--only=style/noRestrictedImports']);
  if (output.includes('noRestrictedImports')) continue;
  failed += 1;
  process.stderr.write(`${directory} may import ${source}, although ${why}\n`);
}
for (const directory of ['services/kit/rpc/src/server', 'services/ledger/src/domain', 'gateway/src/http']) {
  const output = await lintProbe(directory, 'export const probe = {\n  get value() {\n    return 1;\n  },\n};\n');
  if (output.includes('hidden class')) continue;
  failed += 1;
  process.stderr.write(`${directory} may have accessors in object literals (scripts/lint/no-object-accessors.grit)\n`);
}
process.exitCode = failed === 0 ? 0 : 1;
