/* global __webpack_public_path__:writable */
import amdMetaModule from 'amd-module';

if (amdMetaModule && amdMetaModule.uri) {
  __webpack_public_path__ = amdMetaModule.uri.slice(0, amdMetaModule.uri.lastIndexOf('/') + 1);
}
