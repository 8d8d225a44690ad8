'use strict';
/* global document */

/** In place of the package get-document, which slate-react needs and which has no licence. */
module.exports = (node) => node?.ownerDocument ?? (node?.nodeType === 9 ? node : document);
