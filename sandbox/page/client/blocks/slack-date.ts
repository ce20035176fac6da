const DATE: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };
const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };

const DAY_MS = 86_400_000;

/**
 * Formats a time by the date tokens that the bot uses, in the reader's own time zone: `{date_short_pretty} at {time}`, with
 * yesterday, today and tomorrow by name, and `{ago}`, which is relative to `now`. Any other token stays as it is
 * (https://docs.slack.dev/messaging/formatting-message-text#date-formatting).
 * @param seconds since the epoch
 */
export function formatSlackDate(seconds: number, format: string, now: number = Date.now()): string {
  const at = seconds * 1000;
  return format.replace(/\{\w+\}/g, (token) => {
    switch (token) {
      case '{ago}':
        return ago(at, now);
      case '{time}':
        return new Intl.DateTimeFormat('en', TIME).format(at);
      case '{date_short_pretty}':
        return nearDay(at, now) ?? new Intl.DateTimeFormat('en', DATE).format(at);
      default:
        return token;
    }
  });
}

function nearDay(at: number, now: number): string | undefined {
  const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS);
  return { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' }[days];
}

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0);

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

function ago(at: number, now: number): string {
  const passed = at - now;
  const [unit, ms] = STEPS.find(([, size]) => Math.abs(passed) >= size) ?? ['second', 1000];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(passed / ms), unit);
}
