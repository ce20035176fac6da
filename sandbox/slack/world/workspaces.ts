import { addChannel, type NewChannel } from './channels.ts';
import type { Team } from './types.ts';
import { addUser, type NewUser } from './users.ts';
import type { World } from './world.ts';

/** A workspace to add, with its people and channels. Everybody is in a channel for which no members are named. */
export type NewWorkspace = Partial<Team> & {
  name: string;
  people?: readonly Omit<NewUser, 'team_id'>[];
  /** Members by id, or by the name of one of the people. */
  channels?: readonly Omit<NewChannel, 'team_id'>[];
};

export const placeWith = ({ teams, enterprises }: World, id: string): Team | undefined =>
  teams.get(id) ?? enterprises.get(id);

export function addWorkspace(world: World, { people = [], channels = [], ...given }: NewWorkspace) {
  const domain = given.name.toLowerCase().replaceAll(' ', '-');
  const team: Team = { id: world.nextId('T'), domain, ...given };
  world.teams.set(team.id, team);
  const team_id = team.id;
  const users = people.map((person) => addUser(world, { team_id, ...person }));
  const idOf = (idOrName: string) => users.find(({ name }) => name === idOrName)?.id ?? idOrName;
  return {
    team,
    people: users,
    channels: channels.map(({ members, ...channel }) =>
      addChannel(world, {
        team_id,
        ...channel,
        members: members ? [...members].map(idOf) : users.map(({ id }) => id),
      }),
    ),
  };
}
