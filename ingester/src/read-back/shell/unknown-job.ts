export function formatUnknownJob(job: string): string {
  return `no job ${job} is stored there; joblens jobs --after 7d lists those of a week`;
}
