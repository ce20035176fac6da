/** Implements `countermand forget-person`. */
import { parseArgs } from 'node:util';
import type { Bot } from '../compose/bot.ts';
import { loadConfig } from '../config.ts';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { forgetPerson, type PersonForgotten } from '../requests/use-cases/forget-person.ts';
import { type Command, installationOf, isPersonId, mustBeKnown, UsageError, withBot } from './command.ts';
import { print } from './terminal.ts';

const OPTIONS = { workspace: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

export const forgetPersonCommand: Command = {
  usage: `  countermand forget-person U... --workspace T... [--json]
                              replaces the id of a person in ended requests, the audit trail and the settings; refused
                              while an open request or an approval policy names them. This cannot be undone. E...: in the
                              audit trail of an organization`,
  async run(args) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const workspace = installationOf(values);
    const person = personOf(positionals);
    await withBot(loadConfig(), async (bot, log) => {
      const { adapters, store, timings } = bot.context;
      await mustBeKnown(adapters, workspace);
      const { settings, storage } = adapters;
      const done = await adapters.recordAct(
        { workspace, by: [TERMINAL], act: 'forgot_person' },
        () => forgetPerson({ ...storage, store, settings, timings }, { workspace, person }),
        ({ type }) => (type === 'forgotten' ? type : undefined),
      );
      if (done.type === 'named') throw new Error(await namedText(bot, done));
      const { type: _, ...counts } = done;
      log.info({ workspace, user: TERMINAL, ...counts }, 'person forgotten');
      await print(values.json ? [JSON.stringify(counts)] : doneLines(counts));
    });
  },
};

/** @throws UsageError */
function personOf([id, ...more]: string[]): string {
  if (id && isPersonId(id) && more.length === 0) return id;
  throw new UsageError('Name one person by the id that Slack gives them (U...).');
}

const MOST_LINKED = 20;

async function namedText(
  { useCases }: Bot,
  { requests, policies }: Extract<PersonForgotten, { type: 'named' }>,
): Promise<string> {
  const links = await Promise.all(
    requests
      .slice(0, MOST_LINKED)
      .map(async (each) => `  request ${each.id}: ${(await useCases.links.toCard(each)) ?? 'no link'}`),
  );
  const more = requests.length > MOST_LINKED ? [`  and ${requests.length - MOST_LINKED} more`] : [];
  return [
    'Nothing was changed, because this person is still needed:',
    ...links,
    ...more,
    ...policies.map((kind) => `  the approval policy of ${kind}: change it with /countermand settings`),
    'End these requests, or wait until they have ended, and run this again.',
  ].join('\n');
}

type Done = Extract<PersonForgotten, { type: 'forgotten' }>;

const doneLines = ({ requests, auditEntries, settings }: Omit<Done, 'type'>): string[] => [
  `The id is replaced in requests (${requests}), in the audit trail (${auditEntries})${settings > 0 ? ', and in the settings' : ''}.`,
  'It may still stand where this command can not reach:',
  '  messages in Slack (delete them there), the log, AUDIT_FILE, exports and backups',
  '  notices to admins, until they expire; and who connected or installed the workspace, until somebody does so again',
  '  the order service',
];
