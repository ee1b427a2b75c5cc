import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createPublicClient, formatEther, type Hex, http, parseEther } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { httpNode } from '../src/viem/http-node.ts';
import { moveEverything, nextLeaveStep, type WalletTransaction } from '../src/viem/leave.ts';
import type { LeaveFile } from '../src/viem/leave-file.ts';
import { LEAVE_TEXTS, leftText } from '../src/viem/leave-texts.ts';
import { enteredMove, readLeaveFile } from '../src/viem/read-leave-file.ts';
import type { SafePlan } from '../src/viem/safe-calls.ts';

/** `npm run leave`: leaves without the platform, from a shell. It needs nobody: only the person's file, the key of their wallet and a node, which is not believed about money. */

const USAGE = 'npm run leave -- FILE --node URL [--key FILE] [--to ADDRESS [--token CONTRACT]...] [--max-fee COINS]';

/** Highest fee of one transaction, in the chain's own coin, unless `--max-fee` names another one. */
const MAX_FEE = '0.05';

/** Pause between two looks for a receipt. */
const POLL_MS = 1000;

/** Returns true for a node that nobody on the way can answer for: the same that the page may ask. */
const isNodeUrl = (url: string): boolean => {
  const { protocol, hostname } = URL.parse(url) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname ?? ''));
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Nothing that was given is repeated in a message: it may be a key. */
const read = (file: string, name: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new Error(`${name} names a file that cannot be read.`);
  });

const readKey = async (file: string): Promise<PrivateKeyAccount> => {
  const text = (await read(file, '--key')).trim();
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Error('--key names a file that must hold a private key: 0x and 64 hex digits.');
  return privateKeyToAccount(text as Hex);
};

/** Sends transactions of the account's owner one after the other, on the account's chain alone, and none that costs more than a fee. */
const senderOf = (url: string, key: PrivateKeyAccount, { owner, chainId }: SafePlan, maxFee: bigint) => {
  if (key.address.toLowerCase() !== owner) throw new Error(`The account belongs to ${owner}, and the key is that of ${key.address}.`);
  const node = createPublicClient({ transport: http(url), pollingInterval: POLL_MS });
  return async (call: WalletTransaction): Promise<void> => {
    const [to, data] = [call.to as Hex, call.data as Hex];
    const fees = await node.estimateFeesPerGas();
    const gas = await node.estimateGas({ account: key.address, to, data });
    const fee = gas * fees.maxFeePerGas;
    say(`Transaction on chain ${chainId} to ${to}, value 0, fee at most ${formatEther(fee)}`);
    if (fee > maxFee)
      throw new Error(
        `The node asks for more than ${formatEther(maxFee)}: nothing was sent. Ask another node, or allow it with --max-fee.`,
      );
    const nonce = await node.getTransactionCount({ address: key.address, blockTag: 'pending' });
    const { maxFeePerGas, maxPriorityFeePerGas } = fees;
    const serializedTransaction = await key.signTransaction({
      type: 'eip1559',
      chainId,
      to,
      data,
      gas,
      nonce,
      maxFeePerGas,
      maxPriorityFeePerGas,
    });
    const hash = await node.sendRawTransaction({ serializedTransaction });
    say(`Sent: ${hash}`);
    const { status } = await node.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error('The transaction has failed. Run the command again: it looks for the next step anew.');
  };
};

/** Takes one step after the other until there is something to wait for, or for the person to do. */
const leave = async (
  file: LeaveFile,
  url: string,
  { key, to, more, maxFee }: { key: PrivateKeyAccount | undefined; to: string | undefined; more: readonly string[]; maxFee: bigint },
): Promise<void> => {
  const { plan } = file;
  const move = to === undefined ? undefined : enteredMove(file, to, more);
  const node = httpNode(url);
  const send = key && senderOf(url, key, plan, maxFee);
  /** @returns false when the person has to send it */
  const isSent = async (transaction: WalletTransaction): Promise<boolean> => {
    if (send !== undefined) await send(transaction);
    else say(`${JSON.stringify(transaction, null, 2)}\nSend it with your wallet, and run the command again.`);
    return send !== undefined;
  };
  const taken = new Set<string>();
  for (;;) {
    const next = await nextLeaveStep(node, plan);
    if (next.step === 'wait') return say(`${LEAVE_TEXTS.wait} ${next.until.toISOString()}.`);
    say(LEAVE_TEXTS[next.step]);
    if (next.step === 'free') break;
    // No step is needed twice: a node that says so does not see what it has confirmed, or lies.
    if (taken.has(next.step))
      throw new Error('The node asks for a step that was taken. Run the command again later, or with another node.');
    taken.add(next.step);
    if (!(await isSent(next.transaction))) return;
  }
  if (move === undefined) return say('--to ADDRESS names the address that receives everything.');
  const { transaction, left } = await moveEverything(node, plan, move);
  if (left.length > 0) say(leftText(left).trim());
  if (transaction === undefined) return say(left.length > 0 ? 'Nothing was moved.' : 'The account holds nothing more.');
  say(`Move everything${left.length > 0 ? ' else' : ''} to ${move.to}.`);
  if (await isSent(transaction)) say(`Everything${left.length > 0 ? ' else' : ''} was moved to ${to}.`);
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: {
      node: { type: 'string' },
      key: { type: 'string' },
      to: { type: 'string' },
      token: { type: 'string', multiple: true, default: [] },
      'max-fee': { type: 'string', default: MAX_FEE },
    },
    allowPositionals: true,
  });
  const [file] = positionals;
  const { node: url, key: keyFile, to, token: more, 'max-fee': maxFee } = values;
  if (file === undefined || url === undefined || positionals.length > 1) throw new Error(`usage: ${USAGE}`);
  if (!isNodeUrl(url)) throw new Error('--node takes a URL: https://, or http:// of this machine (127.0.0.1 or localhost).');
  if (!/^\d{1,9}(?:\.\d{1,18})?$/.test(maxFee)) throw new Error("--max-fee takes an amount of the chain's own coin, such as 0.05.");
  const key = keyFile === undefined ? undefined : await readKey(keyFile);
  await leave(readLeaveFile(await read(file, 'FILE')), url, { key, to, more, maxFee: parseEther(maxFee) });
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
