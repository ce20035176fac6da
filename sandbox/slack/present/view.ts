import type { HomePage, View } from '../world/view.ts';

/** Converts a view to Slack's format, for answers to views.* and for payloads. */
export function presentView(view: View | HomePage) {
  const { definition } = view;
  const ofModal =
    definition.type === 'modal'
      ? (({ title, close = null, submit = null, clear_on_close, notify_on_close }) => ({
          title,
          close,
          submit,
          clear_on_close,
          notify_on_close,
        }))(definition)
      : { close: null, submit: null, clear_on_close: false, notify_on_close: false };
  return {
    id: view.id,
    team_id: view.team_id,
    type: definition.type,
    blocks: definition.blocks,
    private_metadata: definition.private_metadata,
    callback_id: definition.callback_id,
    state: { values: view.values },
    hash: view.hash,
    ...ofModal,
    previous_view_id: view.previous_view_id,
    root_view_id: view.root_view_id,
    app_id: view.app_id,
    external_id: definition.external_id,
    app_installed_team_id: view.app_installed_team_id,
    bot_id: view.bot_id,
  };
}
