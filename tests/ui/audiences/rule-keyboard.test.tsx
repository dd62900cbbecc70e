/** The rule editor by keyboard, on the real engine. */
import { afterEach, describe, expect, it } from 'vitest';
import { byName, click, focus, press, type as typeText, until } from '../base/harness.tsx';
import { addCountry, addOrders, choose, close, input, items, labels, matching, open, part } from './rule-world.tsx';

afterEach(close);

describe('the keyboard', () => {
  it('goes through the parts, moves them, and puts back what Backspace removed', async () => {
    await open();
    await addCountry();
    await addOrders('3');
    await click(byName('button', 'Group'));
    const inner = items().at(-1)!;
    await typeText(input('Trait', inner), 'name');
    await choose('Comparison', 'exists', inner);
    await until(() => matching().includes('of 6 people'));
    const says = () => labels().map((label) => label.replace(/, \d+ people$/, ''));
    const country = 'address.country is one of AT, DE, FR, IT';
    const orders = 'Order Completed at least 3 times in the last 7 days';
    await until(() => says().length === 5);
    expect(says()).toEqual(['All of these', `1: ${country}`, `2: ${orders}`, '3: Any of these', '3a: name exists']);

    await focus(part('1'));
    await press(part('1'), 'ArrowDown');
    expect(document.activeElement).toBe(part('2'));
    await press(part('2'), 'ArrowUp', { altKey: true });
    expect(says().slice(1, 3)).toEqual([`1: ${orders}`, `2: ${country}`]);
    expect(document.activeElement).toBe(part('1'));
    await press(part('2'), 'ArrowRight', { altKey: true });
    expect(says()).toEqual(['All of these', `1: ${orders}`, '2: Any of these', `2a: ${country}`, '2b: name exists']);
    await press(part('2a'), 'ArrowLeft', { altKey: true });
    expect(says().at(-1)).toBe(`3: ${country}`);

    await press(part('2a'), 'Backspace');
    expect(says()).toEqual(['All of these', `1: ${orders}`, `2: ${country}`]);
    await click(byName('button', 'Undo'));
    expect(says()).toEqual(['All of these', `1: ${orders}`, '2: Any of these', '2a: name exists', `3: ${country}`]);

    await press(part('1'), 'Enter');
    expect(document.activeElement).toBe(input('Event'));
    await press(input('Event'), 'Backspace');
    expect(says()).toHaveLength(5);
    await press(input('Times'), 'Escape');
    expect(document.activeElement).toBe(part('1'));
  });

  it('nests groups to three levels, not further', async () => {
    await open();
    await click(byName('button', 'Group'));
    await click(byName('button', 'Add to group 1'));
    await click(byName('[role="menuitem"]', 'Group'));
    expect(items().map((item) => item.getAttribute('aria-level'))).toEqual(['1', '2', '3', '3', '4']);
    await click(byName('button', 'Add to group 1b'));
    expect(byName('[role="menuitem"]', 'Group').getAttribute('aria-disabled')).toBe('true');
  });
});
