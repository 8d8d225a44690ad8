import type { QueryResultMetaNotice } from '@grafana/data';

/** A remark that Grafana shows in the panel's corner. */
export function createNotice(text: string): QueryResultMetaNotice {
  return { severity: 'info', text };
}

/** A remark on what will not work as one may expect. */
export function createWarning(text: string): QueryResultMetaNotice {
  return { severity: 'warning', text };
}
