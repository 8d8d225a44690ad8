import ReactDOM from 'react-dom';
import { createHost } from './host.js';

/** React 17 and older; the types are those of a newer one. */
const legacy = ReactDOM as unknown as { render(element: React.ReactNode, container: Element | null): void };

void createHost().then((host) => legacy.render(host, document.getElementById('page')));
