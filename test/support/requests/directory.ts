/** A directory in which everybody may post, and nobody is in a group. */
import type { Directory, Person } from '../../../src/requests/ports/ports.ts';

const MEMBER: Omit<Person, 'id'> = {
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
  isTheirPrivateChannel: async () => false,
  groupMembers: async () => [],
  channelMembers: async () => [],
});
