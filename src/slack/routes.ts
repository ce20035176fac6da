/**
 * Collects every command, submission, button, options request and event that the bot answers: id -> listener. `/countermand`
 * leads to the subcommands of all features, or lists them.
 */
import { ACTIONS, COMMANDS, type EventName } from './blocks/ids.ts';
import { code, escaped, sections } from './blocks/text.ts';
import { approval } from './features/approval/index.ts';
import { connection } from './features/connection/index.ts';
import { customerReply } from './features/customer-reply/index.ts';
import { history, submissionOnHistory } from './features/history/index.ts';
import { actionOnHome, createPublishHome, home, submissionOnHome } from './features/home/index.ts';
import { lifecycle } from './features/lifecycle/index.ts';
import type {
  ActionArgs,
  Command,
  CommandArgs,
  EventArgs,
  Feature,
  Listener,
  ListenerDeps,
  Routes,
  Subcommand,
} from './features/listener.ts';
import { mention } from './features/mention/index.ts';
import { request } from './features/request/index.ts';
import { resolve } from './features/resolve/index.ts';
import { settings } from './features/settings/index.ts';
import { status } from './features/status/index.ts';
import { subBrands } from './features/sub-brands/index.ts';

/** The features, in the order in which the help text lists their commands. */
const FEATURES: readonly Feature[] = [
  request,
  subBrands,
  status,
  history,
  settings,
  connection,
  approval,
  resolve,
  customerReply,
  lifecycle,
  mention,
];

/** The buttons that act at once. A person's own page, on which they or their modal were opened, shows what has come of it. */
const ACTING = [
  ACTIONS.approve,
  ACTIONS.takeBack,
  ACTIONS.retry,
  ACTIONS.withdraw,
  ACTIONS.tryToken,
  ACTIONS.pauseSending,
  ACTIONS.resumeSending,
] as const;

export type SlackRoutes = Omit<Routes, 'subcommands' | 'events'> & {
  events: { [Name in EventName]: Listener<EventArgs<Name>> };
};

function collect(deps: ListenerDeps): <Part extends keyof Routes>(part: Part) => Routes[Part] {
  const features = FEATURES.map((feature) => feature(deps));
  return (part) => Object.assign({}, ...features.map((feature) => feature[part]));
}

/** The help text: of each command its usage and meaning, which need nothing that listeners need. */
export function commandLines(): string[] {
  const all = collect({} as ListenerDeps);
  return helpLines({ commands: all('commands'), subcommands: all('subcommands') });
}

export function slackRoutes(deps: ListenerDeps): SlackRoutes {
  const all = collect(deps);
  const publish = createPublishHome(deps);
  const own = home(deps, publish);
  const actions = all('actions');
  const acting = ACTING.map((id) => [
    id,
    actionOnHome(publish, deps.log, actions[id] as Listener<ActionArgs>),
  ]);
  const views = Object.entries(all('views')).map(([id, listener]) => [
    id,
    submissionOnHome(publish, submissionOnHistory(deps, listener)),
  ]);
  const commands = all('commands');
  const countermand = countermandCommand({ commands, subcommands: all('subcommands') });
  return {
    commands: { ...commands, [COMMANDS.countermand]: countermand },
    shortcuts: all('shortcuts'),
    views: Object.fromEntries(views),
    actions: { ...actions, ...Object.fromEntries(acting), ...own.actions },
    options: all('options'),
    // Each event has a listener: test/manifest.test.ts compares the table with the manifest.
    events: { ...all('events'), ...own.events } as SlackRoutes['events'],
  };
}

const HELP = 'help';

function countermandCommand({ commands, subcommands }: Pick<Routes, 'commands' | 'subcommands'>): Command {
  const help: Subcommand = {
    usage: '',
    meaning: 'shows this help.',
    run: (args) => tell(args, lines),
  };
  const all: Record<string, Subcommand> = { ...subcommands, [HELP]: help };
  const lines = helpLines({ commands, subcommands: all });
  return {
    usage: '[help]',
    meaning: 'shows the commands.',
    async listener(args) {
      const [name = '', rest = ''] = (args.command.text ?? '').trim().split(/\s+(.*)/s);
      if (name === '') return tell(args, [ownPage(args.command), ...lines]);
      // People write the word as they say it.
      const word = name.toLowerCase();
      const known = Object.hasOwn(all, word) ? all[word] : undefined;
      if (known) return known.run(args, rest.trim());
      const unknown = `I do not know “${escaped(`${COMMANDS.countermand} ${name}`)}”. This is what I can do:`;
      return tell(args, [unknown, ...lines]);
    },
  };
}

/** The address of the person's own page (https://docs.slack.dev/interactivity/deep-linking). */
function ownPage({ team_id, api_app_id }: CommandArgs['command']): string {
  const address = `slack://app?${new URLSearchParams({ team: team_id, id: api_app_id, tab: 'home' })}`;
  return `<${address}|Your page> has your requests, and what waits for you. These are the commands:`;
}

function helpLines({ commands, subcommands }: Pick<Routes, 'commands' | 'subcommands'>): string[] {
  const named = Object.entries(subcommands).map(
    ([name, subcommand]) => [`${COMMANDS.countermand} ${name}`, subcommand] as const,
  );
  return [...Object.entries(commands), ...named].map(
    ([name, { usage, meaning }]) => `• ${code(`${name} ${usage}`.trim())} ${meaning}`,
  );
}

const tell = ({ ack }: CommandArgs, lines: string[]): Promise<void> =>
  ack({ response_type: 'ephemeral', text: lines.join('\n'), blocks: sections(lines) });
