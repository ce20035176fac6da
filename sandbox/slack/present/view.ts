import type { View } from '../world/view.ts';

/** Converts a view to Slack's format, for answers to views.* and for payloads. */
export function presentView(view: View) {
  const { definition } = view;
  return {
    id: view.id,
    team_id: view.team_id,
    type: definition.type,
    blocks: definition.blocks,
    private_metadata: definition.private_metadata,
    callback_id: definition.callback_id,
    state: { values: view.values },
    hash: view.hash,
    title: definition.title,
    clear_on_close: definition.clear_on_close,
    notify_on_close: definition.notify_on_close,
    close: definition.close ?? null,
    submit: definition.submit ?? null,
    previous_view_id: view.previous_view_id,
    root_view_id: view.root_view_id,
    app_id: view.app_id,
    external_id: definition.external_id,
    app_installed_team_id: view.app_installed_team_id,
    bot_id: view.bot_id,
  };
}
