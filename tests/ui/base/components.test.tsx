import { act, useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { Banner } from '../../../src/renderer/components/banner.tsx';
import { Button } from '../../../src/renderer/components/button.tsx';
import { CommitField } from '../../../src/renderer/components/commit-field.tsx';
import { Seg, Switch, Tabs } from '../../../src/renderer/components/controls.tsx';
import { Countdown, HookCells, StateText } from '../../../src/renderer/components/glyph.tsx';
import { SearchInput } from '../../../src/renderer/components/input.tsx';
import { JsonView } from '../../../src/renderer/components/json-view.tsx';
import { Text } from '../../../src/renderer/components/text.tsx';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { showError, showToast, toastManager } from '../../../src/renderer/stores/toasts.ts';
import { HOSTILE_NAMES } from '../../helpers/fake-data.ts';
import {
  blur,
  byName,
  click,
  connectEngine,
  disconnect,
  focus,
  letNoticesGo,
  press,
  type Rendered,
  render,
  settle,
  settled,
  type as typeText,
} from './harness.tsx';

let shown: Rendered | null = null;
const show = async (element: Parameters<typeof render>[0]) => {
  shown = await render(element);
  return shown.container;
};
afterEach(() => {
  shown?.unmount();
  shown = null;
});

describe('Text', () => {
  it('shows hostile names as text, never as markup', async () => {
    for (const name of HOSTILE_NAMES) {
      const container = await show(<Text>{name}</Text>);
      expect(container.querySelector('script, img, b, a')).toBeNull();
      expect(container.querySelectorAll('bdi')).toHaveLength(1);
      shown?.unmount();
    }
  });
  it('boxes hidden characters and cuts what nobody can read', async () => {
    const container = await show(<Text>{`a\u202Eb${'x'.repeat(5000)}`}</Text>);
    expect(container.querySelector('[title="A character that is not visible"]')?.textContent).toBe('U+202E');
    expect(container.textContent?.length).toBeLessThan(2100);
    expect(container.querySelector('bdi')?.getAttribute('dir')).toBe('auto');
  });
});

describe('cells and states', () => {
  it('are one image with a sentence', async () => {
    const container = await show(<HookCells cells="aftrp" quiet />);
    const image = container.querySelector('[role="img"]');
    expect(image?.getAttribute('aria-label')).toBe('Webhooks: 1 accepted, 2 failed, 3 timed out, 4 refused, 5 paused');
    expect(image?.querySelectorAll('svg[aria-hidden="true"]')).toHaveLength(5);
  });
  it('show the countdown in real time and read out the time of the round instead', async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    useRecords.setState({ clock: { speed: 60, paused: false, wallAt: 1_000_000, clockAt: 1_000_000 } });
    const container = await show(<Countdown at={1_000_000 + 12_500 * 60} label="next round at" />);
    expect(container.querySelector('[aria-hidden="true"]')?.textContent).toBe('0:12');
    expect(container.querySelector('[title] > :not([aria-hidden])')?.textContent).toMatch(/^next round at \d\d:16:52$/);
    expect(container.querySelector('[title]')?.getAttribute('title')).toContain('on the retry clock');
    shown?.unmount();
    shown = null;
    vi.useRealTimers();
  });
  it('say the state in words beside the glyph', async () => {
    const sources = [{ name: 'web', writeKey: 'wk_web', kind: 'web' as const, enabled: true, webhooks: true }];
    const engine = await connectEngine({ config: { sources } });
    const properties = { note: 'x'.repeat(42_100) };
    await settled(engine.post('/v1/track', { type: 'track', userId: 'u', event: 'E', properties }, 'wk_web'));
    const [row] = await settled(call('messages.byIds', { ids: [1] }));
    const container = await show(<StateText row={row!} />);
    expect(container.textContent).toBe('Rejected41.2 KB');
    const suppressed = { ...row!, reason: 'user_suppressed', reasonDetail: 'usr_5d10_of_a_long_name' };
    const texts = [140, 240, 360].map((width) => {
      const text = renderToStaticMarkup(<StateText row={suppressed} width={width} />);
      return text.replace(/<[^>]+>/g, '');
    });
    expect(texts).toEqual([
      'Rejectedsuppr.',
      'Rejectedsuppressed user',
      'Rejectedusr_5d10_of_a_long_name is suppressed',
    ]);
    disconnect();
  });
});

