/** The parts `audiences` and `traits` of the config file. */
import type { Config } from '../../contract/config.ts';
import { audienceRule, computedTrait } from '../../contract/people.ts';
import { IN } from '../model/audience-user.ts';
import { idProblem } from '../model/member-rows.ts';
import { propertyOf } from '../model/property-name.ts';
import type { AudienceStore, StoredAudience } from '../store/ports/audiences.ts';
import { ConfigValueError, type SettingsOwner } from '../workspace/settings-owner.ts';
import type { Known, Roster, SaveAudience } from './roster.ts';
import { syncPlanOf } from './views.ts';

/** Members that are written into an exported config file. A longer list is left out. */
const MAX_EXPORTED = 10_000;

export interface ConfigDeps {
  readonly roster: Pick<Roster, 'all' | 'editUsers'>;
  readonly store: Pick<AudienceStore, 'users'>;
  isSynced(id: number): boolean;
  save(edit: SaveAudience): Promise<{ readonly id: number }>;
}

type Kind = StoredAudience['kind'];
type AudienceEntry = NonNullable<Config['audiences']>[number];

/** What both kinds have, with its path in the file. */
interface Entry {
  readonly path: string;
  readonly kind: Kind;
  readonly name: string;
  readonly property?: string | undefined;
}

export class AudiencesConfig implements SettingsOwner {
  readonly #deps: ConfigDeps;

  constructor(deps: ConfigDeps) {
    this.#deps = deps;
  }

  check({ audiences = [], traits = [] }: Config): void {
    const entries: Entry[] = [
      ...audiences.map((entry, i) => ({ ...entry, kind: 'audience' as const, path: `audiences[${i}]` })),
      ...traits.map((entry, i) => ({ ...entry, kind: 'trait' as const, path: `traits[${i}]` })),
    ];
    const names = new Set<string>();
    const owners = new Map<string, string>();
    for (const { audience } of this.#deps.roster.all) owners.set(audience.property, ownerOf(audience));
    for (const entry of entries) this.#checkNames(entry, names, owners);
    for (const [i, entry] of audiences.entries()) this.#checkMembers(`audiences[${i}]`, entry);
  }

  #checkNames(entry: Entry, names: Set<string>, owners: Map<string, string>): void {
    const { path, kind, name, property } = entry;
    const owner = ownerOf(entry);
    if (names.has(owner)) throw new ConfigValueError(`${path}.name`, `Another ${kind} of the file has this name.`);
    names.add(owner);
    const known = this.#named(kind, name);
    const sent = property ?? known?.property ?? propertyOf(name);
    if (sent === null)
      throw new ConfigValueError(`${path}.property`, 'The name has no Latin letter or digit: give a property.');
    const other = owners.get(sent);
    if (other !== undefined && other !== owner)
      throw new ConfigValueError(`${path}.property`, `The ${other} sends ${sent} already.`);
    if (known !== undefined && known.property !== sent && this.#deps.isSynced(known.id))
      throw new ConfigValueError(`${path}.property`, `It was synced as ${known.property}, which stays.`);
    owners.set(sent, owner);
  }

  #checkMembers(path: string, { name, rule, userIds = [] }: AudienceEntry): void {
    const known = this.#named('audience', name);
    if (known?.definition === null && rule !== undefined)
      throw new ConfigValueError(`${path}.rule`, 'Its members are a list, which cannot become a rule.');
    if (known !== undefined && known.definition !== null && userIds.length > 0)
      throw new ConfigValueError(`${path}.userIds`, 'Its members come from a rule.');
    const bad = userIds.findIndex((userId) => idProblem(userId) !== null);
    if (bad >= 0) throw new ConfigValueError(`${path}.userIds[${bad}]`, 'This is not a user id.');
  }

  #named(kind: Kind, name: string): StoredAudience | undefined {
    const all = this.#deps.roster.all.map(({ audience }) => audience);
    return all.find((one) => one.kind === kind && one.name === name);
  }

  /** Matched by name and added or changed, never removed. User ids are added to the members. */
  async take({ audiences = [], traits = [] }: Config): Promise<void> {
    for (const { userIds = [], rule, ...entry } of audiences) {
      const { id } = await this.#save({ ...entry, kind: 'audience', ...(rule && { source: computed(rule) }) });
      const edits = userIds.map((userId) => ({ userId, value: IN }));
      if (edits.length > 0) await this.#deps.roster.editUsers(id, edits);
    }
    for (const { definition, ...entry } of traits)
      await this.#save({ ...entry, kind: 'trait', source: computed(definition) });
  }

  #save(entry: Omit<SaveAudience, 'id'>): Promise<{ readonly id: number }> {
    return this.#deps.save({ ...entry, id: this.#named(entry.kind, entry.name)?.id });
  }

  /** Lists of at most 10,000 members are written out. */
  give(): Config {
    const of = (kind: Kind): Known[] => this.#deps.roster.all.filter(({ audience }) => audience.kind === kind);
    return {
      audiences: of('audience').map((known) => this.#audience(known)),
      traits: of('trait').flatMap(({ audience }) => {
        const definition = computedTrait.safeParse(JSON.parse(audience.definition ?? 'null'));
        return definition.success ? [{ ...common(audience), definition: definition.data }] : [];
      }),
    };
  }

  #audience({ audience, counts }: Known): AudienceEntry {
    const { name, property, sync } = common(audience);
    return { name, property, ...this.#membersOf(audience, counts.members), sync, track: audience.track };
  }

  #membersOf({ id, definition }: StoredAudience, members: number): Pick<AudienceEntry, 'rule' | 'userIds'> {
    if (definition !== null) return { rule: audienceRule.parse(JSON.parse(definition)) };
    return members <= MAX_EXPORTED ? { userIds: this.#memberIds(id) } : {};
  }

  #memberIds(id: number): string[] {
    const limit = MAX_EXPORTED * 2;
    const users = this.#deps.store.users({ audienceId: id, after: null, limit, only: 'all' });
    return users.filter(({ value }) => value === IN).map(({ userId }) => userId);
  }
}

const ownerOf = ({ kind, name }: Pick<StoredAudience, 'kind' | 'name'>): string => `${kind} ${name}`;

const common = (audience: StoredAudience) => ({
  name: audience.name,
  property: audience.property,
  sync: syncPlanOf(audience),
});

const computed = (definition: object): SaveAudience['source'] => ({
  by: 'computed',
  definition: { ...definition } as Extract<NonNullable<SaveAudience['source']>, { by: 'computed' }>['definition'],
});
