import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findGo, runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { fakeClock } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlatform, type Platform } from '../../support/platform.ts';
import { pythonTools } from '../../support/python.ts';

const ROOT = join(import.meta.dirname, '../../..');
const INSTALL_MS = 600_000;
const RUN_MS = 240_000;

const report = (line: string) => void process.stdout.write(`${line}\n`);
const env = processEnvironment();

let platform: Platform;
let python: string | undefined;
let folder: string;
beforeAll(async () => {
  // Inside the checkout, so that programs in TypeScript find the package of wallets.
  folder = await mkdtemp(join(import.meta.dirname, '.story-'));
  [platform, python] = await Promise.all([
    // The programs of the guides read the machine's clock.
    openPlatform({ events: {}, clock: { ...fakeClock(), now: () => new Date() } }),
    pythonTools(['jwcrypto==1.6.1', 'requests==2.32.5', 'eth-account==0.13.7'], report),
  ]);
}, INSTALL_MS);
afterAll(async () => {
  await platform?.close();
  await rm(folder, { recursive: true, force: true });
});

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** The blocks of a served guide in a language, in their order. */
const blocksOf = async (name: string, language: string): Promise<string[]> => {
  const page = await (await fetch(`${platform.url}/docs/guides/${name}`)).text();
  const blocks = [...page.matchAll(new RegExp(`<pre><code class="language-${language}">([^<]*)</code></pre>`, 'g'))];
  expect(blocks.length, `${name} in ${language}`).toBeGreaterThan(0);
  return blocks.map(([, text = '']) => text.replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity));
};

const codeOf = async (names: readonly string[], language: string): Promise<string> =>
  (await Promise.all(names.map((name) => blocksOf(name, language)))).flat().join('\n');

