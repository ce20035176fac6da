/** The names under which lines of the log speak of a request. One name means one thing in every line (docs/running.md). */
import type { RequestRecord } from '../record.ts';

export type RequestFields = { request: string; workspace: string; target: string; user: string };

/** `target`: the order or offer; `user`: who requested it. */
export const fieldsOf = ({ id, workspace, target, asker }: RequestRecord): RequestFields => ({
  request: id,
  workspace,
  target,
  user: asker,
});
