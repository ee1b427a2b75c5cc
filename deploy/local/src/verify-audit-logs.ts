import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AuditHead, auditShape, checkHeads, readAuditHeads } from '@florin/data/audit';
import { AUDIT_SCOPES } from '@florin/proto/audit/v1/scopes';
import { serviceTrustSchema } from '@florin/rpc/auth';
import { runBackOffice } from './back-office-program.ts';
import { PROCESS_NAMES, readConfig } from './config.ts';
import { keyPaths } from './keys.ts';
import { createOperatorCall, type OperatorCall } from './operator-call.ts';
import { readPlatformUrls } from './platform-urls.ts';
import { ROOT_DIR } from './run-main.ts';

const RPCS = 'florin.audit.v1.AuditService';
const SERVICES = PROCESS_NAMES.filter((name) => name !== 'gateway');

/** The audit log of a service. */
type Target = { service: string; call: OperatorCall };

type Verdict = { checkedTo?: string; hash?: string; firstBadSequence?: string; removedThrough?: string };

const verifyOnce = ({ call }: Target, after: Verdict): Promise<Verdict> =>
  call(`${RPCS}/VerifyAuditLog`, { afterSequence: after.checkedTo ?? '0', afterHash: after.hash ?? '' });

/** The hash of a record; undefined when there is none. */
const hashAt = async ({ call }: Target, sequence: number, last: number): Promise<string | undefined> => {
  if (sequence > last) return undefined;
  type Page = { events?: { sequence: string; hash: string }[] };
  const { events: [event] = [] } = await call<Page>(`${RPCS}/ListAuditEvents`, { afterSequence: String(sequence - 1), limit: 1 });
  return event?.sequence === String(sequence) ? event.hash : undefined;
};

/** Which records are intact, and where a log starts of which retention has removed the beginning. */
const rangeOf = (removedThrough: string, checkedTo: string): string => {
  if (removedThrough === '0') return `${checkedTo} records are intact`;
  return `records ${BigInt(removedThrough) + 1n} to ${checkedTo} are intact, those before were removed after their time`;
};

/** Signed heads to compare with, from kept output of processes. */
type Kept = { files: readonly string[]; heads: readonly AuditHead[]; trustFiles: readonly string[]; retentionDays: number };

const compareHeads = async (target: Target, kept: Kept, last: number, removedThrough: number): Promise<{ ok: boolean; text: string }> => {
  const heads = kept.heads.filter(({ service }) => service === target.service);
  if (heads.length === 0) return { ok: true, text: '' };
  const trusted = kept.trustFiles.flatMap((file) => serviceTrustSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).clients);
  const keys = trusted.flatMap(({ name, key, overlapKey }) => (name === target.service ? [key, ...(overlapKey ? [overlapKey] : [])] : []));
  const { retentionDays } = kept;
  const { ok, text } = await checkHeads(heads, keys, (sequence) => hashAt(target, sequence, last), { removedThrough, retentionDays });
  return { ok, text: `, ${text}` };
};

/** Verifies the whole log of a service, after a record whose hash was kept. @returns a line, and whether the log is intact */
const verify = async (target: Target, after: Verdict, kept: Kept): Promise<{ line: string; ok: boolean }> => {
  const { service } = target;
  let seen = after;
  for (;;) {
    const next = await verifyOnce(target, seen);
    if (next.firstBadSequence !== undefined && next.firstBadSequence !== '0') {
      return { line: `${service}: record ${next.firstBadSequence} is missing or was changed`, ok: false };
    }
    const { checkedTo = '0', removedThrough = '0' } = next;
    if (checkedTo === (seen.checkedTo ?? '0')) {
      const { ok, text } = await compareHeads(target, kept, Number(checkedTo), Number(removedThrough));
      return { line: `${service}: ${ok ? rangeOf(removedThrough, checkedTo) : 'changed'}${text} ${checkedTo}:${next.hash ?? ''}`, ok };
    }
    seen = { checkedTo, hash: next.hash ?? '' };
  }
};

