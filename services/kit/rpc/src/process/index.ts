export { type App, type Closer, createCloser } from './app.ts';
export { runMain } from './run-main.ts';
