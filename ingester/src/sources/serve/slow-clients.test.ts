import { join } from 'node:path';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { formatHead, serveClients } from './testing/open-clients.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

it('is not held up by heads and bodies that take too long: they are told so, and closed', async () => {
  await serveClients(joblens, ['--out', join(joblens.folder, 'out.lp')], async (_serve, open) => {
    const [silent, slowHead, slowBody] = [open(), open('POST /wr'), open(formatHead('Content-Length: 10'))];
    // Something comes all the time, but never all of it.
    const dripping = setInterval(() => slowHead.socket.write('x'), 500);
    const clients = [silent, slowHead, slowBody];
    await until(() => clients.every(({ closedMs }) => closedMs() !== undefined));
    clearInterval(dripping);
    expect(clients.map(({ received }) => received().slice(0, 12))).toEqual([
      expect.stringMatching(/^(HTTP\/1.1 408)?$/),
      'HTTP/1.1 408',
      'HTTP/1.1 408',
    ]);
    for (const { closedMs } of clients) expect(closedMs()).toBeGreaterThan(8000);
  });
});
