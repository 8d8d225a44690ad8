import { locationService } from '@grafana/runtime';

/** The parameter of the address that names a line by its time in nanoseconds. */
const LINE_PARAMETER = 'joblens-line';

/** The line that the page's address names. */
export function readLinkedTime(): bigint | undefined {
  const text = locationService.getSearch().get(LINE_PARAMETER) ?? '';
  return /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}

/** Puts the line into the page's address, so that the address can be copied; `undefined` takes it away. */
export function setLinkedTime(timeNs: bigint | undefined): void {
  locationService.partial({ [LINE_PARAMETER]: timeNs === undefined ? null : String(timeNs) }, true);
}
