import { openLedger } from './open-ledger.ts';
import { rebuild } from './rebuild.ts';
import { verify } from './verify.ts';

const USAGE = 'usage: npm run ledger -- verify | rebuild';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Exit code 0: done, and everything agrees. 1: something disagrees or failed. 2: not understood. */
const main = async (): Promise<number> => {
  const [command, ...rest] = process.argv.slice(2);
  if ((command !== 'verify' && command !== 'rebuild') || rest.length > 0) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const ledger = await openLedger();
  try {
    if (command === 'verify') return (await verify(ledger, say)) ? 0 : 1;
    await rebuild(ledger, say);
    return 0;
  } finally {
    await ledger.close();
  }
};

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`ledger: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
