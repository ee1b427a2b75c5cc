import { runCommand } from './run-on-engines.ts';

/** `npm run events -- <command>`. Only `archive` needs a database; everything else is files or a mistake. */
runCommand({ program: 'services/events/src/cli/main.ts', commands: ['archive'] });
