/** Third-party work in the interface, with its licence texts. */
import geistLicence from '@fontsource-variable/geist/LICENSE?raw';
import geistMonoLicence from '@fontsource-variable/geist-mono/LICENSE?raw';
import lucideLicence from '../../../../node_modules/lucide-react/LICENSE?raw';

export interface Notice {
  readonly name: string;
  readonly what: string;
  readonly licence: string;
  readonly text: string;
}

export const NOTICES: readonly Notice[] = [
  { name: 'Geist', what: 'the font of the interface', licence: 'OFL-1.1', text: geistLicence },
  { name: 'Geist Mono', what: 'the font of ids, bodies and code', licence: 'OFL-1.1', text: geistMonoLicence },
  { name: 'Lucide', what: 'icons', licence: 'ISC', text: lucideLicence },
];

/** Documents in the program's folder that answer questions at length. */
export const DOCUMENTS: ReadonlyArray<readonly [file: string, about: string]> = [
  ['docs/behaviour.md', 'every rule, and whether it is specified or ours'],
  ['docs/interface.md', 'shortcuts, and what buttons do that their labels do not say'],
  ['docs/filters.md', 'the filter field of the live stream'],
  ['docs/cli.md', 'the hookbench command'],
  ['docs/config.md', 'a workspace as a file'],
  ['docs/sdks.md', 'what each SDK was seen to do'],
  ['docs/errors.md', 'every error code'],
  ['docs/security.md', 'what is kept where, and who can reach it'],
];
