import { createRoot } from 'react-dom/client';
import { createHost } from './host.js';

void createHost().then((host) => createRoot(document.getElementById('page') as HTMLElement).render(host));
