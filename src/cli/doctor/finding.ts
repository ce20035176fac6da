/** Models what `countermand doctor` finds out. */

/** `unknown`: it could not be checked, and the text says how a person can. */
export type Status = 'ok' | 'warning' | 'problem' | 'unknown';

/** `text`: what was found and, unless it is ok, what to do. It holds no secret. */
export type Finding = { check: string; status: Status; text: string };

const finding =
  (status: Status) =>
  (check: string, text: string): Finding => ({ check, status, text });

export const ok = finding('ok');
export const warning = finding('warning');
export const problem = finding('problem');
export const unknown = finding('unknown');

const NOTABLE_OFFSET_MS = 30_000;

/** Tells how far a clock is ahead of another one, if that is notable. */
export function clockFinding(whose: string, offsetMs: number, other: string): Finding {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  if (seconds * 1_000 <= NOTABLE_OFFSET_MS) return ok('clock', `that of ${whose} agrees with ${other}`);
  const is = `${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} ${other}`;
  return warning('clock', `The clock of ${whose} is ${is}. Set it (NTP).`);
}
