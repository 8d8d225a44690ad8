export type { InfluxApiOptions } from './http-api.js';
export { registerInfluxApi } from './http-api.js';
export type { Store, StoreOptions, WriteOutcome } from './store.js';
export { createStore } from './store.js';
