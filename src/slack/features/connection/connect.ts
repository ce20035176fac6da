/** /countermand connect: opens at once, and shows the form to admins once it is known what is set already. */
import type { webApi } from '@slack/bolt';
import { nameGroup } from '../../directory/user-groups.ts';
import { type Invocation, openForAdmin } from '../admin-only.ts';
import type { ListenerDeps } from '../listener.ts';
import { CONNECT_TITLE, type ConnectForm, connectModal } from './connect-modal.ts';

const OPENING = { title: CONNECT_TITLE, meanwhile: 'Reading what is set…' };

/** A form that did not show what is set would take it away when it is submitted. */
export async function openConnect(deps: ListenerDeps, args: Invocation): Promise<void> {
  await openForAdmin(deps, args, OPENING, async (workspace) =>
    connectModal(await currentForm(deps, args.client, workspace)),
  );
}

async function currentForm(
  deps: ListenerDeps,
  client: webApi.WebClient,
  workspace: string,
): Promise<ConnectForm> {
  const [plan, { askers, notificationsChannel }] = await Promise.all([
    deps.planConnect(workspace),
    deps.settings(workspace),
  ]);
  const { tokenKind, exclusive, facts } = plan.type === 'again' ? plan : {};
  return {
    reconnect: plan.type === 'again',
    ...(tokenKind ? { tokenKind } : {}),
    ...(exclusive ? { exclusive } : {}),
    // What nobody else uses is of no use to anybody once it is replaced.
    ...(facts ? { facts, revokeFormer: exclusive === true } : {}),
    ...(askers ? { askers: await nameGroup(client, workspace, askers) } : {}),
    ...(notificationsChannel ? { notificationsChannel } : {}),
  };
}
