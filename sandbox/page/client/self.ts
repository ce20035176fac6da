import { createContext, useContext } from 'react';
import type { AppMenu } from '../../lib/manifest.ts';
import type { PersonSeen } from '../view-model/people.ts';
import type { ConversationSeen } from '../view-model/workspace.ts';
import type { Actions } from './actions.ts';

/** The current person, conversation and actions. */
export type Self = {
  me: PersonSeen;
  /** The people, and the app. */
  mentionable: PersonSeen[];
  conversation: ConversationSeen;
  actions: Actions;
  menu: AppMenu;
};

const SelfContext = createContext<Self | null>(null);

/** Provides `useSelf`. */
export const SelfProvider = SelfContext;

/** The person in front of the page. */
export function useSelf(): Self {
  const self = useContext(SelfContext);
  if (!self) throw new Error('There is nobody in front of this page.');
  return self;
}
