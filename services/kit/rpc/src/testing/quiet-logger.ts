import { createLogger } from '../observe/index.ts';

export const quietLogger = createLogger('test', 'silent');
