import { buildBackOffice } from './build-back-office.ts';

/** `npm run build -w gateway/back-office/pages` */
await buildBackOffice((line) => void process.stdout.write(`${line}\n`));
