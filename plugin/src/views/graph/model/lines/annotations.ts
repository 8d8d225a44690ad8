import type { DataFrame } from '@grafana/data';
import { readFieldByName } from '../../../../frames/field-values.js';
import { findRowAt } from '../../../parts/hover.js';
import type { GraphLine, GraphModel } from './graphs.js';

/** A mark of the dashboard's: something that happened, at an instant or over a time. */
export interface Annotation {
  readonly timeMs: number;
  /** Undefined for an instant. */
  readonly endMs: number | undefined;
  readonly title: string;
  /** May hold HTML, which is not safe. */
  readonly text: string;
  readonly tags: readonly string[];
  /** A code, or a name of Grafana's. */
  readonly colour: string;
}

/** The colour that Grafana gives annotations without one. */
const DEFAULT_COLOUR = 'rgba(0, 211, 255, 1)';

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readTags(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return readText(value)
    .split(',')
    .filter((tag) => tag !== '');
}

/** The annotations in the frames that Grafana gives a panel (`data.annotations`); rows without a time are left out. */
export function readAnnotations(frames: readonly DataFrame[]): readonly Annotation[] {
  return frames.flatMap((frame) => {
    const read = (name: string): readonly unknown[] => readFieldByName(frame, name) ?? [];
    const [ends, titles, texts, tags] = [read('timeEnd'), read('title'), read('text'), read('tags')];
    const colours = read('color');
    return read('time').flatMap((timeMs, row): Annotation[] => {
      if (typeof timeMs !== 'number') return [];
      const endMs = ends[row];
      return [
        {
          timeMs,
          endMs: typeof endMs === 'number' && endMs > timeMs ? endMs : undefined,
          title: readText(titles[row]),
          text: readText(texts[row]),
          tags: readTags(tags[row]),
          colour: readText(colours[row]) || DEFAULT_COLOUR,
        },
      ];
    });
  });
}

/** An annotation and where it is on X. */
export interface PlacedAnnotation {
  readonly annotation: Annotation;
  readonly x: number;
  /** The end of a region. */
  readonly endX: number | undefined;
}

/** An instant may be this far from the rows, as a part of their time, and still belong to their first or last one. */
const MAX_DISTANCE_SHARE = 0.05;

/** The X of the row that is nearest in time. */
function findNearestX(lines: readonly GraphLine[], timeMs: number): number | undefined {
  let best: { readonly x: number; readonly distance: number } | undefined;
  for (const { xs, timesMs } of lines) {
    if (timesMs === undefined) continue;
    const row = findRowAt(timesMs, timeMs);
    for (const candidate of [row, row + 1]) {
      const [x, distance] = [xs[candidate], Math.abs((timesMs[candidate] ?? NaN) - timeMs)];
      if (x !== undefined && (best === undefined || distance < best.distance)) best = { x, distance };
    }
  }
  return best?.x;
}

function findTimes(lines: readonly GraphLine[]): { readonly fromMs: number; readonly toMs: number } {
  const firsts = lines.flatMap(({ timesMs }) => timesMs?.[0] ?? []);
  const lasts = lines.flatMap(({ timesMs }) => timesMs?.[timesMs.length - 1] ?? []);
  return { fromMs: Math.min(...firsts), toMs: Math.max(...lasts) };
}

/**
 * Where annotations are on the X of a graph: on time at their own time, else at the row nearest in time. One that is
 * far from all rows, as that of another job, is left out then.
 */
export function placeAnnotations(
  annotations: readonly Annotation[],
  { xKind, lines }: Pick<GraphModel, 'xKind' | 'lines'>
): readonly PlacedAnnotation[] {
  if (xKind === 'time') {
    return annotations.map((annotation) => ({ annotation, x: annotation.timeMs, endX: annotation.endMs }));
  }
  const bases = [...new Map(lines.map((line) => [line.xs, line])).values()];
  const { fromMs, toMs } = findTimes(bases);
  const roomMs = (toMs - fromMs) * MAX_DISTANCE_SHARE;
  return annotations.flatMap((annotation) => {
    const { timeMs, endMs = timeMs } = annotation;
    if (!(endMs >= fromMs - roomMs && timeMs <= toMs + roomMs)) return [];
    const [start, end] = [findNearestX(bases, timeMs), findNearestX(bases, endMs)];
    if (start === undefined || end === undefined) return [];
    const isRegion = annotation.endMs !== undefined;
    return [{ annotation, x: Math.min(start, end), endX: isRegion ? Math.max(start, end) : undefined }];
  });
}

/** The mouse on a plot, in pixels; `toLeft` says where an X is. */
interface Pointer {
  readonly leftPx: number;
  /** How far it is above the X axis. */
  readonly abovePx: number;
  readonly toLeft: (x: number) => number;
}

const NEAR_LINE_PX = 6;
/** A region is also found by its bar at the X axis. */
const NEAR_AXIS_PX = 14;

/** The annotations under the mouse, the nearest first. */
export function findAnnotationsAt(
  placed: readonly PlacedAnnotation[],
  { leftPx, abovePx, toLeft }: Pointer
): readonly Annotation[] {
  const found = placed.flatMap(({ annotation, x, endX }) => {
    const [start, end] = [toLeft(x), endX === undefined ? toLeft(x) : toLeft(endX)];
    const toLine = Math.min(Math.abs(start - leftPx), Math.abs(end - leftPx));
    const isOnBar = abovePx <= NEAR_AXIS_PX && leftPx >= start && leftPx <= end;
    return toLine <= NEAR_LINE_PX || isOnBar ? [{ annotation, distance: toLine }] : [];
  });
  return found.sort((a, b) => a.distance - b.distance).map(({ annotation }) => annotation);
}
