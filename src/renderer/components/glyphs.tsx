/** Drawings of states (16 px). Shape first, colour second (design/ui, section 6). */
import type { ReactNode } from 'react';
import css from './glyph.module.css';

export const GLYPHS = {
  received: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="var(--text-3)" strokeWidth="1.5" />
      <path
        d="M8 4.8v5.6M5.7 8.4 8 10.7l2.3-2.3"
        fill="none"
        stroke="var(--text-3)"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  rejected: (
    <>
      <path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z" fill="var(--bad-solid)" />
      <path d="M4.8 8h6.4" stroke="var(--glyph-ink)" strokeWidth="1.8" strokeLinecap="round" />
    </>
  ),
  queued: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6.25"
        fill="none"
        stroke="var(--text-3)"
        strokeWidth="1.5"
        strokeDasharray="2.2 2.7"
        strokeLinecap="round"
      />
    </>
  ),
  waiting: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6.25"
        fill="none"
        stroke="var(--text-2)"
        strokeWidth="1.5"
        strokeDasharray="2.2 2.7"
        strokeLinecap="round"
      />
      <path
        d="M5.2 8h5.2M8.4 5.9 10.6 8l-2.2 2.1"
        fill="none"
        stroke="var(--text-2)"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  delivering: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="var(--active)" strokeWidth="1.75" />
      <path
        className={css.spinning}
        d="M8 1.75A6.25 6.25 0 1 1 1.75 8"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
    </>
  ),
  delivered: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="var(--ok-soft)" stroke="var(--ok-solid)" strokeWidth="1.5" />
      <path
        d="m5.3 8.2 1.9 1.9 3.5-3.9"
        fill="none"
        stroke="var(--ok)"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  retrying: (
    <>
      <path
        d="M13.6 5.2A6.25 6.25 0 1 0 14.25 8"
        fill="none"
        stroke="var(--warn)"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
      <path
        d="M14.2 2.2v3.4h-3.4"
        fill="none"
        stroke="var(--warn)"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        d="M8 5.2V8l1.9 1.2"
        fill="none"
        stroke="var(--warn)"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  timed_out: (
    <>
      <circle cx="8" cy="8" r="7" fill="var(--warn-solid)" />
      <path
        d="M8 4.2V8.3l2.7 1.7"
        fill="none"
        stroke="var(--glyph-ink)"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  failed: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="3.5" fill="var(--bad-solid)" />
      <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" stroke="var(--glyph-ink)" strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
  declined: (
    <>
      <path d="M8 .9 15.1 8 8 15.1.9 8z" fill="none" stroke="var(--bad)" strokeWidth="1.5" strokeLinejoin="round" />
      <path d="M8 5v3.6" stroke="var(--bad)" strokeWidth="1.7" strokeLinecap="round" />
      <circle cx="8" cy="10.9" r=".95" fill="var(--bad)" />
    </>
  ),
  refused_certificate: (
    <>
      <path
        d="M8 1.4 13.4 3.4v4.2c0 3.4-2.2 5.7-5.4 7-3.2-1.3-5.4-3.6-5.4-7V3.4z"
        fill="none"
        stroke="var(--bad)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <path d="m5.2 11 5.6-6" stroke="var(--bad)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  expired: (
    <>
      <path
        d="M4 1.8h8M4 14.2h8M4.8 1.8v2.4c0 1.6 3.2 2.6 3.2 3.8s-3.2 2.2-3.2 3.8v2.4M11.2 1.8v2.4C11.2 5.8 8 6.8 8 8s3.2 2.2 3.2 3.8v2.4"
        fill="none"
        stroke="var(--bad)"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  paused: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="var(--text-3)" strokeWidth="1.5" />
      <path d="M6.4 5.8v4.4M9.6 5.8v4.4" stroke="var(--text-3)" strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
  not_selected: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="var(--text-3)" strokeWidth="1.5" />
      <path d="m3.8 12.2 8.4-8.4" stroke="var(--text-3)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  redirect: (
    <>
      <path
        d="M3 13V9.5A3.5 3.5 0 0 1 6.5 6H13M9.8 2.8 13 6 9.8 9.2"
        fill="none"
        stroke="var(--bad)"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  no_connection: (
    <>
      <path
        d="M2 8h3.4M10.6 8H14M6.2 5.4l3.6 5.2m0-5.2-3.6 5.2"
        fill="none"
        stroke="var(--bad)"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </>
  ),
  not_tried: (
    <>
      <circle cx="8" cy="8" r="2" fill="var(--idle)" />
    </>
  ),
  not_needed: (
    <>
      <path
        d="M3.5 4.5 7 8l-3.5 3.5M8 4.5 11.5 8 8 11.5M13 4.5v7"
        fill="none"
        stroke="var(--text-3)"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  stopped: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="var(--text-3)" strokeWidth="1.5" />
      <path d="m5.9 5.9 4.2 4.2m0-4.2-4.2 4.2" stroke="var(--text-3)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  throttled: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="var(--warn)" strokeWidth="1.5" />
      <path d="M5.2 6.6h5.6M5.2 9.4h5.6" stroke="var(--warn)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  interrupted: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="var(--warn)" strokeWidth="1.5" strokeDasharray="4.5 2.4" />
      <path d="M8 4.6v4" stroke="var(--warn)" strokeWidth="1.6" strokeLinecap="round" />
      <circle cx="8" cy="11" r=".9" fill="var(--warn)" />
    </>
  ),
} satisfies Record<string, ReactNode>;
export type GlyphName = keyof typeof GLYPHS;
