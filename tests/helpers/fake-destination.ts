import type { DestinationView } from '../../src/contract/values.ts';
import { PROFILES } from '../../src/core/model/rules.ts';
import { destinationView } from '../../src/core/workspace/destination-view.ts';

/** The destination of a new workspace, with the values that a test overrides. */
export const fakeDestination = (over: Partial<DestinationView> = {}): DestinationView => ({
  ...destinationView({ enabled: true, paused: false, caFile: null, ...PROFILES.documented }, null, { state: 'none' }),
  ...over,
});
