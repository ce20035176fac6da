import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { forgetWorkspace } from '../../../src/workspaces/installation/forget.ts';
import { sweepLater } from '../../../src/workspaces/installation/removal.ts';
import { UNINSTALL_TIMINGS } from '../../../src/workspaces/installation/uninstall-record.ts';
import { CLAIM, createUninstallHarness, HOUR } from './uninstall-harness.ts';

test('an order service that does not answer is asked for a day, and then everything is removed all the same', async () => {
  const warnings: string[] = [];
  let checks = 0;
  const { report, seeThrough, state } = createUninstallHarness({
    revokeOwn: async () => {
      checks++;
      return 'later';
    },
    log: { ...SILENT, warn: (_fields, text) => void warnings.push(text) },
  });
  await report();
  const took = await seeThrough();
  expect(took).toBeGreaterThanOrEqual(24 * HOUR);
  expect(took).toBeLessThan(25 * HOUR);
  expect(checks).toBeGreaterThan(100);
  expect(state.done).toEqual(['forget T1', 'remove T1', 'forget T1', 'remove T1']);
  expect(warnings).toEqual([expect.stringMatching(/^API token not revoked .* revoke it there$/)]);
});

test('an order service that does not answer is asked for a day, also if the daily search reports the dead token again and again', async () => {
  const { report, advance, clock, state } = createUninstallHarness({ revokeOwn: async () => 'later' });
  for (let day = 0; day < 4; day++) {
    await report('T1', false);
    for (const until = clock.now + 23 * HOUR; clock.now < until; ) clock.now += (await advance()) ?? HOUR;
  }
  expect(state.done).toContain('remove T1');
});

test('a connection that can never be read keeps nothing from being removed, after a day', async () => {
  const { report, seeThrough, state } = createUninstallHarness({
    revokeOwn: () => Promise.reject(new Error('A sealed secret was changed.')),
  });
  await report();
  await seeThrough();
  expect(state.done).toEqual(['forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('a removal that breaks off is continued, and holds up no installation until then', async () => {
  let broken = true;
  let claims = 0;
  const { report, advance, seeThrough, state, pending } = createUninstallHarness({
    forget: async (workspace) => {
      if (broken) throw new Error('the storage went away');
      state.done.push(`forget ${workspace}`);
      return true;
    },
    claimRemoval: async () => {
      claims++;
      return { ...CLAIM, release: async () => void claims-- };
    },
  });
  await report();
  expect(await advance()).toBe(UNINSTALL_TIMINGS.retryMs);
  expect([(await pending())?.step.type, claims]).toEqual(['remove', 0]);
  broken = false;
  await seeThrough();
  expect(state.done).toEqual(['revoke T1', 'revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('a removal whose process ends is continued once its claim has expired', async () => {
  const { deps, report, advance, seeThrough, state, clock } = createUninstallHarness();
  const { forget } = deps;
  const begun = Promise.withResolvers<void>();
  deps.forget = () => {
    begun.resolve();
    return new Promise(() => {});
  };
  await report();
  void advance();
  await begun.promise;
  deps.forget = forget;
  expect(await advance()).toBe(UNINSTALL_TIMINGS.removingMs);
  clock.now += UNINSTALL_TIMINGS.removingMs;
  await seeThrough();
  expect(state.done.slice(-4)).toEqual(['forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('a removal whose claim another process has taken over meanwhile is tried again later, and that is no fault', async () => {
  let isTakenOver = true;
  const { report, advance, seeThrough, state, pending } = createUninstallHarness({
    forget: (workspace, mayGoOn) =>
      forgetWorkspace([async () => void state.done.push(`forget ${workspace}`)], workspace, mayGoOn),
    claimRemoval: async () => ({ ...CLAIM, isHeld: async () => !isTakenOver }),
  });
  await report();
  expect(await advance()).toBe(UNINSTALL_TIMINGS.retryMs);
  expect([(await pending())?.step.type, state.done]).toEqual(['remove', ['revoke T1']]);
  isTakenOver = false;
  await seeThrough();
  expect(state.done).toEqual(['revoke T1', 'revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('a removal whose claim is gone when only the installation is left begins anew, because what was removed may be back', async () => {
  let isUndone = true;
  const { deps, report, advance, seeThrough, state, pending } = createUninstallHarness();
  const { removeInstallation } = deps;
  deps.removeInstallation = async (...given) => !isUndone && removeInstallation(...given);
  await report();
  expect(await advance()).toBe(UNINSTALL_TIMINGS.retryMs);
  expect((await pending())?.step.type).toBe('remove');
  isUndone = false;
  await seeThrough();
  const again = ['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1'];
  expect(state.done).toEqual(['revoke T1', 'forget T1', ...again]);
});

test('the last sweep is repeated where another server of the storage may bring back what it has removed', async () => {
  let isUndone = false;
  const { report, advance, seeThrough, state, clock, pending } = createUninstallHarness({
    replicated: async (work) => {
      const done = await work();
      if (isUndone) throw new Error('another server has taken over');
      return done;
    },
  });
  await report();
  clock.now += (await advance()) ?? 0;
  expect((await pending())?.step.type).toBe('sweep');
  isUndone = true;
  expect(await advance()).toBe(UNINSTALL_TIMINGS.retryMs);
  isUndone = false;
  await seeThrough();
  const swept = ['forget T1', 'remove T1'];
  expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', ...swept, ...swept]);
});

test('a removal that breaks off when the installation is already gone is continued, too', async () => {
  let broken = true;
  const { deps, report, advance, seeThrough, state } = createUninstallHarness();
  const { removeInstallation } = deps;
  deps.removeInstallation = async (...given) => {
    await removeInstallation(...given);
    if (broken) throw new Error('the storage went away');
    return true;
  };
  await report();
  expect(await advance()).toBe(UNINSTALL_TIMINGS.retryMs);
  broken = false;
  await seeThrough();
  expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('the last sweep is not lost if a report is repeated while another process removes the data', async () => {
  const { deps, report, advance, seeThrough, state } = createUninstallHarness();
  const { removeInstallation } = deps;
  let isRepeated = false;
  deps.removeInstallation = async (...given) => {
    if (!isRepeated) {
      isRepeated = true;
      await report();
      await verifyOnly();
    }
    return removeInstallation(...given);
  };
  /** Another process, which stops once it has asked Slack. */
  const verifyOnly = () => {
    const stopping = new AbortController();
    const checkInstalled = async () => {
      stopping.abort();
      return 'gone' as const;
    };
    return advance('T1', undefined, { checkInstalled, stopping: stopping.signal });
  };
  await report();
  await seeThrough();
  expect(state.done).toEqual(['revoke T1', 'forget T1', 'remove T1', 'forget T1', 'remove T1']);
});

test('an uninstall that Slack reports in the moment of a purge is followed by the last sweep of that, too', async () => {
  const { deps, report, seeThrough, state } = createUninstallHarness();
  await report();
  await sweepLater(deps.uninstalls, 'T1', []);
  state.installed = undefined;
  expect(await seeThrough()).toBe(UNINSTALL_TIMINGS.lateWritesMs);
  expect(state.done).toEqual(['forget T1', 'remove T1']);
});
