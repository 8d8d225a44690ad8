import { nodeProject } from '../jest.config.base.mjs';

export default { ...nodeProject, displayName: 'client' };
