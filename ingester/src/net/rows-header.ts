/**
 * With this header, Joblens says that points of its request that name a job come with their rows, if they are rows: who
 * receives them makes none again. Others ignore it.
 */
export const ROWS_HEADER = 'x-joblens-rows';
