import { createElement, Fragment } from 'react';

/** What `react/jsx-runtime` offers, by the one function that React 17, 18 and 19 share. */
export function jsx(type, { children, ...props }, key) {
  const named = key === undefined ? props : { ...props, key };
  if (children === undefined) return createElement(type, named);
  return createElement(type, named, ...(Array.isArray(children) ? children : [children]));
}
export { jsx as jsxs, jsx as jsxDEV, Fragment };
