import { option } from '../../config/option.js';
import { anyText } from '../../config/value-types.js';

/** For subcommands that are given one job. */
export const USER_OF_JOB = {
  user: option('--user <name>', anyText, {
    completes: 'user',
    help: "owner of the job, where several users have one of this id; '' if it has none",
    isOwn: true,
  }),
};
