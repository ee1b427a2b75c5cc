import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';
import type { ServiceKey } from '@florin/rpc/auth';
import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { z } from 'zod';
import type { AuditLog } from './audit-log.ts';
import { removableBefore } from './audit-record.ts';

/**
 * A signed statement of a process: its audit log has this record, and everything before it. Written to the output of the process, which is kept
 * outside of the database, it reveals a log that is rewritten or cut short later. Digests have the form that survives the redaction of logs.
 */
const headSchema = z.object({
  service: z.string(),
  /** Sequence, hash and time of the record. */
  sequence: z.number().int().positive(),
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  /** Ed25519 over `headText`. */
  seal: z.string().regex(/^0x[0-9a-f]{128}$/),
});
export type AuditHead = z.output<typeof headSchema>;

type PublicKey = Pick<ServiceKey, 'kty' | 'crv' | 'x'>;

/** The signed text. Its first word keeps the signature from meaning anything else. */
const headText = ({ service, sequence, hash, at }: Omit<AuditHead, 'seal'>): Buffer =>
  Buffer.from(JSON.stringify(['florin-audit-head-1', service, sequence, hash, at]));

const signHead = (key: ServiceKey, head: Omit<AuditHead, 'seal'>): AuditHead => {
  const privateKey = createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
  return { ...head, seal: `0x${sign(null, headText(head), privateKey).toString('hex')}` };
};

/** Reports whether one of the process's keys signed the head. */
const isHeadSigned = (head: AuditHead, keys: readonly PublicKey[]): boolean =>
  keys.some(({ kty, crv, x }) =>
    verify(
      null,
      headText(head),
      createPublicKey({ key: { kty, crv, x } as JsonWebKey, format: 'jwk' }),
      Buffer.from(head.seal.slice(2), 'hex'),
    ),
  );

const lineSchema = z.union([
  z.object({ auditHead: headSchema }).transform(({ auditHead }) => [auditHead]),
  z.object({ heads: z.array(headSchema) }).transform(({ heads }) => heads),
]);

/** Undefined for a text that is not JSON, or has no heads. */
const headsIn = (text: string): AuditHead[] | undefined => {
  if (!text.includes('"seal"')) return undefined;
  try {
    return lineSchema.parse(JSON.parse(text.slice(text.indexOf('{'))));
  } catch {
    return undefined;
  }
};

/** Finds the heads in the output of processes, and in answers of `GET /.well-known/audit-heads`: one in a file, or each in a line. */
export const readAuditHeads = (output: string): AuditHead[] => headsIn(output) ?? output.split('\n').flatMap((line) => headsIn(line) ?? []);

/**
 * Compares a head with the record that the log has now.
 * @param hashAt hash of the record with a sequence; undefined when there is none
 * @param removed what retention has removed: up to which sequence, and before which time it may have done so
 */
const agreesWithHead = async (
  { sequence, hash, at }: AuditHead,
  hashAt: (sequence: number) => Promise<string | undefined>,
  removed: { through: number; before: Date },
): Promise<boolean> => {
  const stored = await hashAt(sequence);
  if (stored === undefined && sequence <= removed.through) return new Date(at) < removed.before;
  return stored !== undefined && `0x${stored}` === hash;
};

const INTERVAL_MS = 10 * 60_000;

/**
 * Signs the last record of the log every ten minutes while records are added. Nothing is signed any more once the log does not have the record that was
 * signed last: the signature must not cover a history that was rewritten.
 */
export const startAuditHeads = ({
  service,
  key,
  log,
  retentionDays,
  logger,
  intervalMs = INTERVAL_MS,
}: {
  service: string;
  key: ServiceKey;
  /** Days after which retention may have removed a record, 0 for none. */
  retentionDays: number;
  log: Pick<AuditLog, 'list' | 'lastSequence' | 'removedThrough'>;
  logger: Logger;
  intervalMs?: number;
}): Rounds & { newest: () => AuditHead | undefined } => {
  let signed: AuditHead | undefined;
  const recordAt = async (sequence: number) => {
    const [record] = await log.list({ afterSequence: sequence - 1, limit: 1 });
    return record?._id === sequence ? record : undefined;
  };
  const hashAt = async (sequence: number) => (await recordAt(sequence))?.hash;
  const rounds = startRounds({
    round: async () => {
      const last = await log.lastSequence();
      const through = await log.removedThrough();
      if (
        signed !== undefined &&
        !(await agreesWithHead(signed, hashAt, { through, before: removableBefore(retentionDays, new Date()) }))
      ) {
        logger.error({ sequence: signed.sequence }, 'the audit log does not have the record that was signed: run `npm run audit-log`');
        return;
      }
      const record = last === 0 || last === signed?.sequence ? undefined : await recordAt(last);
      if (record === undefined) return;
      signed = signHead(key, { service, sequence: last, hash: `0x${record.hash}`, at: record.at.toISOString() });
      logger.info({ auditHead: signed }, 'signed the head of the audit log');
    },
    intervalMs,
    logger,
    failed: 'signing the head of the audit log failed, will be repeated',
  });
  return { ...rounds, newest: () => signed };
};

/**
 * Compares the heads of a process with its log.
 * @param keys of the process, also those of earlier times: a head that none of them has signed shows nothing, and does not agree
 * @param retentionDays days after which retention may have removed a record, 0 for none
 * @returns a part of a sentence: how many agree, or which one does not
 */
export const checkHeads = async (
  heads: readonly AuditHead[],
  keys: readonly PublicKey[],
  hashAt: (sequence: number) => Promise<string | undefined>,
  { removedThrough, retentionDays }: { removedThrough: number; retentionDays: number },
): Promise<{ ok: boolean; text: string }> => {
  const before = removableBefore(retentionDays, new Date());
  // Each replica signs the same records.
  const distinct = [...new Map(heads.map((head) => [head.seal, head])).values()];
  const signed = distinct.filter((head) => isHeadSigned(head, keys));
  for (const head of signed) {
    if (await agreesWithHead(head, hashAt, { through: removedThrough, before })) continue;
    return { ok: false, text: `record ${head.sequence} is not the one of ${head.at} that was signed` };
  }
  const others = distinct.length - signed.length;
  const text = [
    `${signed.length} signed heads agree`,
    ...(others === 0 ? [] : [`${others} have the signature of another key (name earlier trust lists with --trust)`]),
  ].join(', ');
  return { ok: others === 0, text };
};
