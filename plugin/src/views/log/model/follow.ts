/** A scroll position this close to the end counts as at the end. */
const END_TOLERANCE_PX = 12;

interface ScrollPlace {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Whether the newest line is in sight: at the bottom of a log that runs down, at the top of one that runs up. */
export function isAtNewest({ scrollTop, scrollHeight, clientHeight }: ScrollPlace, order: 'asc' | 'desc'): boolean {
  return order === 'asc' ? scrollHeight - scrollTop - clientHeight <= END_TOLERANCE_PX : scrollTop <= END_TOLERANCE_PX;
}

/**
 * Following stops when the viewer scrolls away from the newest line, and resumes when the viewer scrolls back. The
 * panel's own scrolling changes nothing.
 */
export function followAfterScroll(
  isFollowing: boolean,
  isByHand: boolean,
  place: ScrollPlace,
  order: 'asc' | 'desc'
): boolean {
  return isByHand ? isAtNewest(place, order) : isFollowing;
}
