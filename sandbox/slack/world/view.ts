import type { Option } from '../blocks/options.ts';
import type { HomeView, ModalView } from '../blocks/validate.ts';

/** The value of one element in `state.values`; its type decides on its field. */
export type StateValue = {
  type: string;
  value?: string | null;
  selected_option?: Option | null;
  selected_options?: Option[];
  selected_conversation?: string | null;
  selected_conversations?: string[];
  selected_channel?: string | null;
  selected_channels?: string[];
  selected_user?: string | null;
  selected_date?: string | null;
  selected_users?: string[];
};

/** By block_id, then by action_id. */
export type StateValues = Record<string, Record<string, StateValue>>;

/** A view in a person's modal. */
export type View = ViewOf<ModalView>;

/** A person's page in the Home tab of the app. */
export type HomePage = ViewOf<HomeView>;

type ViewOf<Definition> = {
  id: string;
  /** The company of its person; the app's own may be another one (Slack Connect). */
  team_id: string;
  app_installed_team_id: string;
  app_id: string;
  bot_id: string;
  user: string;
  definition: Definition;
  values: StateValues;
  hash: string;
  root_view_id: string;
  previous_view_id: string | null;
  /** The channel in which the person opened it. */
  channel?: string | undefined;
  /** The options that the app last offered for an external select, by `block_id/action_id`. */
  suggestions: Map<string, Option[]>;
  /** The error shown at a field, by block_id. */
  errors: Record<string, string>;
};
