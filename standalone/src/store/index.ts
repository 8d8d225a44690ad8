export type { InfluxApiOptions } from './http/http-api.js';
export { registerInfluxApi } from './http/http-api.js';
export type { Store, StoreOptions, WriteOutcome } from './kept/store.js';
export { createStore } from './kept/store.js';
