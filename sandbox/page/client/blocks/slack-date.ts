/** The forms of https://docs.slack.dev/messaging/formatting-message-text#date-formatting, in the reader's own time zone. */
const FORMS: Record<string, Intl.DateTimeFormatOptions> = {
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  date_long: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  time_secs: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

const DAY_MS = 86_400_000;

/**
 * Formats a time by a date token: `{date_short_pretty} at {time}`. Pretty dates say yesterday, today and tomorrow; `{ago}` is
 * relative to `now`.
 * @param seconds since the epoch
 */
export function formatSlackDate(seconds: number, format: string, now: number = Date.now()): string {
  return format.replace(/\{(\w+?)(_pretty)?\}/g, (token, form: string, pretty?: string) => {
    const at = seconds * 1000;
    if (form === 'ago') return ago(at, now);
    // YYYY-MM-DD, as Canada writes it.
    if (form === 'date_num') return new Intl.DateTimeFormat('en-CA').format(at);
    const options = FORMS[form];
    if (!options) return token;
    return (pretty && nearDay(at, now)) || new Intl.DateTimeFormat('en', options).format(at);
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
