import type { JobDescription } from '@joblens/core/schema/job-point';
import { readConfigFile } from '../config/read-config-file.js';
import type { Settings } from '../config/settings.js';
import type { Reporter } from '../host/report.js';

/**
 * The description of the job from the options and the scheduler, with the contents of its configuration file. A file
 * that cannot be read is reported and left out.
 */
export async function describeJob(settings: Settings, report: Reporter): Promise<JobDescription> {
  const { config: path } = settings.options;
  if (path === undefined) return settings.description;
  const config = await readConfigFile(path);
  if (config.ok) return { ...settings.description, config: config.value };
  report.warn(`${config.error}; the job is logged without it`);
  return settings.description;
}
