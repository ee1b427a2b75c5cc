import { runBackOffice } from './back-office-program.ts';
import { processEnvironment } from './environment.ts';
import { reasonOf } from './report.ts';

/** `npm run back-office -- invite EMAIL --role ROLE` */
runBackOffice(process.argv.slice(2), processEnvironment()).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
