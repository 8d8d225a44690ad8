// What Grafana's packages expect of a browser and jsdom does not have.
if (typeof window !== 'undefined') {
  class ObserverStub {
    observe() {}
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return [];
    }
  }
  const query = (media) => ({
    matches: false,
    media,
    onchange: null,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
    dispatchEvent: () => false,
  });
  window.matchMedia ??= query;
  globalThis.ResizeObserver ??= ObserverStub;
  globalThis.IntersectionObserver ??= ObserverStub;
  HTMLCanvasElement.prototype.getContext = () => null;
  Element.prototype.scrollIntoView ??= () => {};
}
