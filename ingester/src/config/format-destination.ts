import type { Destination } from './settings.js';

/** The name of a destination in messages. */
export function formatDestination(destination: Destination): string {
  switch (destination.kind) {
    case 'file':
      return destination.path;
    case 'stdout':
      return 'standard output';
    case 'influxdb':
      return `InfluxDB at ${destination.connection.url}`;
  }
}
