/** Calls `notify` after every change of what is shown; gives what ends that. */
export type Watch = (notify: () => void) => () => void;

/** Something that is told: its name, what it carries, and the number from which a lost connection goes on. */
export type LiveEvent = { event: string; data: unknown; n?: number };

/** Somebody who looks. */
export type Viewer = {
  send(text: string): void;
  gone: AbortSignal;
};

/** What is looked at. Numbers count in one sandbox, so ids name it, too: a browser may come from an earlier one. */
export type Live = {
  sandbox: string;
  watch: Watch;
  /** @param last the number of the newest event that the viewer has had, 0 at first */
  read(last: number): LiveEvent[];
};

/**
 * Tells a viewer what `read` gives now, and again after every change, until they leave. Changes that come at once are
 * told together; what has not changed is not repeated.
 *
 * @param after the id of the newest event that they have had
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