describe('controls', () => {
  it('Switch and Seg are named and tell their state', async () => {
    const changes: unknown[] = [];
    await show(
      <>
        <Switch checked label="Send to CRM" onChange={(on) => changes.push(on)} />
        <Seg
          label="Speed"
          value={1}
          options={[
            { value: 1, label: '1×' },
            { value: 10, label: '10×' },
          ]}
          onChange={(v) => changes.push(v)}
        />
      </>,
    );
    expect(byName('[role="switch"]', 'Send to CRM').getAttribute('aria-checked')).toBe('true');
    await click(byName('[role="switch"]', 'Send to CRM'));
    await click(byName('[role="radio"]', '10×'));
    expect(changes).toEqual([false, 10]);
  });
  it('Tabs move with the arrow keys', async () => {
    const Page = () => {
      const [tab, setTab] = useState<'a' | 'b'>('a');
      return (
        <Tabs
          value={tab}
          items={[
            { value: 'a', label: 'Attempts', extra: 28 },
            { value: 'b', label: 'Payload' },
          ]}
          onChange={setTab}
        >
          panel {tab}
        </Tabs>
      );
    };
    await show(<Page />);
    const first = byName('[role="tab"]', 'Attempts28');
    await focus(first);
    await press(first, 'ArrowRight');
    expect(byName('[role="tab"]', 'Payload').getAttribute('aria-selected')).toBe('true');
    expect(document.querySelector('[role="tabpanel"]')?.textContent).toBe('panel b');
  });
  it('SearchInput clears with Escape', async () => {
    const Page = () => {
      const [text, setText] = useState('abc');
      return <SearchInput label="Filter" value={text} onValue={setText} />;
    };
    await show(<Page />);
    const input = byName('[role="searchbox"]', 'Filter') as HTMLInputElement;
    await press(input, 'Escape');
    expect(input.value).toBe('');
  });
  it('Banner announces itself only when asked', async () => {
    const container = await show(
      <Banner tone="bad" alert title="Port 8765 is in use." actions={<Button>Try again</Button>} />,
    );
    expect(container.querySelector('[role="alert"]')?.textContent).toContain('Port 8765 is in use.');
  });
});

describe('CommitField', () => {
  const field = () => byName('input', 'URL') as HTMLInputElement;

  it('saves on blur and on Enter, once for each text', async () => {
    const saved: string[] = [];
    await show(<CommitField label="URL" value="old" onCommit={async (text) => saved.push(text)} />);
    await typeText(field(), ' new ');
    await press(field(), 'Enter');
    await blur(field());
    expect(saved).toEqual(['new']);
    await typeText(field(), 'newer');
    await blur(field());
    expect(saved).toEqual(['new', 'newer']);
  });
  it('saves once when the blur comes while Enter is still saving', async () => {
    const save = vi.fn(() => new Promise(() => {}));
    await show(<CommitField label="URL" value="old" onCommit={save} />);
    await typeText(field(), 'new');
    await press(field(), 'Enter');
    await blur(field());
    expect(save).toHaveBeenCalledOnce();
  });
  it('does not save what has not changed, and Escape brings the saved text back', async () => {
    const save = vi.fn(async () => {});
    await show(<CommitField label="URL" value="old" onCommit={save} />);
    await typeText(field(), 'x');
    await press(field(), 'Escape');
    expect(field().value).toBe('old');
    await typeText(field(), 'old ');
    await blur(field());
    expect(save).not.toHaveBeenCalled();
  });
  it('keeps a refused text with its error tied to the field', async () => {
    const refuse = async () => {
      throw new ContractError('invalid_url');
    };
    await show(<CommitField label="URL" value="old" onCommit={refuse} />);
    await typeText(field(), 'ftp://x');
    await press(field(), 'Enter');
    expect(field().value).toBe('ftp://x');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    const about = document.getElementById(field().getAttribute('aria-describedby') ?? '');
    expect(about?.textContent).toBe('Enter a full URL that starts with http:// or https://.');
  });
});

