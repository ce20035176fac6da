/** Creates notices for admins: a refused token, events without a valid signature, a person who met their limit. */

import type { Wake } from '../../outbox/ports.ts';
import {
  type AdminsNotice,
  addressedTo,
  type Notice,
  newTokenNotice,
  type RefusedToken,
} from '../model/notices/notice.ts';
import type { NoticeStore } from '../ports/ports.ts';
import { noticeEntry } from './entry.ts';

export type NotifyAdminsDeps = { notices: NoticeStore; wake: Wake };

/** Creates the notice of a refused token. @throws if the storage is unavailable: nobody will be told */
export async function notifyAdmins(deps: NotifyAdminsDeps, refused: RefusedToken): Promise<void> {
  await keepNotice(deps, newTokenNotice(refused, await deps.notices.now()));
}

/** Creates a notice for each recipient. @throws as above; a repeated call notifies nobody twice */
export async function notifyEach(
  deps: NotifyAdminsDeps,
  notice: AdminsNotice,
  people: readonly string[],
): Promise<void> {
  const now = await deps.notices.now();
  for (const to of people) await keepNotice(deps, addressedTo(notice, now, to));
}

/** Stores a notice and wakes the runner. @throws if the storage is unavailable: nobody will be told */
export async function keepNotice({ notices, wake }: NotifyAdminsDeps, notice: Notice): Promise<void> {
  const { type } = await notices.create(noticeEntry(notice));
  if (type === 'created') wake(notice);
}
