import type { Identity } from './identity.js';

/** What was asked, and what came of it. */
interface AuditEntry {
  readonly what: 'all' | 'refused';
  readonly rule?: string;
  readonly identity?: Pick<Identity, 'user' | 'way'>;
  readonly from: string;
  readonly query?: string;
}

export type Audit = (entry: AuditEntry) => void;

const MAX_QUERY_CHARS = 2000;

/** Writes one object of JSON a line, in ASCII, so that nothing in it can be taken for another line. */
export function createAudit(write: (line: string) => void, nowMs: () => number): Audit {
  return ({ what, rule, identity, from, query }) => {
    const entry = {
      time: new Date(nowMs()).toISOString(),
      ...{ what, rule, user: identity?.user, way: identity?.way, from },
      query: query?.slice(0, MAX_QUERY_CHARS),
    };
    write(`${JSON.stringify(entry).replace(/[^\x20-\x7e]/g, escape)}\n`);
  };
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
