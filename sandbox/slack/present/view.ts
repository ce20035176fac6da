import type { HomePage, View } from '../world/types.ts';

/** Converts a view to Slack's format, for answers to views.* and for payloads. */
export function presentView(view: View) {
  const { title, clear_on_close, notify_on_close, close = null, submit = null } = view.definition;
  return { ...common(view), title, clear_on_close, notify_on_close, close, submit };
}

/** The same for a page in the Home tab. */
export const presentHome = (page: HomePage) => ({
  ...common(page),
  clear_on_close: false,
  notify_on_close: false,
  close: null,
  submit: null,
});

/** The same for either. */
export const presentAny = (view: View | HomePage) => (isHome(view) ? presentHome(view) : presentView(view));

const isHome = (view: View | HomePage): view is HomePage => view.definition.type === 'home';

function common({ definition, ...view }: View | HomePage) {
  return {
    id: view.id,
    team_id: view.team_id,
    type: definition.type,
    blocks: definition.blocks,
    private_metadata: definition.private_metadata,
    callback_id: definition.callback_id,
    state: { values: view.values },
    hash: view.hash,
    previous_view_id: view.previous_view_id,
    root_view_id: view.root_view_id,
    app_id: view.app_id,
    external_id: definition.external_id,
    app_installed_team_id: view.app_installed_team_id,
    bot_id: view.bot_id,
  };
}
