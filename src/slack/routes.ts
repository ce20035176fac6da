/** Collects every command, submission, button, options request and event that the bot answers: id -> listener. */
import { ACTIONS, COMMANDS, type EventName } from './blocks/ids.ts';
import { approval } from './features/approval/index.ts';
import { connection } from './features/connection/index.ts';
import { customerReply } from './features/customer-reply/index.ts';
import { countermandCommand, helpLines } from './features/help/index.ts';
import { history, submissionOnHistory } from './features/history/index.ts';
import { actionOnHome, createPublishHome, home, submissionOnHome } from './features/home/index.ts';
import { lifecycle } from './features/lifecycle/index.ts';
import type { ActionArgs, EventArgs, Feature, Listener, ListenerDeps, Routes } from './features/listener.ts';
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

/** The buttons of requests that act at once. On a person's own page they show what has come of it. */
const ACTING = [ACTIONS.approve, ACTIONS.takeBack, ACTIONS.retry, ACTIONS.withdraw] as const;

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
