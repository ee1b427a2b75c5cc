import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AUDIT_SCOPES } from '@florin/proto/audit/v1/scopes';
import { signServiceToken } from '@florin/rpc/auth';
import type { PlatformFetch } from '@florin/rpc/tls';
import { runBackOffice } from './back-office-program.ts';
import { PROCESS_NAMES, readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths, readPrivateKey } from './keys.ts';
import { operatorFetch } from './operator-fetch.ts';
import { readPlatformUrls } from './platform-urls.ts';
import { reasonOf } from './report.ts';

const TIMEOUT_MS = 10_000;
const SERVICES = PROCESS_NAMES.filter((name) => name !== 'gateway');

type Target = { url: string; platformFetch: PlatformFetch };

type Verdict = { checkedTo?: string; hash?: string; firstBadSequence?: string; removedThrough?: string };

/** Calls the RPC over the Connect protocol, which is plain JSON over HTTP and omits default values. */
const verifyOnce = async (service: string, { url, platformFetch }: Target, token: string, after: Verdict): Promise<Verdict> => {
  const body = { afterSequence: after.checkedTo ?? '0', afterHash: after.hash ?? '' };
  const response = await platformFetch(new URL('/florin.audit.v1.AuditService/VerifyAuditLog', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await response.json()) as Verdict & { message?: string };
  if (!response.ok)
    throw new Error(`${service} rejected the request with status ${response.status}: ${answer.message ?? 'no reason given'}.`);
  return answer;
};

/** Which records are intact, and where a log starts of which retention has removed the beginning. */
const rangeOf = (removedThrough: string, checkedTo: string): string => {
  if (removedThrough === '0') return `${checkedTo} records are intact`;
  return `records ${BigInt(removedThrough) + 1n} to ${checkedTo} are intact, those before were removed after their time`;
};

/** Verifies the whole log of a service, after a record whose hash was kept. @returns a line, and whether the log is intact */
const verify = async (service: string, target: Target, token: string, after: Verdict): Promise<{ line: string; ok: boolean }> => {
  let seen = after;
  for (;;) {
    const next = await verifyOnce(service, target, token, seen);
    if (next.firstBadSequence !== undefined && next.firstBadSequence !== '0') {
      return { line: `${service}: record ${next.firstBadSequence} is missing or was changed`, ok: false };
    }
    const checkedTo = next.checkedTo ?? '0';
    if (checkedTo === (seen.checkedTo ?? '0'))
      return { line: `${service}: ${rangeOf(next.removedThrough ?? '0', checkedTo)} ${checkedTo}:${next.hash ?? ''}`, ok: true };
    seen = { checkedTo, hash: next.hash ?? '' };
  }
};

/** Verifies the log of the back office in its database, because the process answers browsers only. @returns whether it is intact */
const verifyBackOffice = async (dataDir: string, after: string | undefined): Promise<boolean> => {
  const args = ['verify-audit-log', ...(after === undefined ? [] : ['--after', after])];
  return (await runBackOffice(args, { ...processEnvironment(), FLORIN_DATA_DIR: dataDir })) === 0;
};

/**
 * `npm run audit-log`: verifies the audit logs of all services of the running platform and of its back office, or of `--service`. Each line ends with the sequence
 * and the hash of the last record; kept elsewhere and given as `--after`, they reveal a log that was rewritten or cut short since.
 */
const main = async (): Promise<boolean> => {
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const { values } = parseArgs({ options: { service: { type: 'string' }, after: { type: 'string' }, 'data-dir': { type: 'string' } } });
  const dataDir = values['data-dir'] ?? readConfig(processEnvironment(), rootDir).dataDir;
  const path = keyPaths(dataDir).keyFile('operator');
  if (!existsSync(path))
    throw new Error(`There are no keys in ${dirname(path)}. Start the platform once with \`npm start\` to create them.`);
  const services = SERVICES.filter((name) => values.service === undefined || name === values.service);
  if (services.length === 0) throw new Error(`--service must be one of ${SERVICES.join(', ')}.`);
  if (values.after !== undefined && values.service === undefined) throw new Error('--after requires --service.');
  const kept = /^(\d+):([0-9a-f]{64})$/.exec(values.after ?? '');
  if (values.after !== undefined && kept === null)
    throw new Error('--after must be a sequence and a hash, as an earlier run printed them.');
  const after: Verdict = kept === null ? {} : { checkedTo: kept[1] ?? '', hash: kept[2] ?? '' };
  const urls = readPlatformUrls(dataDir);
  let ok = true;
  for (const service of services) {
    const url = urls[service];
    if (url === undefined) {
      if (values.service !== undefined) throw new Error(`${service} is not part of the running platform.`);
      continue;
    }
    if (service === 'back-office') {
      ok = (await verifyBackOffice(dataDir, values.after)) && ok;
      continue;
    }
    const token = await signServiceToken({ key: readPrivateKey(path), audience: service, scopes: [AUDIT_SCOPES.readEvents] });
    const verdict = await verify(service, { url, platformFetch: operatorFetch(dataDir, url) }, token, after);
    process.stdout.write(`${verdict.line}\n`);
    ok &&= verdict.ok;
  }
  return ok;
};

main().then(
  (ok) => {
    process.exitCode = ok ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
