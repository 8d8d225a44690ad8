import { parseLostDatagrams } from './udp-losses.js';

const HEAD =
  '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops            \n';
const row = (address: string, drops: number): string =>
  ` 8104: ${address} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4035 2 00000000c1aa1c4a ${drops}          \n`;

describe('parseLostDatagrams', () => {
  it.each([
    ['our socket', HEAD + row('0100007F:1F9C', 17) + row('0100007F:1F9D', 4), 17],
    ['our socket over IPv6', HEAD + row('00000000000000000000000001000000:1F9C', 3), 3],
    ['several sockets on the port', HEAD + row('0100007F:1F9C', 1) + row('0200007F:1F9C', 2), 3],
    ['another port only', HEAD + row('1F9C007F:0035', 9), 0],
    ['nothing', HEAD, 0],
    ['a table without losses, as before Linux 2.6.28', '  sl  local_address ... inode\n', undefined],
  ])('reads %s', (_name, table, lost) => {
    expect(parseLostDatagrams(table, 8092)).toBe(lost);
  });
});
