/** Exit codes of the command itself; `run` exits as its command does. */
export const EXIT_OK = 0;
export const EXIT_FAILURE = 1;
export const EXIT_USAGE = 2;
