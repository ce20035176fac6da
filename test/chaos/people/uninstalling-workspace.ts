/** A second workspace, which uninstalls the app while its people are making requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAs } from '../../../sandbox/connect.ts';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { type ChaosHarness, UNLIMITED } from '../processes/harness.ts';
import { install } from '../processes/install.ts';
import { tryAction } from './try-action.ts';
import { waitForForm } from './wait-for-form.ts';

export type UninstallingWorkspace = {
  /** Uninstalls the app. */
  uninstall(): void;
  /** Resolves once its people have stopped. */
  done: Promise<unknown>;
  /** The number of its calls that reached the order service. */
  calls(): number;
  /** The ids of the workspace, its people and its channels, which must not be found in the storage afterwards. */
  traces: readonly string[];
};

const ORGANIZATION = 'leaving';
const AGENTS = 3;
const PAUSE_MS = 200;
/** The time that its people go on after the app was uninstalled. */
const AFTERWARDS_MS = 2_000;

export async function openUninstallingWorkspace(harness: ChaosHarness): Promise<UninstallingWorkspace> {
  const { slack, service, url } = harness;
  const { team, people, channels } = slack.admin.addWorkspace({
    name: 'Leaving',
    people: [
      { name: 'lena', role: 'admin' },
      ...Array.from({ length: AGENTS }, (_, n) => ({ name: `leaver-${n}` })),
    ],
    channels: [{ name: 'leaving-harness' }],
  });
  const [admin = '', ...agents] = people.map(({ id }) => id);
  const channel = channels[0]?.id ?? '';
  await install(slack, url, { who: admin, team: team.id });
  slack.admin.invite(channel, slack.installation(team.id).bot_user_id);
  service.addOrganization(ORGANIZATION);
  const events = await connectAs(
    slack.person(admin),
    slack,
    service.issueToken({ organization: ORGANIZATION }),
    UNLIMITED,
  );
  const uninstalled = new AbortController();
  const work = agents.map((id, n) =>
    request(harness, slack.person(id), { channel, from: n * 100_000, until: uninstalled.signal }),
  );
  return {
    uninstall() {
      slack.admin.uninstall(team.id);
      setTimeout(() => uninstalled.abort(), AFTERWARDS_MS);
    },
    done: Promise.all(work),
    calls: () => service.calls({ operation: 'cancel_order' }).filter(({ id }) => id?.startsWith('L-')).length,
    traces: [team.id, ...people.map(({ id }) => id), channel, events.url.split('~').at(-1) ?? ''],
  };
}

/** Requests the cancellation of one order after the other. */
async function request(
  { service }: ChaosHarness,
  who: Person,
  { channel, from, until }: { channel: string; from: number; until: AbortSignal },
): Promise<void> {
  for (let n = from; !until.aborted; n++) {
    const id = `L-${n}`;
    service.addOrder({ organization: ORGANIZATION, id, reviewed: n % 2 === 0 });
    await tryAction(async () => {
      await who.command(`/cancel-order ${id} UninstallingWorkspace`, { channel });
      if (await waitForForm(who, 'request_')) await who.submit();
    });
    if (who.modal()) await tryAction(() => who.closeModal({ all: true }));
    await sleep(PAUSE_MS);
  }
}
