import { afterEach, expect, it } from 'vitest';
import type { AudiencesView } from '../../../src/contract/audiences.ts';
import type { DeletionsView } from '../../../src/contract/deletions.ts';
import { DataFacts } from '../../../src/renderer/screens/overview/data-facts.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { type Rendered, render } from '../base/harness.tsx';

let shown: Rendered;
afterEach(() => {
  shown.unmount();
  useRecords.setState(useRecords.getInitialState());
});

it.each([
  [0, '0 audiences, 0 computed traits', '0 requests, 0 suppressed users'],
  [1, '1 audience, 1 computed trait', '1 request, 1 suppressed user'],
  [2, '2 audiences, 2 computed traits', '2 requests, 2 suppressed users'],
])('%d of each reads right', async (n, audiences, deletions) => {
  const some = Array.from({ length: n }, () => ({}));
  useRecords.setState({
    audiences: { audiences: some, traits: some } as unknown as AudiencesView,
    deletions: { total: n, suppressed: { users: n, hits: 0, byRequest: [] } } as unknown as DeletionsView,
  });
  shown = await render(<DataFacts />);
  expect([...document.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
    `Audiences${audiences}`,
    `Deletions${deletions}`,
  ]);
});
