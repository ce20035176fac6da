/** The core's port to a connected workspace whose settings nobody changes. */
import type { Settings, Workspaces } from '../../../src/requests/ports/ports.ts';

export const workspacesWith = (settings: Settings = {}): Workspaces => ({
  connection: async () => 'connected',
  settings: async () => settings,
  inForce: async () => ({ settings, version: undefined }),
});
