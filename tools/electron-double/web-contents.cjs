// WebContents over a page of the system's Chromium.
const { EventEmitter } = require('node:events');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { runtime, fakeUrl, trueUrl, preventable } = require('./runtime.cjs');

let lastId = 0;
const contentsById = new Map();

const withoutHash = (url) => url.split('#', 1)[0];

/** The page script with the preload's text inside. */
const pageScript = (preload) =>
  readFileSync(join(__dirname, 'page-side.js'), 'utf8').replace('/*__PRELOAD__*/', () => readFileSync(preload, 'utf8'));

class WebContents extends EventEmitter {
  #page = null;
  #ports = new Map();
  #queue = Promise.resolve();
  #openHandler = () => ({ action: 'allow' });
  #loading = null;
  #crashedAt = null;
  #options;

  constructor(window, options) {
    super();
    lastId += 1;
    this.id = lastId;
    this.window = window;
    this.preferences = options.webPreferences ?? {};
    this.session = this.preferences.session;
    this.destroyed = false;
    contentsById.set(this.id, this);
    this.mainFrame = this.#frame();
    this.#options = options;
    this.opened = this.#open(options).then(() => runtime.app.emit('web-contents-created', {}, this));
    this.opened.catch((error) => console.error(error));
  }

  getLastWebPreferences() {
    return { ...this.preferences, session: undefined };
  }

  #frame() {
    const contents = this;
    return {
      parent: null,
      get url() {
        return contents.getURL();
      },
      postMessage: (channel, message, ports = []) => contents.#post(channel, [message], ports),
    };
  }

  async #open(options) {
    const page = await runtime.context.newPage();
    this.#page = page;
    const cdp = await runtime.context.newCDPSession(page);
    this.targetId = (await cdp.send('Target.getTargetInfo')).targetInfo.targetId;
    await page.setViewportSize({ width: options.width ?? 800, height: options.height ?? 600 });
    await page.exposeBinding('__electronDouble', (source, text) => this.#fromPage(source, JSON.parse(text)));
    if (this.preferences.preload) await page.addInitScript({ content: pageScript(this.preferences.preload) });
    await page.route('**/*', (route) => this.#answer(route));
    page.on('popup', (popup) => this.#popup(popup));
    page.on('crash', () => this.#crashed(page));
    page.on('close', () => page === this.#page && this.window.pageClosed());
    await this.applyTheme();
  }

  /** Chromium's crashed page cannot be driven any more: what is loaded next gets a new one in the same contents. */
  #crashed(page) {
    this.#crashedAt = trueUrl(page.url());
    this.#closePorts();
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  }

  async #replaceCrashed() {
    if (this.#crashedAt === null) return;
    const crashed = this.#page;
    this.#crashedAt = null;
    this.#queue = Promise.resolve();
    await this.#open(this.#options);
    crashed.close().catch(() => {});
  }

  async applyTheme() {
    if (this.#page === null || this.destroyed) return;
    const { themeSource } = runtime.nativeTheme;
    await this.#page.emulateMedia({ colorScheme: themeSource === 'system' ? null : themeSource }).catch(() => {});
  }

  async #answer(route) {
    const request = route.request();
    const url = trueUrl(request.url());
    const isMain = request.isNavigationRequest() && request.frame() === this.#page.mainFrame();
    if (isMain && withoutHash(url) !== this.#loading) {
      const event = preventable({ url });
      this.emit('will-navigate', event, url);
      if (event.defaultPrevented) return route.abort('aborted');
    }
    const details = { url, method: request.method(), resourceType: request.resourceType() };
    if (await this.session.refuses(details)) return route.abort('blockedbyclient');
    const handler = this.session.handlerOf(url);
    if (handler === undefined) return route.continue();
    const response = await handler({ url, method: request.method() });
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  }

  #popup(popup) {
    const { action } = this.#openHandler({ url: trueUrl(popup.url()) });
    if (action === 'deny') popup.close().catch(() => {});
  }

  #fromPage({ frame }, message) {
    if (message.type === 'document') this.#closePorts();
    else if (message.type === 'port-message') this.#ports.get(message.id)?.fromPage(message.data);
    else if (message.type === 'port-close') {
      this.#ports.get(message.id)?.closedByPage();
      this.#ports.delete(message.id);
    } else {
      const isMain = frame === this.#page.mainFrame();
      const senderFrame = isMain ? this.mainFrame : { parent: this.mainFrame, url: trueUrl(frame.url()) };
      this.#toMain({ sender: this, senderFrame }, message);
    }
  }

  #toMain(event, { type, channel, args, call }) {
    if (type === 'send') {
      runtime.ipcMain.emit(channel, event, ...args);
      return;
    }
    Promise.resolve()
      .then(() => runtime.ipcMain.call(channel, event, args))
      .then(
        (value) => this.deliver({ type: 'reply', call, value }),
        (error) => this.deliver({ type: 'reply', call, error: String(error) }),
      );
  }

  #post(channel, args, transferred) {
    const ports = transferred.map((port) => {
      this.#ports.set(port.transfer(this).id, port);
      return port.id;
    });
    this.deliver({ type: 'ipc', channel, args, ports });
  }

  #closePorts() {
    for (const port of this.#ports.values()) port.closedByPage();
    this.#ports.clear();
  }

  /** In the order of the calls. */
  deliver(message) {
    this.#queue = this.#queue
      .then(() => this.#page.evaluate((value) => window.__electronDoubleDeliver?.(value), message))
      .catch(() => {});
  }

  send(channel, ...args) {
    this.#post(channel, args, []);
  }

  getURL() {
    return this.#page === null ? '' : (this.#crashedAt ?? trueUrl(this.#page.url()));
  }

  setWindowOpenHandler(handler) {
    this.#openHandler = handler;
  }

  load(url) {
    return this.#navigate(url, (page) => page.goto(fakeUrl(url), { waitUntil: 'load' }));
  }

  /** The document, also where the address has a hash: going to it would stay in the page. */
  reload() {
    const url = this.getURL();
    const again = this.#crashedAt === null ? (page) => page.reload() : (page) => page.goto(fakeUrl(url));
    this.#navigate(url, again).catch((error) => console.error(error));
  }

  /** What the app itself asks for: no `will-navigate`. */
  async #navigate(url, go) {
    await this.opened;
    await this.#replaceCrashed();
    this.#loading = withoutHash(url);
    try {
      await go(this.#page);
    } finally {
      this.#loading = null;
    }
    this.window.emit('ready-to-show');
    this.emit('did-finish-load');
  }

  forcefullyCrashRenderer() {
    runtime.context
      .newCDPSession(this.#page)
      .then((cdp) => cdp.send('Page.crash'))
      .catch(() => {});
  }

  executeJavaScript(code) {
    return this.#page.evaluate(code);
  }

  isDestroyed() {
    return this.destroyed;
  }

  close() {
    this.window.close();
  }

  async dispose() {
    this.destroyed = true;
    contentsById.delete(this.id);
    this.#closePorts();
    await this.opened.catch(() => {});
    await this.#page?.close().catch(() => {});
  }
}

exports.WebContents = WebContents;
exports.webContents = {
  fromId: (id) => contentsById.get(id),
  fromDevToolsTargetId: (id) => [...contentsById.values()].find((contents) => contents.targetId === id),
  getAllWebContents: () => [...contentsById.values()],
};
