/** What the rule editor says of a name or a condition that is wrong, on the real engine. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { byName, click, inputsOf, press, type as typeText, until } from '../base/harness.tsx';
import { add, addOrders, close, input, matching, open, part, text } from './rule-world.tsx';

afterEach(close);

describe('the name', () => {
  it('of a trait that a source sends itself is warned of, with the next free name', async () => {
    await open();
    await typeText(input('Name'), 'Address');
    await until(() => text().includes('A receiver cannot tell the two apart.'));
    expect(text()).toContain(
      'shop already sends a trait address in 6 identify calls. A receiver cannot tell the two apart.',
    );
    expect((byName('button', /^Save audience/) as HTMLButtonElement).disabled).toBe(false);
    await click(byName('button', 'Use address_2'));
    await until(() => !text().includes('A receiver cannot'));
    expect(input('Trait sent').value).toBe('address_2');
  });

  it('of another audience is an error, and nothing can be saved', async () => {
    await open();
    await addOrders('3');
    await typeText(input('Name'), 'Buyers');
    await press(document.body, 's', { ctrlKey: true });
    await until(() => document.querySelector('h2')?.textContent === 'Buyers');
    await act(async () => navigate({ screen: 'audiences', audienceId: null, tab: 'pending', page: 'edit' }));
    await typeText(input('Name'), 'Buyers!');
    await until(() => text().includes('The audience Buyers sends buyers already.'));
    expect((byName('button', /^Save audience/) as HTMLButtonElement).disabled).toBe(true);
  });
});

describe('what is wrong', () => {
  it('stands under its field, and nothing is saved', async () => {
    await open();
    await addOrders('2.5');
    expect(part('1').textContent).toContain('2.5 is not a whole number of times.');
    expect(input('Times').getAttribute('aria-invalid')).toBe('true');
    await typeText(input('Name'), 'Wrong');
    await press(document.body, 's', { ctrlKey: true });
    expect(document.querySelector('footer')!.textContent).toContain('Some conditions are not complete.');
    expect(inputsOf('audiences.save')).toEqual([]);
  });

  it('a field that is empty is named only when somebody wants to save', async () => {
    await open();
    const item = await add('Trait of the user');
    expect(item.textContent).not.toContain('Choose a trait.');
    await typeText(input('Name'), 'Empty');
    await press(document.body, 's', { ctrlKey: true });
    expect(item.textContent).toContain('Choose a trait. Type a value.');
  });

  it('an event that never came says so, and nobody is in', async () => {
    await open();
    await addOrders('1');
    await typeText(input('Event'), 'Order Complet');
    await act(async () => input('Event').blur());
    await until(() => part('1').textContent!.includes('Not seen yet. 0 people.'));
    await until(() => matching().includes('0of 6 people'));
  });

  it('a count that fails can be tried again', async () => {
    const engine = await open();
    await addOrders('2');
    await until(() => matching().includes('5of 6 people'));
    engine.failNext('people.rule', new ContractError('people_off'));
    await typeText(input('Times'), '3');
    await until(() => matching().includes('Could not count. People do not run'));
    await click(byName('button', 'Try again'));
    await until(() => matching().includes('4of 6 people'));
  });
});
