/** The workspace as a config file. */
import type { Handlers } from '../../../contract/channel.ts';
import { exportedConfig } from '../../workspace/exported-config.ts';
import type { SettingsOwner } from '../../workspace/settings-owner.ts';

export const configHandlers = (owners: readonly SettingsOwner[]): Pick<Handlers, 'config.export'> => ({
  'config.export': () => exportedConfig(owners),
});
