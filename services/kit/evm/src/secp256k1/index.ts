export { chooseRecoverer, theRecoverer } from './choose-recoverer.ts';
export { loadJavascriptRecoverer } from './javascript-recoverer.ts';
export { loadNativeRecoverer } from './native-recoverer.ts';
export type { Recoverer } from './recoverer.ts';
export { loadWasmRecoverer } from './wasm-recoverer.ts';
