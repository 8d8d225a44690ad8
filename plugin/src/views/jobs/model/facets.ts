import { listConfigValues } from '@joblens/core/metadata/config-values';
import type { FacetId } from '../../../frames/job-order.js';
import type { JobRow } from '../../parts/job-rows.js';

/** What a job has in such columns. */
export type Facets = ReadonlyMap<FacetId, string>;

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
