/** One bot process, and whoever starts it again when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BotProcess, startBot } from '../../../sandbox/lib/bot-process.ts';

export type Replica = {
  /** Resolves once one is up, however often it has to be started. */
  ready(): Promise<void>;
  /** SIGKILL, and started again after a while. */
  kill(downMs: number): Promise<void>;
  /** SIGSTOP for a while; then it goes on where it was or, `dies`, never does. */
  freeze(forMs: number, dies: boolean): Promise<void>;
  /** SIGTERM, after which it must end by itself. */
  stop(): Promise<void>;
  /** When it was not at work, epoch milliseconds. */
  gaps(): readonly Gap[];
  /** How it ended, where nobody had ended it after it was up. */
  endedByItself(): readonly string[];
  /** The logs of all its lives. */
  log(): string;
};

export type Gap = { from: number; to: number };

const PAUSE_BEFORE_RESTART_MS = 200;

export function runReplica(env: Record<string, string>, args: readonly string[]): Replica {
  const lives: BotProcess[] = [];
  const gaps: Gap[] = [];
  const ended: string[] = [];
  let expected: BotProcess | undefined;
  let bot = launch();

  function launch(): BotProcess {
    const launched = startBot('test/chaos/processes/bot.ts', env, [...args]);
    lives.push(launched);
    const dieWithUs = () => void launched.child.kill('SIGKILL');
    process.once('exit', dieWithUs);
    let wasUp = false;
    void launched.ready.then(
      () => (wasUp = true),
      () => {},
    );
    void launched.ended.then(async (end) => {
      process.off('exit', dieWithUs);
      if (launched === expected) return;
      // It can't start while its storage is away, says so, and is started again.
      if (wasUp) ended.push(`${end}: ${launched.output().slice(-1_000)}`);
      await sleep(PAUSE_BEFORE_RESTART_MS);
      if (launched !== expected) bot = launch();
    });
    return launched;
  }

  async function ready(): Promise<void> {
    for (;;) {
      const waitedFor = bot;
      if (
        await waitedFor.ready.then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(PAUSE_BEFORE_RESTART_MS);
    }
  }

  async function replace(downMs: number): Promise<void> {
    expected = bot;
    await bot.kill('SIGKILL');
    await sleep(downMs);
    bot = launch();
    await ready();
  }

  async function missing(absence: () => Promise<void>): Promise<void> {
    const gap = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    gaps.push(gap);
    await absence();
    gap.to = Date.now();
  }

  return {
    ready,
    kill: (downMs) => missing(() => replace(downMs)),
    freeze: (forMs, dies) =>
      missing(async () => {
        bot.child.kill('SIGSTOP');
        await sleep(forMs);
        if (dies) await replace(0);
        else bot.child.kill('SIGCONT');
      }),
    stop: async () => {
      expected = bot;
      const patience = sleep(STOP_MS, undefined, { ref: false }).then(() => bot.kill('SIGKILL'));
      bot.child.kill('SIGTERM');
      await Promise.race([bot.ended, patience]);
    },
    gaps: () => gaps,
    endedByItself: () => ended,
    log: () => lives.map(({ output }) => output()).join('\n--- started again ---\n'),
  };
}

const STOP_MS = 40_000;
