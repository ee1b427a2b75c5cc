import type { IdentityConfig } from '../config.ts';
import { createFileMasterKeys } from './file-master-keys.ts';
import type { MasterKeys } from './master-keys.ts';

/** Chooses where the master keys are kept: the configuration of the process. */
export const chooseMasterKeys = ({ IDENTITY_MASTER_KEYS }: Pick<IdentityConfig, 'IDENTITY_MASTER_KEYS'>): MasterKeys =>
  createFileMasterKeys(IDENTITY_MASTER_KEYS);
