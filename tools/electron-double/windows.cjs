// BrowserWindow: what of a window can be told without one; its page is a WebContents.
const { EventEmitter } = require('node:events');
const { runtime, preventable } = require('./runtime.cjs');
const { WebContents } = require('./web-contents.cjs');

class BrowserWindow extends EventEmitter {
  static #all = new Set();
  #options;
  #state = { visible: false, maximised: false, minimised: false, focused: false };
  #isGone = false;

  constructor(options = {}) {
    super();
    this.#options = { ...options };
    this.#state.visible = options.show !== false;
    this.webContents = new WebContents(this, options);
    BrowserWindow.#all.add(this);
  }

  static getAllWindows() {
    return [...BrowserWindow.#all];
  }

  static getFocusedWindow() {
    return BrowserWindow.getAllWindows().find((window) => window.isFocused()) ?? null;
  }

  static fromWebContents(contents) {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  loadURL(url) {
    return this.webContents.load(url);
  }

  close() {
    if (this.#isGone) return;
    const event = preventable({});
    this.emit('close', event);
    if (!event.defaultPrevented) this.pageClosed();
  }

  destroy() {
    this.pageClosed();
  }

  pageClosed() {
    if (this.#isGone) return;
    this.#isGone = true;
    BrowserWindow.#all.delete(this);
    runtime.closing.push(this.webContents.dispose());
    this.emit('closed');
    if (BrowserWindow.#all.size === 0) runtime.app.windowsClosed();
  }

  isDestroyed() {
    return this.#isGone;
  }

  getNormalBounds() {
    const { x = 0, y = 0, width = 800, height = 600 } = this.#options;
    return { x, y, width, height };
  }

  getBounds() {
    return this.getNormalBounds();
  }

  setBounds(bounds) {
    Object.assign(this.#options, bounds);
    this.emit('resize');
  }

  getMinimumSize() {
    return [this.#options.minWidth ?? 0, this.#options.minHeight ?? 0];
  }

  getBackgroundColor() {
    return this.#options.backgroundColor ?? '#ffffff';
  }

  setBackgroundColor(colour) {
    this.#options.backgroundColor = colour;
  }

  setTitleBarOverlay(overlay) {
    if (this.#options.titleBarOverlay === undefined) throw new Error('Titlebar overlay is not enabled');
    this.#options.titleBarOverlay = overlay;
  }

  maximize() {
    this.#state.maximised = true;
    this.emit('maximize');
  }

  unmaximize() {
    this.#state.maximised = false;
    this.emit('unmaximize');
  }

  isMaximized() {
    return this.#state.maximised;
  }

  minimize() {
    this.#state.minimised = true;
  }

  restore() {
    this.#state.minimised = false;
  }

  isMinimized() {
    return this.#state.minimised;
  }

  show() {
    this.#state.visible = true;
  }

  isVisible() {
    return this.#state.visible;
  }

  focus() {
    this.#state.focused = true;
    this.emit('focus');
  }

  blur() {
    this.#state.focused = false;
    this.emit('blur');
  }

  isFocused() {
    return this.#state.focused;
  }
}

exports.BrowserWindow = BrowserWindow;
