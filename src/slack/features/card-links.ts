/** The links in a list of requests: they are made, and not asked for one by one. */

import type { RequestRecord } from '../../requests/model/record.ts';
import { cardOf } from '../../requests/model/record-messages.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import { linkTo } from '../client/links.ts';
import type { ListenerDeps } from './listener.ts';

/**
 * `linkTo`: the address of a request's card; undefined where it has none, or where the workspace's own address is not known.
 * `addresses`: of orders and offers, as admins have set them.
 */
export type Linking = {
  linkTo: (record: RequestRecord) => string | undefined;
  addresses?: Addresses | undefined;
};

/** @throws if the settings can't be read */
export async function linkingOf(
  { aboutWorkspace, settings, log }: Pick<ListenerDeps, 'aboutWorkspace' | 'settings' | 'log'>,
  workspace: string,
): Promise<Linking> {
  const [addresses, about] = await Promise.all([
    settings(workspace),
    aboutWorkspace(workspace).catch((err) =>
      log.warn({ err, workspace }, 'address of the workspace unknown'),
    ),
  ]);
  return {
    addresses,
    linkTo(record) {
      const { delivery } = cardOf(record);
      if (!about?.origin || delivery.status !== 'posted') return undefined;
      const { channel, ts } = delivery;
      return linkTo(about.origin, { channel, ts, thread: record.thread ?? ts });
    },
  };
}
