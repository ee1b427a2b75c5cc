export { type App, type Closer, createCloser } from './app.ts';
export { type Bound, bind } from './bind.ts';
export { runMain } from './run-main.ts';