/** Runs a program in a directory of its own, and tells how long it took. @returns its output */
const run = async (story: string, command: string, args: string[], cwd = folder): Promise<string> => {
  const began = performance.now();
  const output = await runStep({ command, args, cwd, env, timeoutMs: RUN_MS });
  report(`story: ${story}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return output.trim();
};

const newFolder = () => mkdtemp(join(folder, 'run-'));

/** With the shell's blocks of the guide for partners: a key, its registration, and `token`. */
const partnerScript = async (): Promise<string> =>
  `${await codeOf(['partners'], 'sh')}${(await codeOf(['partners'], 'bash')).replace('http://127.0.0.1:8080', platform.url)}`;

/** The platform knows of a new key within two seconds. */
const READ = 'until curl -sf "$API/events" -H "Authorization: Bearer $(token events.read)"; do sleep 0.2; done\n';

/** Starts the receiver of the guide, registers it, and orders a test event. */
const RECEIVE = `
manage() { curl -sf "$@" -H "Authorization: Bearer $(token 'webhooks.manage webhooks.read')"; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
endpoint=$(manage "$API/webhook-endpoints" -H 'content-type: application/json' -d '{"url":"http://127.0.0.1:'$port'/"}')
id=$(sed 's/.*"id":"\\([^"]*\\)".*/\\1/' <<<"$endpoint")
export WEBHOOK_SECRETS=$(sed 's/.*"secret":"\\([^"]*\\)".*/\\1/' <<<"$endpoint")
PORT=$port python3 receive.py &
trap "kill $!" EXIT
until curl -s -o receiver.txt "http://127.0.0.1:$port/"; do sleep 0.2; done
manage -X POST "$API/webhook-endpoints/$id/test"
until manage "$API/webhook-endpoints/$id/attempts" | tee attempts.json | grep -q '"webhook.test"'; do sleep 0.5; done
cat attempts.json`;

/** The parts of a page and of a wallet that the code for browsers uses. */
const WALLET = `
import { hexToString, isHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
globalThis.location = new URL('http://localhost:3000');
const account = privateKeyToAccount(generatePrivateKey());
const answers = {
  eth_requestAccounts: () => [account.address],
  personal_sign: ([message]) => account.signMessage({ message: isHex(message) ? hexToString(message) : message }),
  eth_signTypedData_v4: ([, text]) => {
    const { domain, types, primaryType, message } = JSON.parse(text);
    return account.signTypedData({ domain, types, primaryType, message: { ...message, nonce: BigInt(message.nonce) } });
  },
};
const ethereum = { request: async ({ method, params = [] }) => answers[method](params) };`;

const GO_MAIN = `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	florin "florin-client"
)

func main() {
	ctx := context.Background()
	wallet, err := florin.NewKeyWallet("")
	if err != nil {
		log.Fatal(err)
	}
	client := florin.New(os.Args[1])
	cardID, err := signUp(ctx, client, wallet)
	if err != nil {
		log.Fatal(err)
	}
	card, err := client.Cards.GetCard(ctx, florin.GetCardInput{CardID: cardID})
	if err != nil {
		log.Fatal(err)
	}
	details, err := reveal(ctx, client, wallet, cardID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(card.Last4, details.Pan[len(details.Pan)-4:])
	if err := setPIN(ctx, client, wallet, cardID, "4812"); err != nil {
		log.Fatal(err)
	}
	fmt.Println("set")
}
`;

describe('by the served guides', { timeout: RUN_MS }, () => {
  it('a partner comes from a new key to events with a shell', async () => {
    const output = await run('events of a partner', 'bash', ['-ec', (await partnerScript()) + READ], await newFolder());
    expect(output).toContain('"clientId"');
    expect(output).toContain('"checkpoint"');
  });

  it('a partner comes from a new key to a verified webhook', async () => {
    const home = await newFolder();
    await writeFile(join(home, 'receive.py'), await codeOf(['webhooks'], 'python'));
    const output = await run('verified webhook', 'bash', ['-ec', (await partnerScript()) + READ + RECEIVE], home);
    expect(output).toMatch(/"webhook\.test"[^}]*"status":204/);
  });

  it.for([
    { guides: ['quick-start-python'], shown: 'APPROVE this card payment', last: 'approved' },
    { guides: ['quick-start-python', 'card-data'], shown: 'SET a new PIN for this card', last: 'set: True' },
    { guides: ['quick-start-python', 'disputes'], shown: 'submitted', last: "['opened', 'chargeback', 'won'] won" },
    { guides: ['quick-start-python', 'dpop'], shown: 'APPROVE this card payment', last: 'with the key: 200 without: 401' },
    { guides: ['quick-start-python', '3ds'], shown: 'approved', last: 'True' },
  ])('a developer in Python comes through $guides', async ({ guides, shown, last }, { skip }) => {
    if (python === undefined) return skip('Python is not available');
    const file = join(await newFolder(), 'story.py');
    await writeFile(file, await codeOf(guides, 'python'));
    const output = await run(`Python, ${guides.join(' and ')}`, join(python, 'python'), [file, platform.url]);
    expect(output).toContain(shown);
    expect(output.split('\n').at(-1)).toBe(last);
  });

  it('a developer in Python makes the first signed-in call', async ({ skip }) => {
    if (python === undefined) return skip('Python is not available');
    const file = join(await newFolder(), 'story.py');
    const [start = '', signIn = '', register = ''] = await blocksOf('quick-start-python', 'python');
    await writeFile(file, `${start}${signIn}${register}print(call("GET", "/user")["email"] == email)\n`);
    expect(await run('first signed-in call', join(python, 'python'), [file, platform.url])).toBe('True');
  });

  it('a developer with a shell plays the quick start', async () => {
    const commands = (await codeOf(['quick-start-curl'], 'sh')).replace(/^API=.*$/m, `API=${platform.url}`);
    const output = await run('shell', 'bash', ['-euo', 'pipefail', '-c', commands], ROOT);
    for (const shown of [
      'APPROVE this card payment',
      '"spendable":"10000"',
      '"status":"approved"',
      '"clearedAmount":"4500"',
      '"refundedAmount":"500"',
      '"kind":"card_payment"',
    ])
      expect(output).toContain(shown);
    expect(output.endsWith('"success":true}')).toBe(true);
  });

  it.for([
    { guides: ['quick-start-browser', 'card-data'], more: '', last: 'set: true' },
    {
      guides: ['quick-start-browser', 'paging', 'events'],
      more: `const abort = new AbortController();
        const watching = watch((event, data) => {
          if (event === 'challenge' && data.challenge.status === 'pending') abort.abort();
          if (event === 'ready') call('POST', '/sandbox/3ds/challenges', payment);
        }, abort.signal);
        await watching;
        console.log('challenges:', (await all('/3ds/challenges')).length);`,
      last: 'challenges: 2',
    },
  ])('a web app comes through $guides', async ({ guides, more, last }) => {
    const file = join(await newFolder(), 'story.mjs');
    const code = (await codeOf(guides, 'js')).replace(/const API = .*;/, `const API = ${JSON.stringify(platform.url)};`);
    await writeFile(file, `${WALLET}\n${code}\n${more}`);
    const output = await run(`web app, ${guides.join(' and ')}`, process.execPath, [file]);
    expect(output.split('\n').at(-1)).toBe(last);
  });

  it('a developer in Go shows a card and sets its PIN', async ({ skip }) => {
    const go = findGo(env);
    if (go === undefined) return skip('Go is not available');
    const home = await newFolder();
    const client = join(ROOT, 'gateway/clients/go');
    const readme = [...(await readFile(join(client, 'README.md'), 'utf8')).matchAll(/^```go\n([\s\S]*?)^```/gm)].map(([, text]) => text);
    await writeFile(join(home, 'readme.go'), readme.join('').replace('func main() {', 'func readme() {'));
    await writeFile(join(home, 'card_data.go'), await codeOf(['card-data'], 'go'));
    await writeFile(join(home, 'main.go'), GO_MAIN);
    await writeFile(
      join(home, 'go.mod'),
      `module newcomer\n\ngo 1.24.0\n\nrequire florin-client v0.0.0\n\nreplace florin-client => ${client}\n`,
    );
    await cp(join(client, 'go.sum'), join(home, 'go.sum'));
    await runStep({ command: go, args: ['mod', 'tidy'], cwd: home, env, timeoutMs: RUN_MS });
    await runStep({ command: go, args: ['build', '-o', 'story', '.'], cwd: home, env, timeoutMs: RUN_MS });
    expect(await run('Go, card-data', join(home, 'story'), [platform.url], home)).toMatch(/^\d{4} \d{4}\nset$/);
  });
});
