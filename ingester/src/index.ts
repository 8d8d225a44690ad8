export type { Clock } from './clock/clock.js';
export { createSystemClock } from './clock/clock.js';
export type { RenderedRow, ConsoleRenderer } from './render/console-renderer.js';
export { createConsoleRenderer } from './render/console-renderer.js';
export type { LogConfig, LogMode } from './rules/log-config.js';
