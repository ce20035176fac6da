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
export function show(viewer: Viewer, { sandbox, watch, read }: Live, after: string | null): void {
  const told = new Map<string, string>();
  let last = numberIn(after, sandbox);
  let isDue = false;

  function tell({ event, data, n }: LiveEvent): void {
    const json = JSON.stringify(data);
    if (n === undefined && told.get(event) === json) return;
    told.set(event, json);
    last = n ?? last;
    viewer.send(`{"event":"${event}","id":${JSON.stringify(`${sandbox}/${last}`)},"data":${json}}`);
  }

  function tellAll(): void {
    isDue = false;
    if (!viewer.gone.aborted) for (const each of read(last)) tell(each);
  }

  if (viewer.gone.aborted) return;
  const unwatch = watch(() => {
    if (!isDue) setImmediate(tellAll);
    isDue = true;
  });
  viewer.gone.addEventListener('abort', unwatch);
  tellAll();
}

function numberIn(id: string | null, sandbox: string): number {
  const [of, n] = String(id).split('/');
  return of === sandbox ? Number(n) : 0;
}
