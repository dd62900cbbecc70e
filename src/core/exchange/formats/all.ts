import type { CurlShell } from '../../../contract/curl-file.ts';
import type { ExportFormat } from '../../../contract/exchange-limits.ts';
import { csv } from './csv.ts';
import { curlScripts } from './curl.ts';
import type { Format } from './format.ts';
import { har } from './har.ts';
import { html } from './html.ts';
import { ndjson } from './ndjson.ts';

const formats: Readonly<Record<Exclude<ExportFormat, 'curl'>, Format>> = { ndjson, har, csv, html };

/** `shell` is that of curl commands. */
export const formatOf = (name: ExportFormat, shell: CurlShell = 'sh'): Format =>
  name === 'curl' ? curlScripts[shell] : formats[name];
