import type { ChainNode } from './chain-node.ts';
import { httpNode } from './http-node.ts';
import { moveEverything, nextLeaveStep, type WalletTransaction } from './leave.ts';
import type { LeaveFile } from './leave-file.ts';
import { LEAVE_TEXTS, leftText } from './leave-texts.ts';
import { enteredMove, readLeaveFile } from './read-leave-file.ts';

/** The script of `offline/leave.html`. The page needs nobody: neither the platform nor a server, only the person's file, wallet and a node. */

/** The part of a browser that is used. */
type Element = {
  value: string;
  textContent: string | null;
  hidden: boolean;
  disabled: boolean;
  addEventListener: (type: 'click', listener: () => void) => void;
};
const { document, ethereum } = globalThis as unknown as {
  document: { getElementById: (id: string) => Element };
  ethereum: ChainNode | undefined;
};
const at = (id: string): Element => document.getElementById(id);

const fileOf = (): LeaveFile => readLeaveFile(at('file').value);

/** The node at a URL, or else the wallet's. */
const nodeOf = (): ChainNode => {
  const url = at('node').value.trim();
  if (url === '') {
    if (ethereum === undefined)
      throw new Error('There is no wallet in this browser: enter the URL of a node, and send the transactions elsewhere.');
    return ethereum;
  }
  return httpNode(url);
};

/** The transaction that is shown, and the chain of its account. */
let shown: { transaction: WalletTransaction; chainId: number } | undefined;

const show = (text: string, next?: typeof shown): void => {
  shown = next;
  at('step').textContent = text;
  at('transaction').textContent = next === undefined ? '' : JSON.stringify(next.transaction, null, 2);
  at('send').hidden = next === undefined || ethereum === undefined;
};

/** Runs what a button does, and shows what goes wrong. */
const on = (id: string, work: () => Promise<void>): void =>
  at(id).addEventListener('click', () => {
    at(id).disabled = true;
    void work()
      .catch((error: unknown) => show(error instanceof Error ? error.message : String((error as { message?: unknown }).message ?? error)))
      .finally(() => {
        at(id).disabled = false;
      });
  });

on('look', async () => {
  const { plan } = fileOf();
  const next = await nextLeaveStep(nodeOf(), plan);
  at('moving').hidden = next.step !== 'free';
  if (next.step === 'wait') show(`${LEAVE_TEXTS.wait} ${next.until.toLocaleString()}.`);
  else show(LEAVE_TEXTS[next.step], next.step === 'free' ? undefined : { transaction: next.transaction, chainId: plan.chainId });
});

on('move', async () => {
  const file = fileOf();
  const more = at('tokens')
    .value.split(/[\s,]+/)
    .filter((text) => text !== '');
  const { transaction, left } = await moveEverything(nodeOf(), file.plan, enteredMove(file, at('to').value.trim(), more));
  const text = transaction === undefined ? 'There is nothing that can be moved.' : 'Move everything.';
  show(text + leftText(left), transaction && { transaction, chainId: file.plan.chainId });
});

on('send', async () => {
  if (shown === undefined || ethereum === undefined) return;
  const [sender] = (await ethereum.request({ method: 'eth_requestAccounts', params: [] })) as string[];
  const { transaction, chainId } = shown;
  if (sender?.toLowerCase() !== transaction.from) throw new Error(`Switch your wallet to ${transaction.from}, which owns the account.`);
  // A node's URL says nothing of where the wallet sends it.
  if (Number(await ethereum.request({ method: 'eth_chainId', params: [] })) !== chainId)
    throw new Error(`Switch your wallet to chain ${chainId}, on which the account is.`);
  const hash = await ethereum.request({ method: 'eth_sendTransaction', params: [transaction] });
  show(`Sent: ${String(hash)}. When it is mined, look for the next step.`);
});
