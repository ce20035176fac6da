/** Use case: the service does not accept a workspace's token any more. Admins are told, once for each connection. */

import {
  type Notice,
  newTokenNotice,
  type RefusedToken,
  type TokenNotice,
} from '../model/workspace-notification.ts';
import type { NoticeStore, Trigger } from '../ports/ports.ts';
import { noticeEntry } from './entry.ts';

export type TellAdminsDeps = { notices: NoticeStore; trigger: Trigger };

/** @throws where the storage is away: nobody will be told */
export async function tellAdmins(deps: TellAdminsDeps, refused: RefusedToken): Promise<void> {
  await keepNotice(deps, newTokenNotice(refused, await deps.notices.now()));
}

/** A notice for each of them, which is told as often as it takes. @throws as above; done again, nobody is told twice */
export async function tellEach(
  deps: TellAdminsDeps,
  notice: TokenNotice,
  people: readonly string[],
): Promise<void> {
  const now = await deps.notices.now();
  for (const to of people) await keepNotice(deps, newTokenNotice(notice, now, to));
}

/** @throws where the storage is away: nobody will be told */
export async function keepNotice({ notices, trigger }: TellAdminsDeps, notice: Notice): Promise<void> {
  const { type } = await notices.create(noticeEntry(notice));
  if (type === 'created') trigger(notice);
}
