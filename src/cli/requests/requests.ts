/** Implements `countermand requests`: lists, shows and retries the requests of a workspace. */
import { type Command, UsageError } from '../command.ts';
import { list } from './list.ts';
import { retry } from './retry.ts';
import { show } from './show.ts';

const ACTS: Record<string, (args: string[]) => Promise<void>> = { list, show, retry };

export const requests: Command = {
  usage: `  countermand requests list --workspace T... [--open] [--state STATE] [--kind KIND] [--requester U...]
                       [--limit N] [--json]
                              lists requests, the newest first (20, or as many as --limit says)
  countermand requests show ID --workspace T... [--json]
                              shows a request with its history
  countermand requests retry ID --workspace T... [--json]
                              sends a failed request again, as an admin may: approval, the limit of requests and a
                              pause hold as in Slack`,
  async run([name = '', ...args]) {
    const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined;
    if (!act) throw new UsageError('Say what to do with requests: list, show or retry.');
    await act(args);
  },
};
