// jsdom with what every browser has and jsdom has not, taken from Node.
const { TestEnvironment } = require('jest-environment-jsdom');

class BrowserEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const { fetch, Headers, Request, Response, URL, URLSearchParams } = globalThis;
    // Node's fetch knows only its own URLSearchParams.
    Object.assign(this.global, { fetch, Headers, Request, Response, URL, URLSearchParams });
    const { MessagePort, structuredClone, TextDecoder, TextEncoder } = globalThis;
    Object.assign(this.global, { MessagePort, structuredClone, TextDecoder, TextEncoder });
  }
}
module.exports = BrowserEnvironment;
