/** What a shipped build has in place of `failpoint.ts`: the bundler drops the calls together with the names. */
import type * as failpoints from './failpoint.ts';

/* @__NO_SIDE_EFFECTS__ */
export const armFailpoint: typeof failpoints.armFailpoint = () => {};
/* @__NO_SIDE_EFFECTS__ */
export const failpoint: typeof failpoints.failpoint = () => {};
