/** The window's place, size and theme between two starts, as a small file in the user data folder. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { THEMES, type Theme } from '../shell/bridge-names.ts';

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowState {
  /** Null until the window is moved; until then the system places it. */
  readonly bounds: Bounds | null;
  readonly maximised: boolean;
  readonly theme: Theme;
}

/** Least size of the design (ui, section 4). */
export const LEAST_SIZE = { width: 880, height: 600 } as const;
export const FIRST_SIZE = { width: 1440, height: 900 } as const;

const fresh: WindowState = { bounds: null, maximised: false, theme: 'system' };

const isBounds = (value: unknown): value is Bounds =>
  typeof value === 'object' &&
  value !== null &&
  ['x', 'y', 'width', 'height'].every((name) => Number.isInteger((value as Record<string, unknown>)[name]));

/** How much of a window must be on a screen for it to be found and moved. */
const VISIBLE_PART = { width: 120, height: 60 } as const;

const isOn = (bounds: Bounds, area: Bounds): boolean =>
  Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x) >= VISIBLE_PART.width &&
  bounds.y >= area.y &&
  bounds.y <= area.y + area.height - VISIBLE_PART.height;

/** Makes a usable state for these screens from whatever a file held. */
export function usableState(value: unknown, workAreas: readonly Bounds[]): WindowState {
  if (typeof value !== 'object' || value === null) return fresh;
  const { bounds, maximised, theme } = value as Record<string, unknown>;
  const isUsable = isBounds(bounds) && workAreas.some((area) => isOn(bounds, area));
  return {
    bounds: isUsable
      ? {
          ...bounds,
          width: Math.max(bounds.width, LEAST_SIZE.width),
          height: Math.max(bounds.height, LEAST_SIZE.height),
        }
      : null,
    maximised: maximised === true,
    theme: THEMES.find((known) => known === theme) ?? 'system',
  };
}

/** A missing or damaged file gives the first start's state. */
export function readWindowState(path: string, workAreas: readonly Bounds[]): WindowState {
  try {
    return usableState(JSON.parse(readFileSync(path, 'utf8')), workAreas);
  } catch {
    return fresh;
  }
}

/** Writes the file whole under another name first. A full disk loses only the place of a window. */
export function writeWindowState(path: string, state: WindowState): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // The place is only a convenience.
  }
}
