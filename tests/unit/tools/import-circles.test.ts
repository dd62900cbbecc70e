import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { measure } from '../../../tools/code-metrics.mjs';

test('no file and no room imports itself by way of others, not even for its types', () => {
  const { circles, roomCircles } = measure(fileURLToPath(new URL('../../..', import.meta.url)));
  expect({ circles, roomCircles }).toEqual({ circles: [], roomCircles: [] });
});
