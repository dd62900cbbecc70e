import { describe, expect, it } from 'vitest';
import { heldText, modeOf, scrolled, startView } from '../../../../src/renderer/stores/live/view-mode.ts';

describe('whether new rows enter', () => {
  it('follows at the top, and reads when scrolled, selecting, in a menu or on a row by keyboard', () => {
    expect(modeOf(startView)).toBe('following');
    expect(modeOf({ ...startView, atTop: false })).toBe('reading');
    expect(modeOf({ ...startView, textSelected: true })).toBe('reading');
    expect(modeOf({ ...startView, menuOpen: true })).toBe('reading');
    expect(modeOf({ ...startView, keyboardFocus: true })).toBe('reading');
  });

  it('is paused wherever the list stands', () => {
    expect(modeOf({ ...startView, pausedAt: 1 })).toBe('paused');
    expect(modeOf({ ...startView, atTop: false, pausedAt: 1 })).toBe('paused');
  });

  it('lets held rows in above when the top is reached, and follows when it is reached again', () => {
    const away = scrolled(startView, 10, 0).view;
    const first = scrolled(away, 0, 12);
    expect(first.held).toBe('above');
    expect(modeOf(first.view)).toBe('reading');
    const second = scrolled(first.view, 0, 4);
    expect(second.held).toBe('enter');
    expect(modeOf(second.view)).toBe('following');
  });

  it('begins anew when the person turned away while catching up', () => {
    const first = scrolled(scrolled(startView, 10, 0).view, 0, 12);
    const away = scrolled(first.view, 40, 3).view;
    expect(scrolled(away, 0, 3).held).toBe('above');
  });

  it('follows at once when nothing is held', () => {
    const { view, held } = scrolled({ ...startView, atTop: false }, 0, 0);
    expect(held).toBe('keep');
    expect(modeOf(view)).toBe('following');
  });

  it('keeps held rows at the top while paused or while a row has the keyboard', () => {
    expect(scrolled({ ...startView, atTop: false, pausedAt: 1 }, 0, 5).held).toBe('keep');
    expect(scrolled({ ...startView, atTop: false, keyboardFocus: true }, 0, 5).held).toBe('keep');
  });

  it('counts held rows up to 999', () => {
    expect([heldText(12), heldText(999), heldText(1000)]).toEqual(['12', '999', '999+']);
  });
});
