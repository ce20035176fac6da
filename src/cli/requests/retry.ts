/** Implements `countermand requests retry`: the button Retry, for the operator. */
import { parseArgs } from 'node:util';
import type { Bot } from '../../compose/bot.ts';
import { loadConfig } from '../../config.ts';
import { TERMINAL } from '../../requests/model/audit/audit-entry.ts';
import { fieldsOf, seenIn } from '../../requests/model/record.ts';
import type { ManualResult } from '../../requests/use-cases/resolve-manually.ts';
import { manualResultText } from '../../slack/features/resolve/result-text.ts';
import { print, workspaceOf } from '../command.ts';
import { plainText } from '../terminal-text.ts';
import { withBot } from '../with-bot.ts';
import { idOf, notFound } from './id.ts';

const OPTIONS = { workspace: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

export async function retry(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const workspace = workspaceOf(values);
  const id = idOf(positionals);
  await withBot(loadConfig(), async (bot, log) => {
    const { storage, outside } = bot.context.adapters;
    const found = await storage.requests.get({ workspace, id });
    if (!found) throw notFound(id);
    const who = { workspace, id, by: TERMINAL, seen: seenIn(found.record), click: outside.runtime.uuid() };
    const result = await bot.useCases.resolveManually(who, 'retry');
    if (result.type !== 'done') throw new Error(await whyNot(bot, result));
    const { state } = result.record;
    log.info({ ...fieldsOf(result.record), user: TERMINAL, state }, 'request retried');
    print(
      values.json
        ? [JSON.stringify({ request: id, workspace, state })]
        : [
            state === 'awaiting_approval'
              ? `Request ${id} awaits approval again. Nothing is sent until the approvers approve.`
              : `Request ${id} is queued. The bot sends it within seconds, if it runs.`,
          ],
    );
  });
}

async function whyNot({ useCases }: Bot, result: Exclude<ManualResult, { type: 'done' }>): Promise<string> {
  const link = 'by' in result ? await useCases.links.toCard(result.by) : undefined;
  return plainText(manualResultText(result, link));
}
