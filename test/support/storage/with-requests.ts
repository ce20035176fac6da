import type { RequestStore } from '../../../src/requests/ports/ports.ts';
import type { Storage } from '../../../src/storage/storage.ts';

/** The override of a bot's storage that wraps its store of requests. */
export const withRequests =
  (wrap: (store: RequestStore) => RequestStore) =>
  (storage: Storage): Storage => ({ ...storage, requests: wrap(storage.requests) });
