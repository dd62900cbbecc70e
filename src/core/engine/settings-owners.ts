/** Owners of the settings whose rooms know nothing about config files. */

import { isAbsolute } from 'node:path';
import type { Config } from '../../contract/config.ts';
import type { ClockKeeper } from '../delivery/clock-keeper.ts';
import type { RetryClock, RetryClockState } from '../delivery/retry-clock.ts';
import type { HttpsIngest } from '../ingest/https.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { Kept } from '../workspace/kept.ts';
import { ConfigValueError, type SettingsOwner } from '../workspace/settings-owner.ts';

export const httpsOwner = (https: HttpsIngest): SettingsOwner => ({
  take: async ({ ingest }) => {
    if (ingest?.https !== undefined) await https.keep(ingest.https);
  },
  give: () => ({ ingest: { https: https.kept } }),
});

/** The folder of the browser library, or null for the one installed beside Hookbench. */
export const browserSdkOwner = (
  folder: Kept<string | null>,
  save: (folder: string | null, changes: Changes) => void,
): SettingsOwner => ({
  check: ({ ingest }) => {
    if (typeof ingest?.browserSdk === 'string' && !isAbsolute(ingest.browserSdk))
      throw new ConfigValueError('ingest.browserSdk', 'Enter the absolute path of a folder.');
  },
  take: async ({ ingest }) => {
    const given = ingest?.browserSdk;
    if (given !== undefined) await folder.change((changes) => save(given, changes));
  },
  give: () => ({ ingest: { browserSdk: folder.value } }),
});

export const clockOwner = (keeper: ClockKeeper, retryClock: RetryClock): SettingsOwner => ({
  take: async ({ clock = {} }) => {
    const { speed, paused } = clock;
    const { state } = retryClock;
    if (speed !== undefined && speed !== state.speed) await keeper.change((one) => one.setSpeed(speed));
    if (paused !== undefined && paused !== state.paused)
      await keeper.change((one) => (paused ? one.pause() : one.resume()));
  },
  give: () => ({ clock: clockConfig(retryClock.state) }),
});

const clockConfig = ({ speed, paused }: RetryClockState): Config['clock'] => ({
  speed: speed as NonNullable<Config['clock']>['speed'],
  paused,
});