describe('toasts', () => {
  it('go after 6 s, or after the time that they are given; errors stay', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    letNoticesGo();
    await show(<ToastRegion />);
    act(() => {
      showToast({ title: 'Saved' });
      showToast({ title: '2 messages hidden', durationMs: 10_000 });
      showError({ title: 'Could not save' });
    });
    const later = async (ms: number) => {
      await act(async () => vi.advanceTimersByTimeAsync(ms));
      return ['Saved', '2 messages hidden', 'Could not save'].map((title) =>
        document.body.textContent?.includes(title),
      );
    };
    expect(await later(5_900)).toEqual([true, true, true]);
    expect(await later(200)).toEqual([false, true, true]);
    expect(await later(3_800)).toEqual([false, true, true]);
    expect(await later(200)).toEqual([false, false, true]);
    expect(await later(60_000)).toEqual([false, false, true]);
    act(() => toastManager.close());
  });

  it('run their action once and go, and leave an error where it is', async () => {
    vi.useFakeTimers();
    await show(<ToastRegion />);
    const undo = vi.fn();
    act(() => {
      showToast({ title: 'Retry clock at 60×', action: { label: 'Undo', run: undo } });
      showError({ title: 'Could not save' });
    });
    await settle();
    expect(document.querySelector('[aria-hidden="true"] button, button[aria-hidden="true"]')).toBeNull();
    expect(document.querySelectorAll('[role="alert"]')).toHaveLength(1);
    await click(byName('button', 'Undo'));
    expect(undo).toHaveBeenCalledOnce();
    expect(document.body.textContent).not.toContain('Retry clock at 60×');
    expect(document.body.textContent).toContain('Could not save');
    act(() => toastManager.close());
    await settle();
    vi.useRealTimers();
  });
});

describe('JsonView', () => {
  it('shows the text as it is, hidden characters boxed, nothing as markup', async () => {
    const text = '{\n  "html": "<img src=x onerror=alert(1)>",\n  "bidi": "a\u202Eb"\n}';
    const container = await show(<JsonView text={text} label="Payload" />);
    expect(container.querySelector('img[src]')).toBeNull();
    expect(container.querySelector('[role="textbox"]')?.getAttribute('aria-label')).toBe('Payload');
    expect(container.querySelector('.cm-content')?.textContent).toContain('<img src=x onerror=alert(1)>');
    expect(container.querySelector('.cm-content [title]')?.textContent).toBe('U+202E');
  });
  it('folds strings over 2,000 characters and shows the whole of one when asked', async () => {
    const long = 'y'.repeat(2_050);
    const container = await show(<JsonView text={`{\n  "a": "${long}",\n  "b": 1\n}`} label="Payload" />);
    const content = () => container.querySelector('.cm-content')?.textContent ?? '';
    expect(content()).toContain(`"${'y'.repeat(200)}\u2026 1.8 KB more",`);
    await click(byName('button', 'Show 1.8 KB more'));
    expect(content()).toContain(`"${long}",`);
    expect(document.activeElement?.classList.contains('cm-content')).toBe(true);
  });
  it('leaves a string of 2,000 characters whole', async () => {
    const container = await show(<JsonView text={`{ "a": "${'y'.repeat(2_000)}" }`} label="Payload" />);
    expect(container.querySelector('.cm-foldPlaceholder')).toBeNull();
  });
  it('cuts a body over 64 KB until all is asked for, and cuts the next one again', async () => {
    const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const lines = (mark: string) => `${mark.repeat(70_000)}end`;
    const Page = () => {
      const [text, setText] = useState(lines('a'));
      return (
        <>
          <JsonView text={text} label="Response body" language="text" />
          <Button onClick={() => setText(lines('b'))}>Next</Button>
        </>
      );
    };
    const container = await show(<Page />);
    const banner = () => container.querySelector('b')?.parentElement?.textContent ?? '';
    expect(banner()).toContain('Large body. Only the first part of 68.4 KB is shown.');
    await click(byName('button', 'Save as file'));
    expect(saved).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ size: 70_003 }));
    await click(byName('button', 'Show all'));
    expect(banner()).toBe('');
    expect(container.querySelector('.cm-editor')).not.toBeNull();
    await click(byName('button', 'Next'));
    expect(banner()).toContain('Large body.');
    vi.restoreAllMocks();
  });
});
