import { listConfigValues } from '@joblens/core/metadata/config-values';
import type { JobRow } from '../../parts/job-rows.js';

/** A column by choice: a tag of the jobs, or a key of their configurations. */
export type FacetId = `tag:${string}` | `config:${string}`;

/** What a job has in such columns. */
export type Facets = ReadonlyMap<FacetId, string>;

const PATTERN = /^(?:tag|config):/;

export function isFacetId(value: unknown): value is FacetId {
  return typeof value === 'string' && PATTERN.test(value);
}

/** `model` of a tag, `config.lr` of a configuration. */
export function nameFacet(id: FacetId): string {
  return id.startsWith('tag:') ? id.slice('tag:'.length) : `config.${id.slice('config:'.length)}`;
}

/** @param config JSON, as stored; a nested object has its keys as `outer.inner` */
export function readFacets({ tags }: Pick<JobRow, 'tags'>, config: string | undefined): Facets {
  const ofTags = tags.map((tag) => {
    const [key = '', ...rest] = tag.split('=');
    return [`tag:${key}`, rest.join('=')] as const;
  });
  const ofConfig = listConfigValues(config).map(([key, value]) => [`config:${key}`, String(value)] as const);
  return new Map<FacetId, string>([...ofTags, ...ofConfig]);
}

/** Numbers sort as numbers, however they were written, and before texts. */
export function readSortable(text: string | undefined): number | string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
