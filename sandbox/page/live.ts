import type { HttpRequest } from '../lib/http-server.ts';

/** Calls `notify` after every change of what is shown; gives what ends that. */
export type Watch = (notify: () => void) => () => void;

/** An event of a stream: its name, what it carries, and the number from which a lost stream goes on. */
export type LiveEvent = { event: string; data: unknown; n?: number };

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
};

/** How long a browser waits before it connects again. */
const RETRY_MS = 500;

/**
 * Server-sent events: what `read` gives now, and again after every change, until the browser leaves. Changes that come
 * at once are told together; what has not changed is not repeated. `read` gets the number of the newest event that the
 * browser has had (0 at first). Numbers count in one sandbox, so ids name it, too: a browser may have been at another one
 * that had the same address.
 */
export function stream(
  request: HttpRequest,
  sandbox: string,
  watch: Watch,
  read: (last: number) => LiveEvent[],
): void {
  const write = request.client.stream(HEADERS);
  const told = new Map<string, string>();
  let last = numberIn(request.headers['last-event-id'], sandbox);
  let isDue = false;

  function tell({ event, data, n }: LiveEvent): void {
    const json = JSON.stringify(data);
    if (n === undefined && told.get(event) === json) return;
    told.set(event, json);
    last = n ?? last;
    write(`${n === undefined ? '' : `id: ${sandbox}/${n}\n`}event: ${event}\ndata: ${json}\n\n`);
  }

  function tellAll(): void {
    isDue = false;
    if (!request.client.gone.aborted) for (const each of read(last)) tell(each);
  }

  if (request.client.gone.aborted) return;
  write(`retry: ${RETRY_MS}\n\n`);
  const unwatch = watch(() => {
    if (!isDue) setImmediate(tellAll);
    isDue = true;
  });
  request.client.gone.addEventListener('abort', unwatch);
  tellAll();
}

function numberIn(id: string | string[] | undefined, sandbox: string): number {
  const [of, n] = String(id).split('/');
  return of === sandbox ? Number(n) : 0;
}
