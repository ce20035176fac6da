import { createContext, useContext } from 'react';
import type { Names } from '../../../view-model/workspace.ts';

const NamesContext = createContext<Names>({ users: {}, channels: {}, groups: {} });

/** Provides the names for the ids that texts mention. */
export const NamesProvider = NamesContext;

/** Returns the names for the ids in texts. */
export const useNames = (): Names => useContext(NamesContext);
