/** A directory of people alone: there are no groups and no channels, and the bot may post everywhere. */
import type { Directory, Person } from '../../../src/requests/ports/ports.ts';

/** A full member, without an id. */
export const MEMBER: Omit<Person, 'id'> = {
  ownTeam: true,
  isBot: false,
  isDeactivated: false,
  isGuest: false,
  isAdmin: false,
};

/** @param roleOf what makes a person more, or less, than a full member */
export const directoryOf = (roleOf: (id: string) => Partial<Person> = () => ({})): Directory => ({
  person: async (_workspace, id) => ({ ...MEMBER, id, ...roleOf(id) }),
  mayPost: async () => true,
  isOrgWide: async () => false,
  isInGroup: async () => false,
  channel: async () => undefined,
  channelNow: async () => undefined,
  isChannelMember: async () => false,
  groupMembers: async () => [],
  channelMembers: async () => [],
});
