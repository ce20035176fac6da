/** Creates a source of strictly increasing message timestamps, in Slack's format of seconds and microseconds. */
export function createTimestamps(now: () => number): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, now() * 1000);
    return formatTs(last);
  };
}

const formatTs = (micros: number) =>
  `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`;

/** Compares two timestamps of any precision; a double is too coarse for them. */
export function compareTs(one: string, other: string): number {
  const [a, b] = [parseTs(one), parseTs(other)];
  return a.seconds - b.seconds || a.micros - b.micros;
}

function parseTs(ts: string) {
  const [seconds, fraction = ''] = ts.split('.');
  return { seconds: Number(seconds), micros: Number(fraction.padEnd(6, '0')) };
}

/** Whether a text has the form of a message timestamp. */
export const isTs = (text: string): boolean => /^\d{1,12}(\.\d{1,6})?$/.test(text);
