export { type Assets, assetsSchema, type Currency, DEFAULT_ASSETS, findToken, type Token } from './assets.ts';
