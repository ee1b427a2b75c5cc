import { resolve } from 'node:path';

/** The directory of the package. */
export const APP_DIR = resolve(import.meta.dirname, '..');

/** Where the gateway finds the built app. */
export const DIST_DIR = resolve(APP_DIR, 'dist');

/** Names the inputs that the files in `DIST_DIR` were built from. */
export const STAMP_FILE = resolve(DIST_DIR, 'inputs.sha256');
