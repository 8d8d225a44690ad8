// Icons are fetched by URL; jsdom has no server to fetch them from.
const React = require('react');

function InlineSvg({ innerRef, cacheRequests, preProcessor, src, ...props }) {
  return React.createElement('svg', { ref: innerRef, 'data-src': src, ...props });
}
module.exports = { __esModule: true, default: InlineSvg, cacheStore: {} };
