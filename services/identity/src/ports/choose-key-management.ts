import type { IdentityConfig } from '../config.ts';
import { createFileKeyManagement } from './file-key-management.ts';
import type { KeyManagement } from './key-management.ts';

/** Chooses where the master keys are kept: the configuration of the process. */
export const chooseKeyManagement = ({ IDENTITY_MASTER_KEYS }: Pick<IdentityConfig, 'IDENTITY_MASTER_KEYS'>): KeyManagement =>
  createFileKeyManagement(IDENTITY_MASTER_KEYS);
