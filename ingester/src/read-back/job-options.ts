import { option } from '../config/option.js';
import { nonEmptyText } from '../config/value-types.js';

/** For subcommands that are given one job. */
export const USER_OF_JOB = {
  user: option('--user <name>', nonEmptyText, {
    help: 'owner of the job, where several users have one of this id',
  }),
};
