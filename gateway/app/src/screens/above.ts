import { later } from '@florin/ui/parts/later.tsx';

/** The layers above a screen, each in a file of its own. */
export const Approval = later(async () => (await import('./approve/approval.tsx')).Approval);
export const OutsideWorld = later(async () => (await import('./sandbox/outside-world.tsx')).OutsideWorld);
export const Preferences = later(async () => (await import('@florin/ui/parts/preferences.tsx')).Preferences);
