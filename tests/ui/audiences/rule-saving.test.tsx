/** The rule editor saves, discards and reads rules, on the real engine. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { call } from '../../../src/renderer/platform/connect.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { byName, click, inputsOf, press, settle, settled, type as typeText, until } from '../base/harness.tsx';
import { addCountry, addOrders, close, input, items, open, text } from './rule-world.tsx';

afterEach(close);

describe('saving', () => {
  it('stores the rule, and the audience has its members', async () => {
    await open();
    await typeText(input('Name'), 'Repeat Buyers (EU)');
    await settle();
    expect(input('Trait sent').value).toBe('repeat_buyers_eu');
    await addCountry();
    await addOrders('3');
    await press(document.body, 's', { ctrlKey: true });
    await until(() => document.querySelector('h2')?.textContent === 'Repeat Buyers (EU)');
    expect(inputsOf('audiences.save')).toMatchObject([
      {
        name: 'Repeat Buyers (EU)',
        source: {
          by: 'computed',
          definition: {
            match: 'all',
            of: [
              { kind: 'trait', path: 'address.country', test: { op: 'is_one_of', values: ['AT', 'DE', 'FR', 'IT'] } },
              { kind: 'event', event: 'Order Completed', op: 'at_least', times: 3, withinMs: 604_800_000, where: [] },
            ],
          },
        },
      },
    ]);
    await until(() => byName('[role="grid"] [role="row"]', /Repeat Buyers/).textContent!.includes('3'));
    await click(byName('button', 'Edit rule'));
    await until(() => items().length === 3);
    expect(input('Value').value).toBe('AT, DE, FR, IT');
    expect(byName('[role="radio"]', 'Import').getAttribute('aria-disabled')).toBe('true');
  });

  it('reads a stored rule again when nobody has changed its draft', async () => {
    await open();
    await addOrders('3');
    await typeText(input('Name'), 'Buyers');
    await press(document.body, 's', { ctrlKey: true });
    await until(() => document.querySelector('h2')?.textContent === 'Buyers');
    const edit = async (): Promise<void> => {
      await click(byName('button', 'Edit rule'));
      await until(() => items().length === 2);
    };
    await edit();
    await act(async () => navigate({ screen: 'audiences', audienceId: 1, tab: 'members' }));
    const [{ source }] = inputsOf('audiences.save') as [{ source: { by: 'computed'; definition: { of: [object] } } }];
    source.definition.of = [{ ...source.definition.of[0], times: 9 }];
    await settled(call('audiences.save', { id: 1, kind: 'audience', name: 'Buyers', source } as never));
    await edit();
    expect(input('Times').value).toBe('9');
    await typeText(input('Times'), '8');
    await act(async () => navigate({ screen: 'audiences', audienceId: 1, tab: 'members' }));
    await edit();
    expect(input('Times').value).toBe('8');
  });

  it('a draft stays while another screen is shown, and Undo brings a discarded one back', async () => {
    await open();
    await typeText(input('Name'), 'Later');
    await act(async () => navigate({ screen: 'audiences', audienceId: null, tab: 'pending' }));
    await click(byName('button', /^Later/));
    expect(input('Name').value).toBe('Later');
    await click(byName('button', 'Discard'));
    expect(text()).not.toContain('from the name');
    await click(byName('button', 'Undo'));
    expect(input('Name').value).toBe('Later');
  });

  it('with Ctrl S while a field offers what it knows', async () => {
    await open();
    await typeText(input('Name'), 'Buyers');
    await addOrders('3');
    await act(async () => input('Event').focus());
    await press(input('Event'), 'ArrowDown');
    await until(() => document.querySelector('[role="listbox"]') !== null);
    await press(input('Event'), 's', { ctrlKey: true });
    await settle();
    expect(inputsOf('audiences.save')).toMatchObject([{ name: 'Buyers' }]);
  });
});
