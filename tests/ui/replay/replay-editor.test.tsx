/** The copy that a replay sends: edited, checked, signed anew, and sent anywhere. */
import { EditorView } from '@codemirror/view';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { ReplayScreen } from '../../../src/renderer/screens/replay/replay-screen.tsx';
import { answering, CONFIG, ORDER } from '../detail/histories.ts';
import { openStage, type Stage } from '../detail/mount.tsx';
import { hooks } from '../detail/scenes.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const text = () => document.body.textContent ?? '';
const send = () => stage.find('button', /^Send/) as HTMLButtonElement;
const editor = () => EditorView.findFromDOM(stage.page.querySelector<HTMLElement>('[aria-label="Body"]')!)!;
const doc = () => editor().state.doc.toString();

async function replace(part: string, by: string): Promise<void> {
  const from = doc().indexOf(part);
  expect(from).toBeGreaterThan(-1);
  await act(async () => editor().dispatch({ changes: { from, to: from + part.length, insert: by } }));
  await stage.pass(500);
}
const labelled = (label: string) => stage.page.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)!;
async function type(field: HTMLInputElement, value: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
async function open(): Promise<void> {
  answering(stage, 'a', 'a', 'a', 'a');
  await stage.post(ORDER);
  await stage.show(<ReplayScreen messageId={1} />);
  await stage.pass(500);
}
const lastTo = (url: string) => stage.engine.transport.sent.filter((one) => one.url === url).at(-1)!;
const signed = (digest: string) => `X-Signature will be ${digest.slice(0, 8)}\u2026${digest.slice(-8)}`;

describe('an edited body', () => {
  it('names what each line was, is signed as it will be sent, and is sent so', async () => {
    await open();
    expect(text()).not.toMatch(/lines? edited/);
    await replace('184.5', '0');
    expect(text()).toContain('1 line edited');
    expect(text()).toContain('was 184.5');
    const body = JSON.stringify(JSON.parse(doc()));
    const digest = signatureOf(String(CONFIG.webhooks!.sharedSecret), Buffer.from(body));
    expect(text()).toContain(signed(digest));
    await stage.click('button', /^Send/);
    await stage.pass(500);
    const sent = lastTo(hooks[0]!.url);
    expect(sent.body).toBe(body);
    expect(sent.headers).toContainEqual(['X-Signature', digest]);
    expect(text()).toContain('Result of replay 1');
    expect(text()).toContain('Edited');
  });

  it('is a stop of the Tab key that a checker of pages sees, because it may scroll', async () => {
    await open();
    expect(editor().contentDOM.getAttribute('tabindex')).toBe('0');
  });

  it('goes back to the stored bytes by Reset, which are sent as a plain replay', async () => {
    await open();
    const before = doc();
    await replace('"EUR"', '"USD"');
    await stage.click('button', 'Reset');
    expect(doc()).toBe(before);
    expect(text()).not.toMatch(/lines? edited/);
    await stage.click('button', /^Send/);
    expect(stage.calls('replay.send')).toEqual([{ id: 1, webhookIds: [1, 2, 3, 4] }]);
  });

  it('that is no JSON marks its line, says why, and is not sent', async () => {
    await open();
    await replace('184.5', 'oops');
    expect(text()).toContain('Unexpected token at line');
    expect(stage.page.querySelector('#replay-note')?.textContent).toMatch(/^Unexpected token at line \d+/);
    const wrong = [...stage.page.querySelectorAll('.cm-line')].filter((line) =>
      line.textContent?.includes('Unexpected'),
    );
    expect(wrong.map((line) => line.textContent)).toEqual([expect.stringMatching(/^ +"total": oops,Unexpected token/)]);
    expect(send().disabled).toBe(true);
    await stage.press('Enter', { ctrlKey: true });
    expect(stage.calls('replay.send')).toEqual([]);
    await replace('oops', '1');
    expect(send().disabled).toBe(false);
    expect(text()).toContain('Valid JSON');
  });

  it('over the limit of a call warns and is sent', async () => {
    await open();
    await replace('"EUR"', JSON.stringify('x'.repeat(33_000)));
    expect(text()).toContain('is over the 32 KB of a call. It is sent all the same.');
    expect(send().disabled).toBe(false);
  });

  it('of an earlier replay comes back to be edited', async () => {
    await open();
    await stage.tell('replay.send', { id: 1, webhookIds: [1], body: '{"n":[1,2]}' });
    await stage.click('button', 'Edit this body');
    expect(JSON.parse(doc())).toEqual({ n: [1, 2] });
  });
});

describe('the options', () => {
  it('leave the signature out, or move the timestamp to the time of sending', async () => {
    await open();
    await stage.click('checkbox', 'Sign with the current shared secret');
    await stage.pass(500);
    expect(text()).toContain('Sent without a signature.');
    await stage.click('checkbox', 'Set a new timestamp');
    await stage.click('button', /^Send/);
    await stage.pass(500);
    const sent = lastTo(hooks[0]!.url);
    expect(sent.headers.map(([name]) => name)).not.toContain('X-Signature');
    const { timestamp } = JSON.parse(sent.body) as { timestamp: string };
    expect(Date.parse(timestamp)).toBe(sent.wall);
    expect(text()).toContain('Not signed');
  });
});

describe('the course', () => {
  it('stops at the first success when asked, and says what was not needed', async () => {
    await open();
    await stage.click('checkbox', 'Do not stop at the first success');
    const before = stage.engine.transport.sent.length;
    await stage.click('button', /^Send/);
    await stage.pass(500);
    expect(stage.calls('replay.send').at(-1)).toMatchObject({ untilAccepted: true });
    expect(stage.engine.transport.sent.length - before).toBe(1);
    const rows = [...stage.page.querySelectorAll('[aria-label="Result of replay 1"] tbody tr')];
    expect(rows.map((row) => row.lastElementChild?.textContent)).toEqual([
      'Same result',
      ...rows.slice(1).map(() => 'Not needed'),
    ]);
    expect(rows.length).toBeGreaterThan(1);
  });

  it('tries again, tells when, and stops', async () => {
    await open();
    answering(stage, 'f', 'a', 'a', 'a');
    await stage.tell('clock.setSpeed', { speed: 1 });
    await stage.click('checkbox', 'Retry for up to 4 h if it fails');
    await stage.click('button', /^Send/);
    await stage.pass(500);
    expect(text()).toMatch(/Next try in 0:\d\d/);
    expect(text()).toMatch(/the last one by \d\d:\d\d:\d\d/);
    const before = stage.engine.transport.sent.length;
    await stage.click('button', 'Stop');
    await stage.pass(60_000);
    expect(text()).toContain('Stopped. Nothing more is sent.');
    expect(stage.engine.transport.sent.length).toBe(before);
  });

  it('says that nothing is tried while the retry clock stands still', async () => {
    await open();
    answering(stage, 'f', 'a', 'a', 'a');
    await stage.tell('clock.pause', null);
    await stage.click('checkbox', 'Retry for up to 4 h if it fails');
    await stage.click('button', /^Send/);
    await stage.pass(500);
    expect(text()).toContain('Next try when the retry clock runs again');
  });
});

describe('the headers', () => {
  it('are those of Hookbench, and any others that a person adds', async () => {
    await open();
    await stage.click('tab', /^Headers/);
    for (const name of ['User-Agent', 'Content-Type', 'X-Signature']) expect(text()).toContain(name);
    await stage.click('button', 'Add header');
    await type(labelled('Name of header 1'), 'X-Try');
    await type(labelled('Value of header 1'), 'two');
    await stage.click('button', /^Send/);
    await stage.pass(500);
    expect(lastTo(hooks[0]!.url).headers).toContainEqual(['X-Try', 'two']);
  });

  it('that the engine refuses are named beside the button', async () => {
    await open();
    await stage.click('tab', /^Headers/);
    await stage.click('button', 'Add header');
    await type(labelled('Name of header 1'), 'X-Signature');
    await stage.click('button', /^Send/);
    expect(stage.page.querySelector('[role="alert"]')?.textContent).toContain('X-Signature is set by Hookbench');
  });
});

describe('other targets', () => {
  it('take a URL, refuse what is none, and can be removed', async () => {
    await open();
    for (const name of [/^CRM/, /^Warehouse/, /^Flaky/, /^Legacy/]) await stage.click('checkbox', name);
    expect(send().disabled).toBe(true);
    await stage.click('button', 'Other URL');
    const field = () => stage.page.querySelector<HTMLInputElement>('form input')!;
    await type(field(), 'localhost:4000');
    await stage.click('button', 'Add');
    expect(text()).toContain('Enter a full URL that starts with http:// or https://.');
    await type(field(), 'http://other.test/in');
    await stage.click('button', 'Add');
    expect(send().textContent).toContain('Send to 1 target');
    await stage.click('button', /^Send/);
    await stage.pass(500);
    expect(lastTo('http://other.test/in').body).toBe(lastTo(hooks[0]!.url).body);
    const cells = [...stage.page.querySelectorAll('tbody tr')].map((row) => row.textContent);
    expect(cells).toEqual([expect.stringMatching(/^other\.testNot tried.*200/)]);
    await stage.click('button', 'Remove other.test');
    expect(send().disabled).toBe(true);
  });
});

describe('a rejected message', () => {
  it('is sent as it was received, and marked so', async () => {
    const received = '{"event":"Of nobody",  "n": 1.50}';
    await stage.post(received);
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.pass(500);
    expect(text()).toContain('It is sent as it was received, and marked so.');
    await stage.click('button', /^Send/);
    await stage.pass(500);
    expect(lastTo(hooks[0]!.url).body).toBe(received);
    expect(text()).toContain('As received');
  });

  it('that is no JSON can be sent untouched', async () => {
    await stage.post('{"event": oops');
    await stage.show(<ReplayScreen messageId={1} />);
    await stage.pass(500);
    expect(text()).toContain('Unexpected token at line 1');
    await stage.click('button', /^Send/);
    await stage.pass(500);
    expect(lastTo(hooks[0]!.url).body).toBe('{"event": oops');
  });
});
