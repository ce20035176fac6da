/** Calls `notify` after every change of the view. Returns a function that ends this. */
export type Watch = (notify: () => void) => () => void;

/** An event of a live view: its name, its data, and the number after which a lost connection resumes. */
export type LiveEvent = { event: string; data: unknown; n?: number };

/**
 * A live view. Ids name the sandbox besides the number, because a browser may come from an earlier sandbox that counted
 * anew.
 */
export type Live = {
  sandbox: string;
  watch: Watch;
  /** @param last the number of the newest event that the viewer has received, 0 at first */
  read(last: number): LiveEvent[];
};
