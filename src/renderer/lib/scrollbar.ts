import css from './scrollbar.module.css';

/**
 * Puts the room that a scroll bar takes beside its content into `--scrollbar`: 10 px in Chromium, 0 where bars lie over
 * the content. Pages that scroll keep that room free and take it off their padding, so that their right edge is that of
 * the header whether they scroll or not.
 */
export function measureScrollbar(): void {
  const box = document.createElement('div');
  box.className = css.probe ?? '';
  document.body.append(box);
  document.documentElement.style.setProperty('--scrollbar', `${box.offsetWidth - box.clientWidth}px`);
  box.remove();
}
