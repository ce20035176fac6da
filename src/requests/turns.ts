/** Whose turn it is, where only so much may be done at a time: a port, and what goes over it. */

/** `lane` of `scope`: whatever goes through it waits for the others there, and for nothing else. */
export type Turn = {
  scope: string;
  lane: string;
  /** Who waits. Asked again, the same one keeps its place. */
  who: string;
  /** One turn in so many milliseconds, on average. */
  everyMs: number;
  /** How many may go at once where nobody went for a while. */
  burst: number;
};

/** Shared by all replicas. @throws where it can't be known: a fault */
export type Turns = {
  /** @returns 0: it is their turn, and by that it is used up. Else in how many milliseconds to ask again */
  take(turn: Turn): Promise<number>;
  /** Nobody has a turn in this scope for so long. */
  hold(scope: string, ms: number): Promise<void>;
};
