/** Whose turn it is, where only so much may be done at a time: a port, and what goes over it. */

/** `lane` of `scope`: whatever goes through it waits for the others there, and for nothing else. */
export type Turn = {
  scope: string;
  lane: string;
  /**
   * Who waits. Asked again, the same one keeps its place. In a scope that workspaces share it begins with the workspace
   * and a space.
   */
  who: string;
  /** One turn in so many milliseconds, on average. */
  everyMs: number;
  /** How many may go at once where nobody went for a while. */
  burst: number;
};

/** `ms`: in how long to ask again. `held`: why nobody has a turn, where that is so. */
export type Wait = { ms: number; held?: string };

/** It is their turn. */
export const NOW: Wait = { ms: 0 };

/** Shared by all replicas. @throws where it can't be known: a fault */
export type Turns = {
  /** A turn that has come is used up by asking. */
  take(turn: Turn): Promise<Wait>;
  /** Nobody has a turn in this scope for so long; then they go one after the other. @param why a word */
  hold(scope: string, ms: number, why: string): Promise<void>;
  /** Nobody of this workspace waits any more, in its own scope or in any other. */
  forget(workspace: string): Promise<void>;
};