/** Verifies the log of the back office in its database, because the process answers browsers only. @returns whether it is intact */
const verifyBackOffice = async (
  dataDir: string,
  env: NodeJS.ProcessEnv,
  after: string | undefined,
  { files, trustFiles }: Kept,
): Promise<boolean> => {
  const named = [...files.map((file) => ['--heads', file]), ...trustFiles.map((file) => ['--trust', file])];
  const args = ['verify-audit-log', ...(after === undefined ? [] : ['--after', after]), ...named.flat()];
  return (await runBackOffice(args, { ...env, FLORIN_DATA_DIR: dataDir })) === 0;
};

/** The output of the processes of the platform that has this data, the older files first. */
const logsOf = (dataDir: string): string[] => {
  const directory = join(dataDir, 'logs');
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => /\.log(\.1)?$/.test(name));
  return names.sort((a, b) => b.length - a.length).map((name) => join(directory, name));
};

/**
 * Verifies the audit logs of all services of the running platform and of its back office, or of `--service`. Each line ends with the sequence
 * and the hash of the last record; kept elsewhere and given as `--after`, they reveal a log that was rewritten or cut short since. So do the heads that
 * processes sign and write to their output: those in the platform's logs are compared too, or those in the files of `--heads`, which must have one of each log. Those signed by a key that was changed since need
 * the trust list of that time (`--trust`).
 * @param print takes each line; the program that verifies the back office's log prints its own
 * @returns true if every log is intact
 * @throws Error with a message for the operator
 */
export const verifyAuditLogs = async (args: readonly string[], env: NodeJS.ProcessEnv, print: (line: string) => void): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      service: { type: 'string' },
      after: { type: 'string' },
      heads: { type: 'string', multiple: true },
      trust: { type: 'string', multiple: true },
      'data-dir': { type: 'string' },
    },
  });
  const dataDir = values['data-dir'] ?? readConfig(env, ROOT_DIR).dataDir;
  const { keyFile, trustFile } = keyPaths(dataDir);
  const path = keyFile('operator');
  const files = values.heads ?? logsOf(dataDir);
  const kept: Kept = {
    files,
    heads: files.flatMap((file) => {
      const heads = readAuditHeads(readFileSync(file, 'utf8'));
      // Otherwise nothing would be compared, and the log would count as intact.
      if (heads.length === 0 && values.heads !== undefined) throw new Error(`There is no signed head in ${file}.`);
      return heads;
    }),
    trustFiles: [trustFile, ...(values.trust ?? [])],
    retentionDays: auditShape.AUDIT_RETENTION_DAYS.parse(env['AUDIT_RETENTION_DAYS']),
  };
  if (!existsSync(path))
    throw new Error(`There are no keys in ${dirname(path)}. Start the platform once with \`npm start\` to create them.`);
  const services = SERVICES.filter((name) => values.service === undefined || name === values.service);
  if (services.length === 0) throw new Error(`--service must be one of ${SERVICES.join(', ')}.`);
  if (values.after !== undefined && values.service === undefined) throw new Error('--after requires --service.');
  const last = /^(\d+):([0-9a-f]{64})$/.exec(values.after ?? '');
  if (values.after !== undefined && last === null)
    throw new Error('--after must be a sequence and a hash, as an earlier run printed them.');
  const after: Verdict = last === null ? {} : { checkedTo: last[1] ?? '', hash: last[2] ?? '' };
  const urls = readPlatformUrls(dataDir);
  let ok = true;
  for (const service of services) {
    const url = urls[service];
    if (url === undefined) {
      if (values.service !== undefined) throw new Error(`${service} is not part of the running platform.`);
      continue;
    }
    // Otherwise a log that was rewritten would count as intact where nothing was kept of it.
    if (values.heads !== undefined && !kept.heads.some((head) => head.service === service)) {
      print(`${service}: ${files.join(', ')} has no signed head of it; name others, or one log with --service`);
      ok = false;
    }
    if (service === 'back-office') {
      ok = (await verifyBackOffice(dataDir, env, values.after, kept)) && ok;
      continue;
    }
    const call = createOperatorCall(dataDir, service, [AUDIT_SCOPES.readEvents]);
    const verdict = await verify({ service, call }, after, kept);
    print(verdict.line);
    ok &&= verdict.ok;
  }
  return ok;
};
