import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { MessageDetail } from '../../../src/renderer/screens/detail/message-detail.tsx';
import { useView } from '../../../src/renderer/stores/view.ts';
import { HOSTILE_NAMES } from '../../helpers/fake-data.ts';
import { answering, ORDER } from './histories.ts';
import { openStage, type Stage } from './mount.tsx';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await stage.close();
  useView.setState({ changesAs: 'fields', changesAll: false });
});

const show = (full = true) => stage.show(<MessageDetail id={1} tab="compare" full={full} onClose={() => {}} />);
const text = () => stage.page.textContent ?? '';
const table = () => stage.page.querySelector('[role="table"][aria-label="Fields of the call"]');
const cellsOf = (row: Element) =>
  [...row.querySelectorAll('[role$="cell"], [role="rowheader"], [role="columnheader"]')].map(
    (cell) => cell.textContent,
  );
const rows = () => [...(table()?.querySelectorAll('[role="row"]') ?? [])].map(cellsOf);
const rowOf = (field: string) => rows().find(([name]) => name === field);
const region = () => stage.page.querySelector('section[aria-label^="Received and"]');

describe('Received and delivered', () => {
  it('shows each changed field in its three forms with the reason, and folds the others', async () => {
    await stage.post(
      { batch: [{ ...ORDER, type: 'track', userId: 70042 }], context: { library: { name: 'analytics-go' } } },
      '/v1/batch',
    );
    await show();
    expect(text()).toContain('What changed before sending6 of 11 fields: 1 rewritten, 4 added, 2 left out');
    expect(rows()[0]![1]).toMatch(/^Received \d+ B of a batch of 1$/);
    expect(rows()[0]![3]).toMatch(/^Delivered \d+ B, compact$/);
    expect(rowOf('userId')).toEqual([
      'userId',
      '70042',
      '~ rewritten: "70042"',
      '"70042"',
      'Ids that are numbers become strings',
    ]);
    expect(rowOf('messageId')?.slice(3)).toEqual(['\u2212left out', 'Not in the documented body']);
    expect(rowOf('context')?.[1]).toBe('in the batch, not the call');
    expect(rowOf('context')?.[4]).toBe('Merged from the context of the batch');
    expect(rowOf('version')).toEqual(['version', 'not there', 'not there', '+ added: 1', 'Added by the destination']);
    expect(rowOf('properties')).toEqual(['properties', '3 fields', 'the same', 'the same', 'unchanged']);
    await stage.click('button', 'properties');
    expect(rowOf('properties.total')).toEqual(['properties.total', '184.5', '184.5', '184.5', 'unchanged']);
  });

  it('gives every coloured cell a reason in words', async () => {
    await stage.post({ ...ORDER, anonymousId: 'a', own: [], context: { locale: 'de' }, integrations: { all: true } });
    await show();
    const coloured = [...(table()?.querySelectorAll('[data-change]') ?? [])];
    expect(coloured.length).toBeGreaterThan(6);
    for (const cell of coloured) expect(cell.parentElement?.lastElementChild?.textContent).toMatch(/\w{3}/);
    expect(rowOf('integrations')?.[4]).toBe('all counts as All; used for routing only');
  });

  it('switches between changed and all fields with V, and between its forms; the choice is kept', async () => {
    await stage.post(ORDER);
    await show();
    const changed = rows().length;
    expect(rowOf('event')).toBeUndefined();
    await stage.press('v');
    expect(rows().length).toBeGreaterThan(changed);
    expect(rowOf('event')?.[4]).toBe('unchanged');
    await stage.click('radio', 'Inline');
    expect(table()).toBeNull();
    expect(region()?.textContent).toContain('"messageId"');
    expect(useView.getState()).toMatchObject({ changesAs: 'inline', changesAll: true });
    const legend = stage.page.querySelector('dl[aria-label="Why"]')?.textContent;
    expect(legend).toContain('\u2212 Left outNot in the documented body: messageId');
    expect(legend).toContain('+ AddedAdded by the destination: version');
  });

  it('offers no side by side beside the list', async () => {
    await stage.post(ORDER);
    useView.setState({ changesAs: 'sides' });
    await show(false);
    expect(stage.find('radio', 'Side by side')).toBeUndefined();
    expect(region()?.getAttribute('aria-label')).toBe('Received and delivered, in one text');
    expect(useView.getState().changesAs).toBe('sides');
  });

  it.each([
    ['To be sent', 's', {}],
    ['Sent', 'd', {}],
    ['Would be sent', 'd', { integrations: { All: false } }],
  ])('heads the last form with what became of it: %s', async (name, letter, over) => {
    answering(stage, letter, letter, letter, letter);
    await stage.post({ ...ORDER, ...over });
    await show();
    expect(rows()[0]![3]).toMatch(new RegExp(`^${name} \\d+ B, compact$`));
  });

  it('shows a rejected call alone, with the reason', async () => {
    await stage.post({ event: 'Of nobody', messageId: 'm-1' });
    await show();
    expect(text()).toContain('Rejected: this call has neither userId nor anonymousId.');
    expect(text()).toContain('A rejected call is not normalised, and nothing is sent.');
    expect(stage.page.querySelector('[aria-label="Received call"]')?.textContent).toContain('"event": "Of nobody"');
    expect(table()).toBeNull();
  });

  it('says that there is no call when the bytes were none', async () => {
    await stage.post('{"event": "E",, }');
    await show();
    expect(text()).toContain('There is no call to compare. Raw shows what is kept of the request.');
    expect(text()).toContain('Rejected: the body is not valid JSON. Unexpected token at line 1, column 15.');
  });

  it('says when the call could not be read, and tries again', async () => {
    await stage.post(ORDER);
    stage.engine.failNext('messages.changes', new ContractError('internal'));
    await show();
    expect(text()).toContain('The call could not be read.');
    await stage.click('button', 'Try again');
    expect(table()).not.toBeNull();
  });

  it('folds 700 unchanged fields, draws them 500 at a time, and marks hidden characters', async () => {
    const properties = Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`field${n}`, n]));
    await stage.post({ ...ORDER, properties, 'own\u202e': HOSTILE_NAMES[0], long: 'x'.repeat(80) });
    await show();
    expect(rowOf('properties')?.[1]).toBe('700 fields');
    const folded = rows().length;
    await stage.click('button', 'properties');
    expect(rows().length).toBe(folded + 501);
    await stage.click('button', 'Show 200 more of 700 fields');
    expect(rows().length).toBe(folded + 700);
    expect(text()).not.toContain('\u202e');
    expect(text()).toContain('U+202E');
    const long = stage.find('button', /^"x{59}…$/);
    expect(long?.getAttribute('aria-expanded')).toBe('false');
    await stage.click('button', /^"x{59}…$/);
    expect(stage.find('button', /^"x{80}"$/)?.getAttribute('aria-expanded')).toBe('true');
  });

  it('tells of keys that came twice', async () => {
    await stage.post('{"userId":"u","event":"E","properties":{"a":1,"a":2}}');
    await show();
    expect(text()).toContain('The key properties.a came more than once; the last value counts.');
  });
});
