/**
 * Every part of Electron that the desktop shell uses, read from its sources: `app.quit`, `app 'will-quit'`,
 * `BrowserWindow.show`,
 * `BrowserWindow icon:`. Variables are known by their import, their annotation or how they were made.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Types of Electron, or our types that stand for one, and their names in the table. */
const classes: Readonly<Record<string, string>> = {
  BrowserWindow: 'BrowserWindow',
  WebContents: 'WebContents',
  Session: 'Session',
  DownloadItem: 'DownloadItem',
  PagePort: 'MessagePortMain',
  SafeStorage: 'safeStorage',
  IpcMainEvent: 'IpcMainEvent',
  Event: 'IpcMainEvent',
};

/** Expressions that make an Electron object, and the variables that hold it. */
const makers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(\w+) = (?:new BrowserWindow|createWindow)\(/g, 'BrowserWindow'],
  [/\b(\w+) = session\.fromPartition\(/g, 'Session'],
  [/\{ (port1), port2 \} = new MessageChannelMain\(/g, 'MessagePortMain'],
  [/\b(\w+) = event\.senderFrame;/g, 'WebFrameMain'],
  [/ipcMain\.(?:on|handle)\([^,]+, \((event)\b/g, 'IpcMainEvent'],
  [/\b(?:\(_event, |event\.)(sender)\b/g, 'WebContents'],
  [/'will-download', \(event, (item)\b/g, 'DownloadItem'],
  [/getAllDisplays\(\)\.map\(\((\w+)\)/g, 'Display'],
];

/** Members whose value is another Electron object. */
const parts: Readonly<Record<string, string>> = {
  webContents: 'WebContents',
  protocol: 'Protocol',
  webRequest: 'WebRequest',
  senderFrame: 'WebFrameMain',
};

const importsOf = (source: string): string[] =>
  [...source.matchAll(/import \{([^}]*)\} from 'electron'/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );

const valuesOf = (source: string): string[] => importsOf(source).filter((name) => !name.startsWith('type '));

function variablesOf(source: string): Map<string, string> {
  const known = new Map(Object.entries(parts));
  for (const [, variable = '', type = ''] of source.matchAll(/\b(\w+)\??: (\w+)\b/g))
    if (classes[type] !== undefined) known.set(variable, classes[type]);
  for (const [pattern, type] of makers)
    for (const [, variable = ''] of source.matchAll(pattern)) known.set(variable, type);
  for (const name of valuesOf(source)) known.set(name, name);
  return known;
}

function usesOf(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/"[^"\n]*"|`[^`]*`|'[^'\n]*'/g, (text) => (/^['"].*[./]/.test(text) ? "''" : text));
  const known = variablesOf(source);
  const uses: string[] = [];
  // Uses lookahead, because in `own.protocol.handle` the second name is both a member and an owner.
  for (const [, variable = '', member = '', event] of code.matchAll(
    /\b(\w+)\??\.(?=(\w+)\b(?:\(\s*'([\w-]+)'\s*,)?)/g,
  )) {
    const owner = known.get(variable);
    if (owner === undefined) continue;
    const isEvent = event !== undefined && ['on', 'once', 'off'].includes(member);
    uses.push(isEvent ? `${owner} '${event}'` : `${owner}.${member}`);
  }
  return [...uses, ...valuesOf(source).filter((name) => code.includes(`new ${name}(`))];
}

/** Keys of a window's options, and the roles of menu items. */
function optionsOf(source: string): string[] {
  const [, preferences = ''] = /webPreferences'\] => \(\{([\s\S]*?)\}\)/.exec(source) ?? [];
  const [, frame = ''] = /frameOptions = [^=]*=>([\s\S]*?);\n/.exec(source) ?? [];
  const [, made = ''] = /new BrowserWindow\(\{([\s\S]*?)\n {2}\}\)/.exec(source) ?? [];
  const keysIn = (text: string) => [...text.matchAll(/(?:^\s+|\{ |, )(\w+):/gm)].map(([, name]) => name);
  return [
    ...keysIn(preferences).map((name) => `webPreferences.${name}`),
    ...keysIn(frame + made)
      .filter((name) => name !== 'x' && name !== 'y')
      .map((name) => `BrowserWindow ${name}:`),
    ...[...source.matchAll(/role: '(\w+)'/g)].map(([, role]) => `role ${role}`),
  ];
}

/** Sorted and unique. */
export function electronUses(root: string): string[] {
  const files = ['src/main', 'src/preload'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  const uses = files.flatMap((source) => [...usesOf(source), ...optionsOf(source)]);
  // An import without any visible use is listed by its own name.
  const owners = new Set(uses.map((use) => /^\w+/.exec(use)?.[0]));
  const unseen = files.flatMap(valuesOf).filter((name) => !owners.has(name));
  return [...new Set([...uses, ...unseen])].sort();
}
