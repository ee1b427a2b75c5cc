import { runBackOffice } from './back-office-program.ts';
import { processEnvironment } from './environment.ts';
import { runMain } from './run-main.ts';

/** `npm run back-office -- invite EMAIL --role ROLE` */
runMain(() => runBackOffice(process.argv.slice(2), processEnvironment()), process.exit);
