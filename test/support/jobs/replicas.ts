/** Replicas of the bot that share a queue in Redis. */
import { onTestFinished, vi } from 'vitest';
import { openQueues } from '../../../src/jobs/queue.ts';
import type { RunnerDeps, RunnerOptions } from '../../../src/jobs/runner.ts';
import type { RecordRef } from '../../../src/outbox/record-store.ts';
import { RUNTIME } from '../../../src/runtime.ts';
import { createQueueClient } from '../../../src/storage/redis/connection/connection.ts';
import type { RedisAddress } from '../redis/redis.ts';

const HOUR = 3_600_000;

export async function clientOf({ url }: RedisAddress) {
  const client = createQueueClient(url);
  await client.connect();
  onTestFinished(() => {
    if (client.isOpen) client.destroy();
  });
  return client;
}

export type Client = Awaited<ReturnType<typeof clientOf>>;

/** A runner that only wakes, as that of a terminal command. Nothing is swept where a test does not say so. */
export function createIdle(
  client: Client,
  { prefix }: RedisAddress,
  { options, ...given }: Partial<Pick<RunnerDeps, 'due' | 'postpone' | 'options'>> = {},
) {
  const [errors, warnings]: [string[], string[]] = [[], []];
  const log = {
    debug() {},
    info() {},
    warn: (_: object, text: string) => void warnings.push(text),
    error: (_: object, text: string) => void errors.push(text),
  };
  const runner = openQueues(client, prefix).createRunner(
    {
      runtime: RUNTIME,
      about: (ref) => ref,
      due: async () => [],
      postpone: async () => {},
      ...given,
      log,
      options: { sweepMs: HOUR, stopMs: 5_000, ...options },
    },
    'requests',
  );
  onTestFinished(() => runner.stop());
  return { runner, errors, warnings };
}

/** One of the replicas at a Redis: what it does was triggered. */
export async function replica(
  address: RedisAddress,
  advance: (ref: RecordRef) => Promise<number | undefined>,
  options: Partial<RunnerOptions> = {},
  given: Partial<Pick<RunnerDeps, 'due' | 'postpone'>> = {},
) {
  const client = await clientOf(address);
  const duplicate = vi.spyOn(client, 'duplicate');
  const { runner, errors } = createIdle(client, address, { ...given, options });
  runner.start(advance);
  /** Whether each connection is open that the runner has made for itself. */
  const own = () => duplicate.mock.results.map(({ value }) => value.isOpen);
  return { runner, client, errors, own };
}
