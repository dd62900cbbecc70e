/** What the rule editor shows of people and their calls, on the real engine. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { byName, click, inputsOf, type as typeText, until } from '../base/harness.tsx';
import { add, addCountry, addOrders, close, input, matching, open, part } from './rule-world.tsx';

afterEach(close);

describe('the sample', () => {
  it('says why each is in, and marks the condition', async () => {
    await open();
    await addCountry();
    await addOrders('3');
    await until(() => matching().includes('3of 6 people'));
    const sample = () => byName('section', 'Sample');
    // The sample of the first condition alone has usr_6 too, without its orders.
    await until(() => sample().textContent!.includes('7 times'));
    expect([...sample().querySelectorAll('li')].map((row) => row.textContent)).toEqual([
      'Mira Kova\u010dusr_11AT24 times',
      'usr_21DE23 times',
      'usr_61IT27 times',
    ]);
    const chip = [...sample().querySelectorAll('button')].find((one) => one.textContent === '24 times')!;
    const classes = () => part('2').className.split(' ').length;
    const before = classes();
    await act(async () => chip.focus());
    expect(classes()).toBe(before + 1);
    await click(chip);
    expect(document.activeElement).toBe(part('2'));
  });

  it('answers whether one user is in, with the first condition that fails', async () => {
    await open();
    await addCountry();
    await addOrders('3');
    await until(() => matching().includes('3of 6 people'));
    const verdict = () => byName('section', 'Is this user in?').querySelector('[role="status"]')!.textContent;
    await typeText(input('User id'), 'usr_3');
    await until(() => verdict() !== '');
    expect(verdict()).toBe('No.22 times in 7 days, 3 needed. All else fits.');
    await typeText(input('User id'), 'usr_4');
    await until(() => verdict()!.includes('US'));
    expect(verdict()).toBe('No.1address.country is US. All else fits.');
    await typeText(input('User id'), 'usr_1');
    await until(() => verdict()!.startsWith('Yes.'));
    await typeText(input('User id'), 'usr_1 ');
    await until(() => verdict()!.startsWith('No.'));
    expect(verdict()).toBe('No.No source knows it.');
  });
});

it('answers about the last complete rule while a further condition is written', async () => {
  await open();
  await addOrders('3');
  await until(() => matching().includes('4of 6 people'));
  await add('Trait of the user');
  await typeText(input('User id'), 'usr_3');
  const verdict = () => byName('section', 'Is this user in?').querySelector('[role="status"]')!.textContent!;
  await until(() => verdict() !== '');
  expect(verdict()).toBe('No.12 times in 7 days, 3 needed.');
});

it('knows the properties of the event for a filter', async () => {
  await open();
  await addOrders('3');
  await click(byName('button', 'Count only calls where'));
  await until(() => inputsOf('people.properties').length > 0);
  expect(inputsOf('people.properties')).toContainEqual({ event: 'Order Completed' });
  await typeText(input('Property'), 'properties.totl');
  await act(async () => input('Property').blur());
  await until(() => part('1').textContent!.includes('Not in its newest calls.'));
  await typeText(input('Property'), 'properties.total');
  await act(async () => input('Property').blur());
  await until(() => !part('1').textContent!.includes('Not in its newest calls.'));
});
