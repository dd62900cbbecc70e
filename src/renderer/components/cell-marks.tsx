/** Drawings of webhook cells (12 px). Shape first, colour second (design/ui, section 6). */
import type { ReactNode } from 'react';
import css from './glyph.module.css';

/** By the character of `MessageRow.cells`. */
export const CELL_MARKS = {
  a: (
    <>
      <rect className={css.wonFill} width="12" height="12" rx="3" fill="var(--ok-solid)" />
      <path
        className={css.wonStroke}
        d="m3.2 6.2 1.9 1.9 3.7-4"
        fill="none"
        stroke="var(--glyph-ink)"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  f: (
    <>
      <rect width="12" height="12" rx="3" fill="var(--bad-solid)" />
      <path d="m3.8 3.8 4.4 4.4m0-4.4L3.8 8.2" stroke="var(--glyph-ink)" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  t: (
    <>
      <rect width="12" height="12" rx="3" fill="var(--warn-solid)" />
      <path
        d="M6 2.8v3.4l2.3 1.5"
        fill="none"
        stroke="var(--glyph-ink)"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  r: (
    <>
      <rect x=".75" y=".75" width="10.5" height="10.5" rx="2.5" fill="none" stroke="var(--bad)" strokeWidth="1.5" />
      <path d="m3.2 8.8 5.6-5.6" stroke="var(--bad)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  n: (
    <>
      <rect x=".75" y=".75" width="10.5" height="10.5" rx="2.5" fill="none" stroke="var(--bad)" strokeWidth="1.5" />
      <path d="m4 4 4 4m0-4L4 8" stroke="var(--bad)" strokeWidth="1.4" strokeLinecap="round" />
    </>
  ),
  s: (
    <>
      <rect x=".75" y=".75" width="10.5" height="10.5" rx="2.5" fill="none" stroke="var(--accent)" strokeWidth="1.5" />
      <path
        d="M3 6h5.6M6.6 3.9 8.8 6 6.6 8.1"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  w: (
    <>
      <rect x=".75" y=".75" width="10.5" height="10.5" rx="2.5" fill="none" stroke="var(--warn)" strokeWidth="1.5" />
      <circle cx="6" cy="6" r="1.5" fill="var(--warn)" />
    </>
  ),
  d: (
    <>
      <path d="M6 .8 11.2 6 6 11.2.8 6z" fill="none" stroke="var(--bad)" strokeWidth="1.5" strokeLinejoin="round" />
      <circle cx="6" cy="6" r="1.3" fill="var(--bad)" />
    </>
  ),
  m: (
    <>
      <path
        d="M1.8 10V7.4a2.8 2.8 0 0 1 2.8-2.8H10M7.4 1.8l2.8 2.8-2.8 2.8"
        fill="none"
        stroke="var(--bad)"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  '.': (
    <>
      <circle cx="6" cy="6" r="1.5" fill="var(--idle)" />
    </>
  ),
  x: (
    <>
      <path d="M3 6h6" stroke="var(--idle)" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  p: (
    <>
      <path d="M4.2 3.6v4.8M7.8 3.6v4.8" stroke="var(--idle)" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  l: (
    <>
      <rect x=".75" y=".75" width="10.5" height="10.5" rx="2.5" fill="none" stroke="var(--warn)" strokeWidth="1.5" />
      <path d="M3.4 4.6h5.2M3.4 7.4h5.2" stroke="var(--warn)" strokeWidth="1.4" strokeLinecap="round" />
    </>
  ),
  i: (
    <>
      <rect
        x=".75"
        y=".75"
        width="10.5"
        height="10.5"
        rx="2.5"
        fill="none"
        stroke="var(--warn)"
        strokeWidth="1.5"
        strokeDasharray="2.4 2"
      />
      <path d="M6 3.2v3.4" stroke="var(--warn)" strokeWidth="1.5" strokeLinecap="round" />
      <circle cx="6" cy="8.7" r=".8" fill="var(--warn)" />
    </>
  ),
} satisfies Record<string, ReactNode>;
export type CellMark = keyof typeof CELL_MARKS;
