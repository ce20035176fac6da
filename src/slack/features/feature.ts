/** The shape of a feature: everything that it answers, by the id that Slack sends. */
import type { EventName } from '../blocks/ids.ts';
import type {
  ActionArgs,
  CommandArgs,
  EventArgs,
  Listener,
  ListenerDeps,
  OptionsArgs,
  ShortcutArgs,
  ViewArgs,
} from './listener.ts';

/** A line of the help text. `usage`: the arguments; `meaning`: what the command does. */
type Help = { usage: string; meaning: string };
export type Command = Help & { listener: Listener<CommandArgs> };
/** A word after `/countermand`. It acknowledges the command. `rest`: the text after that word. */
export type Subcommand = Help & { run: (args: CommandArgs, rest: string) => Promise<void> };

export type Routes = {
  commands: Record<string, Command>;
  subcommands: Record<string, Subcommand>;
  shortcuts: Record<string, Listener<ShortcutArgs>>;
  views: Record<string, Listener<ViewArgs>>;
  actions: Record<string, Listener<ActionArgs>>;
  options: Record<string, Listener<OptionsArgs>>;
  events: { [Name in EventName]?: Listener<EventArgs<Name>> };
};

export type Feature = (deps: ListenerDeps) => Partial<Routes>;
