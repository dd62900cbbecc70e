import type { ExportFormat } from '../../../contract/exchange-limits.ts';
import { csv } from './csv.ts';
import { curl } from './curl.ts';
import type { Format } from './format.ts';
import { har } from './har.ts';
import { html } from './html.ts';
import { ndjson } from './ndjson.ts';

export const formats: Readonly<Record<ExportFormat, Format>> = { ndjson, har, csv, curl, html };
