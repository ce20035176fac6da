import type { HttpRequest } from '../lib/http-server.ts';

/** Calls `notify` after every change of what is shown; gives what ends that. */
export type Watch = (notify: () => void) => () => void;

/** An event of a stream: its name, what it carries, and the id from which a lost stream goes on. */
export type LiveEvent = { event: string; data: unknown; id?: number };

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
};

/** How long a browser waits before it connects again. */
const RETRY_MS = 500;

/**
 * Server-sent events: what `read` gives now, and again after every change, until the browser leaves. Changes that come
 * at once are told together; what has not changed is not repeated. `read` gets the id of the newest event that the
 * browser has had (0 at first).
 */
export function stream(request: HttpRequest, watch: Watch, read: (lastId: number) => LiveEvent[]): void {
  const write = request.client.stream(HEADERS);
  const told = new Map<string, string>();
  let lastId = Number(request.headers['last-event-id'] ?? 0) || 0;
  let isDue = false;

  function tell({ event, data, id }: LiveEvent): void {
    const json = JSON.stringify(data);
    if (id === undefined && told.get(event) === json) return;
    told.set(event, json);
    lastId = id ?? lastId;
    write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`);
  }

  function tellAll(): void {
    isDue = false;
    if (!request.client.gone.aborted) for (const each of read(lastId)) tell(each);
  }

  write(`retry: ${RETRY_MS}\n\n`);
  const unwatch = watch(() => {
    if (!isDue) setImmediate(tellAll);
    isDue = true;
  });
  request.client.gone.addEventListener('abort', unwatch);
  tellAll();
}
