export { type App, type Closer, createCloser } from './app.ts';
export { type Bound, bind } from './bind.ts';
export { closeServer } from './close-server.ts';
export { type ConnectionEnds, type ConnectionLife, createConnectionEnds } from './connection-ends.ts';
export { runMain } from './run-main.ts';
