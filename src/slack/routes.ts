/**
 * Collects the routes of all features, by the name that Slack sends: commands, shortcuts, submissions, buttons, requests for
 * options, and events. `/countermand` runs the subcommand that its text names, or lists all commands.
 */
import { KIND_NAMES } from '../requests/model/kinds.ts';
import { personProblem } from '../requests/use-cases/who-may.ts';
import { ACTIONS, COMMANDS } from './blocks/ids.ts';
import { code, escaped, listed, type Message, sections, textMessage, truncate } from './blocks/text.ts';
import { approval } from './features/approval.ts';
import { connection } from './features/connection/index.ts';
import { customerReply } from './features/customer-reply.ts';
import { history, redrawHistory } from './features/history.ts';
import { actionOnHome, createPublishHome, home, redrawHome } from './features/home/index.ts';
import { lifecycle } from './features/lifecycle.ts';
import { mention } from './features/mention.ts';
import { request } from './features/request/index.ts';
import { resolve } from './features/resolve.ts';
import { settings } from './features/settings/index.ts';
import { status } from './features/status.ts';
import { subBrands } from './features/sub-brands.ts';
import { answerCommand } from './listeners/answers.ts';
import {
  type ActionArgs,
  type CommandArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type Routes,
  workspaceOf,
} from './listeners/listener.ts';
import { submissionOver } from './listeners/marks.ts';
import { personSentence } from './messages/sentences/problems.ts';
import { KIND_COPY } from './messages/sentences/request-words.ts';

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

/**
 * The buttons and menus after which the Home tab is drawn anew, if the click was there or in a modal opened there: those that act
 * at once, and those that open a form about a request, which may be refused because the request has moved on since the tab was
 * drawn.
 */
const DRAWN_AFTER = [
  ACTIONS.approve,
  ACTIONS.takeBack,
  ACTIONS.retry,
  ACTIONS.withdraw,
  ACTIONS.tryToken,
  ACTIONS.pauseSending,
  ACTIONS.resumeSending,
  ACTIONS.decline,
  ACTIONS.recordOutcome,
  ACTIONS.requestAgain,
  ACTIONS.historyMenu,
] as const;

export type SlackRoutes = Omit<Routes, 'commands' | 'subcommands'> & {
  commands: Record<string, Listener<CommandArgs>>;
};

function collect(deps: ListenerDeps): <Part extends keyof Routes>(part: Part) => Routes[Part] {
  const features = FEATURES.map((feature) => feature(deps));
  return (part) => Object.assign({}, ...features.map((feature) => feature[part]));
}

export function slackRoutes(deps: ListenerDeps): SlackRoutes {
  const all = collect(deps);
  const publish = createPublishHome(deps);
  const onHome = home(deps, publish);
  const actions = all('actions');
  const acting = DRAWN_AFTER.map((id) => [
    id,
    actionOnHome(publish, deps.log, actions[id] as Listener<ActionArgs>),
  ]);
  const redrawBeneath = { home: redrawHome(publish), history: redrawHistory(deps) };
  const views = Object.entries(all('views')).map(([id, listener]) => [
    id,
    submissionOver(listener, redrawBeneath),
  ]);
  const commands = all('commands');
  const listeners = Object.entries(commands).map(([name, { run }]): [string, Listener<CommandArgs>] => [
    name,
    (args) => run(args, args.command.text.trim()),
  ]);
  return {
    commands: {
      ...Object.fromEntries(listeners),
      [COMMANDS.countermand]: countermandCommand(deps, commands, all('subcommands')),
    },
    shortcuts: all('shortcuts'),
    views: Object.fromEntries(views),
    actions: { ...actions, ...Object.fromEntries(acting), ...onHome.actions },
    options: all('options'),
    events: { ...all('events'), ...onHome.events },
  };
}

const HELP = 'help';

function countermandCommand(
  deps: ListenerDeps,
  commands: Routes['commands'],
  subcommands: Routes['subcommands'],
): Listener<CommandArgs> {
  const lines = helpLines(commands, subcommands);
  const known = new Map(Object.entries(subcommands));
  return async (args) => {
    const [typed = '', rest = ''] = args.command.text.trim().split(/\s+(.*)/s);
    // People may write the word in capitals.
    const name = typed.toLowerCase();
    const subcommand = known.get(name);
    if (subcommand) return subcommand.run(args, rest.trim());
    const first = name === '' ? homeText(args.command) : unknownText(typed);
    return answerCommand(deps, args, helpFor(deps, args, name === HELP ? lines : [first, ...lines]));
  };
}

/** The help is no secret: while Slack does not say who asks for it, it is shown. */
async function helpFor(
  { directory, log }: ListenerDeps,
  { command, context }: CommandArgs,
  lines: string[],
): Promise<Message> {
  const workspace = workspaceOf(context);
  const problem = await directory
    .person(workspace, command.user_id)
    .then(personProblem)
    .catch((err) => void log.warn({ err, workspace }, 'help shown to an unknown person'));
  return problem ? textMessage(personSentence(problem)) : { text: lines.join('\n'), blocks: sections(lines) };
}

/** All that `/countermand` answers by itself: the help, the way to the Home tab, and that it does not know a subcommand. */
export function countermandTexts(): string[] {
  // The usage and the meaning of a command need none of the dependencies of its listener.
  const all = collect({} as ListenerDeps);
  return [
    ...helpLines(all('commands'), all('subcommands')),
    homeText({ team_id: 'T1', api_app_id: 'A1' }),
    unknownText('cancel'),
  ];
}

function helpLines(commands: Routes['commands'], subcommands: Routes['subcommands']): string[] {
  const help = { ...subcommands, [HELP]: { usage: '', meaning: 'shows this help.' } };
  const named = Object.entries(help).map(
    ([name, subcommand]) => [`${COMMANDS.countermand} ${name}`, subcommand] as const,
  );
  const lines = [...Object.entries(commands), ...named].map(
    ([name, { usage, meaning }]) => `• ${code(`${name} ${usage}`.trim())} ${meaning}`,
  );
  return [...lines, `• ${MESSAGE_MENU}`];
}

/** The shortcuts of a message, as manifest.yml names them. */
const MESSAGE_MENU = `In the menu ⋮ of a message: ${listed(KIND_NAMES.map((kind) => `*${KIND_COPY[kind].title}*`))}. The form finds the id in the message.`;

/** Links the Home tab of the person (https://docs.slack.dev/interactivity/deep-linking). */
function homeText({ team_id, api_app_id }: Pick<CommandArgs['command'], 'team_id' | 'api_app_id'>): string {
  const address = `slack://app?${new URLSearchParams({ team: team_id, id: api_app_id, tab: 'home' })}`;
  return `The <${address}|Home tab> has your requests, and what waits for you. These are the commands:`;
}

/** The characters of an unknown word that are shown: the help behind it has to fit, too. */
const UNKNOWN_SHOWN = 100;

const unknownText = (name: string): string =>
  `I do not know “${escaped(`${COMMANDS.countermand} ${truncate(name, UNKNOWN_SHOWN)}`)}”. This is what I can do:`;
