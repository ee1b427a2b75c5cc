import { later } from '@florin/ui/parts/later.tsx';

/** In a file of its own, because most people who come back are through with it. */
export const NextScreen = later(async () => (await import('./next-screen.tsx')).NextScreen);
