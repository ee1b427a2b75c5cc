import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { httpNode } from '../src/viem/http-node.ts';
import { moveEverything, nextLeaveStep, type WalletTransaction } from '../src/viem/leave.ts';
import type { LeaveFile } from '../src/viem/leave-file.ts';
import { LEAVE_TEXTS } from '../src/viem/leave-texts.ts';

/** `npm run leave`: leaves without the platform, from a shell. It needs nobody: only the person's file, the key of their wallet and a node. */

const USAGE = 'npm run leave -- FILE --node URL [--key FILE] [--to ADDRESS [--token CONTRACT]...]';

/** Pause between two looks for a receipt. */
const POLL_MS = 1000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const readKey = async (file: string): Promise<PrivateKeyAccount> => {
  const text = (await readFile(file, 'utf8')).trim();
  // Nothing else may say what is wrong with it: that would show the key.
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Error(`${file} must hold a private key: 0x and 64 hex digits.`);
  return privateKeyToAccount(text as Hex);
};

/** Sends transactions of the account's owner one after the other. */
const senderOf = (url: string, key: PrivateKeyAccount, owner: string) => {
  if (key.address.toLowerCase() !== owner) throw new Error(`The account belongs to ${owner}, and the key is that of ${key.address}.`);
  const [wallet, node] = [
    createWalletClient({ account: key, transport: http(url) }),
    createPublicClient({ transport: http(url), pollingInterval: POLL_MS }),
  ];
  return async ({ to, data }: WalletTransaction): Promise<void> => {
    const hash = await wallet.sendTransaction({ chain: null, to: to as Hex, data: data as Hex });
    say(`Sent: ${hash}`);
    const { status } = await node.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error('The transaction has failed. Run the command again: it looks for the next step anew.');
  };
};

/** Takes one step after the other until there is something to wait for, or for the person to do. */
const leave = async (
  { plan, tokens }: LeaveFile,
  url: string,
  { key, to, more }: { key: PrivateKeyAccount | undefined; to: string | undefined; more: readonly string[] },
): Promise<void> => {
  const node = httpNode(url);
  const send = key && senderOf(url, key, plan.owner);
  /** @returns false when the person has to send it */
  const isSent = async (transaction: WalletTransaction): Promise<boolean> => {
    if (send !== undefined) await send(transaction);
    else say(`${JSON.stringify(transaction, null, 2)}\nSend it with your wallet, and run the command again.`);
    return send !== undefined;
  };
  for (;;) {
    const next = await nextLeaveStep(node, plan);
    if (next.step === 'wait') return say(`${LEAVE_TEXTS.wait} ${next.until.toISOString()}.`);
    say(LEAVE_TEXTS[next.step]);
    if (next.step === 'free') break;
    if (!(await isSent(next.transaction))) return;
  }
  if (to === undefined) return say('--to ADDRESS names the address that receives everything.');
  const everything = await moveEverything(node, plan, { tokens: [...tokens.map(({ contract }) => contract), ...more], to });
  if (everything === undefined) return say('The account holds nothing more.');
  if (await isSent(everything)) say(`Everything was moved to ${to}.`);
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: {
      node: { type: 'string' },
      key: { type: 'string' },
      to: { type: 'string' },
      token: { type: 'string', multiple: true, default: [] },
    },
    allowPositionals: true,
  });
  const [file] = positionals;
  const { node: url, key: keyFile, to, token: more } = values;
  if (file === undefined || url === undefined || positionals.length > 1) throw new Error(`usage: ${USAGE}`);
  if ([...(to === undefined ? [] : [to]), ...more].some((address) => !/^0x[0-9a-fA-F]{40}$/.test(address)))
    throw new Error('--to and --token take addresses: 0x and 40 hex digits.');
  const key = keyFile === undefined ? undefined : await readKey(keyFile);
  await leave(JSON.parse(await readFile(file, 'utf8')) as LeaveFile, url, { key, to, more });
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
