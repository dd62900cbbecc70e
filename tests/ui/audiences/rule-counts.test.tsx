/** The rule editor counts on the real engine: of each condition, of the result, and what an edit or a call changes. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { byName, click, inputsOf, press, type as typeText, until } from '../base/harness.tsx';
import { addCountry, addOrders, close, input, KEY, labels, matching, open, order, text, tree } from './rule-world.tsx';

afterEach(close);

describe('an empty rule', () => {
  it('says what to do, and nobody is in', async () => {
    await open();
    expect(text()).toContain('Add a condition. Without one nobody is in.');
    expect(matching()).toContain('Nobody yet.');
    await typeText(input('Name'), 'Nobody');
    await press(document.body, 's', { ctrlKey: true });
    expect(document.querySelector('footer')!.textContent).toContain('Add a condition. Without one nobody is in.');
    expect(inputsOf('audiences.save')).toEqual([]);
  });
});

describe('a rule that is no longer counted', () => {
  it('has nobody when its last condition went, and says when something is missing in one', async () => {
    await open();
    await addOrders('3');
    await until(() => matching().includes('4of 6 people'));
    await typeText(input('Times'), '');
    expect(matching()).toContain('not counted while incomplete4of 6 people');
    await typeText(input('Times'), '3');
    await until(() => matching().includes('Live'));
    await click(byName('button', 'Remove condition 1'));
    expect(matching()).toBe('Matching peopleNobody yet. The count follows the conditions.');
    expect(labels()).toEqual(['All of these']);
  });
});

describe('the counts', () => {
  it('of each condition and of the result are those of the engine', async () => {
    await open();
    await addCountry();
    await until(() => matching().includes('5of 6 people'));
    await addOrders('3');
    await until(() => matching().includes('3of 6 people'));
    expect(labels()).toEqual([
      'All of these, 3 people',
      '1: address.country is one of AT, DE, FR, IT, 5 people',
      '2: Order Completed at least 3 times in the last 7 days, 4 people',
    ]);
    expect(tree().getAttribute('aria-label')).toBe(
      'All of: address.country is one of AT, DE, FR, IT; Order Completed at least 3 times in the last 7 days',
    );
    expect(matching()).toContain('50.0%');
  });

  it('follow a call at once, and say what the last edit did', async () => {
    const engine = await open();
    await addOrders('4');
    await until(() => matching().includes('3of 6 people'));
    await typeText(input('Times'), '3');
    await until(() => matching().includes('4of 6 people'));
    expect(matching()).toContain('+1by your last edit: at least 4 became at least 3');
    await act(async () => void (await engine.post('/v1/track', order('usr_3'), KEY)));
    await until(() => matching().includes('5of 6 people'));
    expect(matching()).toContain('+1joined in the last minute');
  });

  it('say when the next member leaves, and why', async () => {
    await open();
    await addOrders('7');
    await until(() => matching().includes('1of 6 people'));
    expect(matching()).toMatch(/until usr_6 leaves: an Order Completed gets older than 7 days/);
  });

  it('of a rule that is counted for long show how far it is, and can be cancelled', async () => {
    const engine = await open();
    await addOrders('3');
    await until(() => matching().includes('4of 6 people'));
    const slow = { done: false, progress: 0.62, people: 6, members: 0, nodes: [], sentence: 'All of: slow' };
    engine.answer('people.rule', () => ({ ...slow, joinedLastMinute: 0, leftLastMinute: 0, nextLeave: null }));
    await typeText(input('Times'), '2');
    await until(() => matching().includes('so far 62%'));
    expect(matching()).toContain('4of 6 people');
    await click(byName('button', 'Cancel'));
    expect(matching()).not.toContain('so far');
    expect(byName('button', 'Count')).toBeTruthy();
    expect(inputsOf('people.cancel').length).toBeGreaterThan(0);
  });
});
