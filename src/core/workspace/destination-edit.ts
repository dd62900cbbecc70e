/** Applies an edit to the destination's settings. */
import type { DestinationSettings } from '../model/records.ts';
import { PROFILES } from '../model/rules.ts';
import type { ProfileName } from '../model/vocabulary.ts';

type Given = { readonly [K in keyof DestinationSettings]?: unknown } & { readonly profile?: ProfileName | undefined };

/**
 * The profile applies first, then the fields given beside it. Undefined fields stay. The jitter's seed survives a
 * change of profile.
 */
export function editedDestination(before: DestinationSettings, edit: Given): DestinationSettings {
  const { profile, ...fields } = edit;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { ...before, ...(profile !== undefined && rulesOfProfile(profile, before)), ...given };
}

function rulesOfProfile(profile: ProfileName, before: DestinationSettings): Partial<DestinationSettings> {
  const rules = PROFILES[profile];
  return { ...rules, retry: { ...rules.retry, seed: before.retry.seed } };
}
