/**
 * Counts the commands under way. With a Set of them V8 kept answered ones until a full collection, some 60 MB under load.
 */

type Command = { isAnswered: boolean };

export function countUnderWay() {
  let count = 0;
  let becomeIdle = () => {};
  return {
    begin(): Command {
      count += 1;
      return { isAnswered: false };
    },
    /** Exactly once for each command, whatever the answer is. */
    end(command: Command): void {
      command.isAnswered = true;
      count -= 1;
      if (count === 0) becomeIdle();
    },
    /** Resolves when no command is under way. */
    async idle(): Promise<void> {
      if (count === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      becomeIdle = resolve;
      await promise;
    },
  };
}
