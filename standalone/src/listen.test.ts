import { type AddressInfo, createServer, type Server } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { listen } from './listen.js';

let occupier: Server;
let taken: number;
let server: FastifyInstance;
beforeEach(async () => {
  server = fastify();
  occupier = createServer();
  taken = await new Promise((resolve) =>
    occupier.listen(0, '127.0.0.1', () => resolve((occupier.address() as AddressInfo).port))
  );
});
afterEach(async () => {
  await server.close();
  await new Promise((resolve) => occupier.close(resolve));
});

const readAddress = (address: AddressInfo | string): string =>
  typeof address === 'string' ? address : address.address;

describe('listen', () => {
  it('refuses a port that was asked for and is in use, in one line', async () => {
    await expect(listen(server, taken)).rejects.toThrow(
      `Cannot listen on 127.0.0.1: port ${taken} is in use; choose another with --port N.`
    );
  });

  it('takes the next free port when none was asked for', async () => {
    const port = await listen(server, undefined, taken);
    expect(port).toBeGreaterThan(taken);
    expect(server.addresses()).toEqual([expect.objectContaining({ address: '127.0.0.1', port })]);
  });

  it('listens on 127.0.0.1 alone', async () => {
    const port = await listen(server, 0);
    expect(port).toBeGreaterThan(0);
    expect(server.addresses().map(readAddress)).toEqual(['127.0.0.1']);
  });
});
