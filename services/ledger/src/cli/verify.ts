import { readFileSync } from 'node:fs';
import { readPublishedHeads } from '@florin/evm/reserves';
import type { ShardAudit } from '../audit/verify-shard.ts';
import { LIMITS, verifyLedger } from './audit-ledger.ts';
import { CommandError } from './command-error.ts';
import type { OpenLedger } from './open-ledger.ts';
import { createProgressBar } from './progress-bar.ts';

/** Reads a kept copy of the published heads. @throws CommandError FILE_NOT_FOUND; FILE_BROKEN */
export const readKeptHeads = (path: string): ReturnType<typeof readPublishedHeads> => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CommandError('FILE_NOT_FOUND', `${path} cannot be read`, { cause });
  }
  try {
    return readPublishedHeads(text);
  } catch (cause) {
    throw new CommandError('FILE_BROKEN', `${path} is not a copy of /.well-known/ledger-heads`, { cause });
  }
};

export type VerifyCommand = {
  /** Copy of the published heads. */
  heads?: string | undefined;
  /** Prints the result as JSON. */
  json: boolean;
  /** Most accounts in memory at once. */
  maxAccounts?: number;
};

/** Audits every shard and prints what it found. @returns whether everything agrees. Reads only: the ledger may run meanwhile */
export const verify = async (ledger: OpenLedger, command: VerifyCommand, say: (line: string) => void): Promise<boolean> => {
  const kept = command.heads === undefined ? undefined : readKeptHeads(command.heads);
  const bars = new Map<string, ReturnType<typeof createProgressBar>>();
  const progress = (shard: string) => {
    const bar = createProgressBar(`shard ${shard}`, ledger.terminal);
    bars.set(shard, bar);
    return bar.show;
  };
  const sums = new Map<string, bigint>();
  const reports: (ShardAudit & { shard: string })[] = [];
  const limits = { ...LIMITS, ...(command.maxAccounts === undefined ? {} : { maxAccounts: command.maxAccounts }) };
  const tell = command.json ? () => undefined : say;
  for await (const report of verifyLedger({ ...ledger, ...(kept && { kept }), limits, progress })) {
    const { shard, start, blocks, entries, heads, bad } = report;
    bars.get(shard)?.end();
    reports.push(report);
    for (const [token, sum] of report.sums) sums.set(token, (sums.get(token) ?? 0n) + sum);
    const from = start === 0 ? '' : ` from block ${start + 1} on (earlier blocks are archived)`;
    const counts = `${blocks} blocks, ${entries} entries`;
    if (bad === undefined) tell(`ok    shard ${shard}: ${counts}${from}, ${heads} signed heads`);
    else tell(`FAIL  shard ${shard}: ${counts} before block ${bad.block}: ${bad.problem}`);
  }
  const bad = reports.find((report) => report.bad !== undefined)?.bad;
  const total = (key: 'blocks' | 'entries' | 'heads') => reports.reduce((sum, report) => sum + report[key], 0);
  const texts = Object.fromEntries([...sums].map(([token, sum]) => [token, sum.toString()]));
  if (command.json) {
    say(
      JSON.stringify({
        ok: bad === undefined,
        blocks: total('blocks'),
        entries: total('entries'),
        heads: total('heads'),
        bad,
        sums: texts,
      }),
    );
    return bad === undefined;
  }
  for (const [token, sum] of sums) say(`${sum === 0n ? 'ok  ' : 'FAIL'}  the sum of ${token} is ${sum}`);
  if (ledger.trusted.length === 0 && kept === undefined)
    say('heads were not checked: set LEDGER_HEAD_KEY, or name a kept copy with --heads');
  say(bad === undefined ? 'verified' : 'the journal and what is derived from it disagree');
  return bad === undefined;
};
