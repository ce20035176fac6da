import { compareTs } from '../../slack/world/timestamps.ts';

/** The newest read message of each person in each conversation. */
export type ReadMarks = {
  mark(person: string, conversation: string, ts: string): void;
  isUnread(person: string, conversation: string, ts: string): boolean;
};

/** Creates the marks. Nothing before `start` is unread to anybody. */
export function createReadMarks(start: string): ReadMarks {
  const marks = new Map<string, string>();
  const key = (person: string, conversation: string) => `${person}/${conversation}`;
  return {
    mark: (person, conversation, ts) => {
      marks.set(key(person, conversation), ts);
    },
    isUnread: (person, conversation, ts) => compareTs(ts, marks.get(key(person, conversation)) ?? start) > 0,
  };
}
