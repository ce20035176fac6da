import type { Live, LiveEvent } from '../view-model/live.ts';

/** A connected browser. */
export type Viewer = {
  send(text: string): void;
  gone: AbortSignal;
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
