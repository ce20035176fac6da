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
