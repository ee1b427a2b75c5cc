import { buildApp } from './build-app.ts';

/** `npm run build -w gateway/app` */
await buildApp((line) => void process.stdout.write(`${line}\n`));
