/**
 * The core's port to a connected workspace whose settings nobody changes. By default a person may make any number of requests.
 */
import type { Settings } from '../../../src/requests/model/settings.ts';
import type { Workspaces } from '../../../src/requests/ports/ports.ts';

export function workspacesWith(given: Settings = {}): Workspaces {
  const settings: Settings = { requestsPerHour: 'unlimited', ...given };
  return {
    connection: async () => 'connected',
    settings: async () => settings,
    inForce: async () => ({ settings, version: undefined }),
  };
}
