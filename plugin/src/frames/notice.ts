import type { QueryResultMetaNotice } from '@grafana/data';

/** A remark that Grafana shows in the panel's corner. */
export function createNotice(text: string): QueryResultMetaNotice {
  return { severity: 'info', text };
}
