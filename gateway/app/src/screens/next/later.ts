import { later } from '@florin/ui/parts/later.tsx';

/** In files of their own: who is signed out sees none of them, and most people who come back are through with the steps to a card. */
export const Home = later(async () => (await import('../home.tsx')).Home);
export const NextScreen = later(async () => (await import('./next-screen.tsx')).NextScreen);
