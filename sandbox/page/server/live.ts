/** Calls `notify` after every change of the view. Returns a function that ends this. */
export type Watch = (notify: () => void) => () => void;

/** An event of a live view: its name, its data, and the number after which a lost connection resumes. */
export type LiveEvent = { event: string; data: unknown; n?: number };

/** A connected browser. */
export type Viewer = {
  send(text: string): void;
  gone: AbortSignal;
};

/**
 * A live view. Ids name the sandbox besides the number, because a browser may come from an earlier sandbox that counted
 * anew.
 */
export type Live = {
  sandbox: string;
  watch: Watch;
  /** @param last the number of the newest event that the viewer has received, 0 at first */
  read(last: number): LiveEvent[];
};

/**
 * Sends a viewer the events of `read` now and after every change, until the viewer leaves. Changes in one turn are
 * sent together; an event whose data has not changed is not repeated.
 *
 * @param after the id of the newest event that the viewer has received
 */
export function sendUpdates(viewer: Viewer, { sandbox, watch, read }: Live, after: string | null): void {
  const sent = new Map<string, string>();
  let last = numberIn(after, sandbox);
  let isDue = false;

  function send({ event, data, n }: LiveEvent): void {
    const json = JSON.stringify(data);
    if (n === undefined && sent.get(event) === json) return;
    sent.set(event, json);
    last = n ?? last;
    viewer.send(`{"event":"${event}","id":${JSON.stringify(`${sandbox}/${last}`)},"data":${json}}`);
  }

  function sendAll(): void {
    isDue = false;
    if (!viewer.gone.aborted) for (const each of read(last)) send(each);
  }

  if (viewer.gone.aborted) return;
  const unwatch = watch(() => {
    if (!isDue) setImmediate(sendAll);
    isDue = true;
  });
  viewer.gone.addEventListener('abort', unwatch);
  sendAll();
}

function numberIn(id: string | null, sandbox: string): number {
  const [of, n] = String(id).split('/');
  return of === sandbox ? Number(n) : 0;
}
