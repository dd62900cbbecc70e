/** What clients ask on the ingest port beside sending calls: settings, tokens, code for browsers, metrics, health. */
import { type Answer, errorAnswer, jsonAnswer, type Origin, SUCCESS, settingsAnswer } from './answers.ts';
import { type BrowserSdk, createBrowserSdk } from './browser-sdk.ts';
import type { IngestParts } from './ports.ts';
import { regulationAnswer } from './regulations.ts';
import type { IngestRequest, RequestFacts } from './request.ts';
import type { Route } from './routes.ts';
import type { CallRoute } from './split.ts';
import { tokenAnswer } from './token.ts';

/** The routes that are answered here. */
export type ServiceRoute = Exclude<Route, CallRoute | { kind: 'unknown' }>;

type ServiceParts = Pick<
  IngestParts,
  'store' | 'workspace' | 'observer' | 'ids' | 'regulate' | 'httpsPort' | 'browserSdkFolder'
>;

export class ServiceRoutes {
  readonly #parts: ServiceParts;
  readonly #browserSdk: BrowserSdk;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.#browserSdk = createBrowserSdk(() => parts.browserSdkFolder?.() ?? null);
  }

  answer(
    route: ServiceRoute,
    request: IngestRequest,
    { encoding, authorization }: Pick<RequestFacts, 'encoding' | 'authorization'>,
  ): Promise<Answer> | Answer {
    switch (route.kind) {
      case 'metrics':
        return this.#counted(SUCCESS);
      case 'token':
        return this.#counted(this.#token(request, encoding));
      case 'regulations':
        return this.#regulations(request, { encoding, authorization });
      case 'settings':
        return settingsAnswer(route.writeKey, this.#origin(request));
      case 'browserSdk':
        return this.#browserSdk.main(route.writeKey, originText(this.#origin(request)));
      case 'browserBundle':
        return this.#browserSdk.bundle(route.name);
      case 'health':
        return healthAnswer(this.#parts.store.trouble?.() ?? null);
    }
  }

  async #regulations(
    { body, overflow }: IngestRequest,
    facts: Pick<RequestFacts, 'encoding' | 'authorization'>,
  ): Promise<Answer> {
    const { workspace, regulate } = this.#parts;
    if (regulate === undefined) return errorAnswer(404, 'not_found', 'There are no deletion requests here.');
    const request = { body, tooLong: overflow !== undefined, ...facts };
    return this.#counted(await regulationAnswer(request, (key) => workspace.sourceByKey(key), regulate));
  }

  #counted(answer: Answer): Answer {
    this.#parts.observer.answered({ status: answer.status, code: answer.code, calls: 0, rejected: 0 });
    return answer;
  }

  #token({ body, overflow }: IngestRequest, encoding: string | null): Answer {
    return tokenAnswer(body, encoding, overflow !== undefined, (bytes) => this.#parts.ids.hex(bytes));
  }

  /** The listener that was asked. */
  #origin({ secure }: IngestRequest): Origin {
    const httpsPort = secure === true ? (this.#parts.httpsPort?.() ?? null) : null;
    return httpsPort === null
      ? { protocol: 'http', host: `localhost:${this.#parts.workspace.port()}` }
      : { protocol: 'https', host: `localhost:${httpsPort}` };
  }
}

/** 503 also while calls are still taken: somebody has to look. */
const healthAnswer = (trouble: string | null): Answer =>
  trouble === null ? jsonAnswer({ status: 'ok' }) : { ...jsonAnswer({ status: trouble }), status: 503 };

const originText = ({ protocol, host }: Origin): string => `${protocol}://${host}`;
