// A double of Electron's main-process module, for machines without Electron's program. It proves bundles,
// channel names, the hand-over and the order of things; it proves nothing of the sandbox, of isolation, of
// native parts or of packaging. Named exports one by one, so that `import { app } from 'electron'` works.
const { spawn } = require('node:child_process');
const { createCipheriv, createDecipheriv, randomBytes } = require('node:crypto');
const { EventEmitter } = require('node:events');
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { runtime, preventable } = require('./runtime.cjs');
const { MessageChannelMain } = require('./ports.cjs');
const { BrowserWindow } = require('./windows.cjs');
const { webContents } = require('./web-contents.cjs');

const switchOf = (name) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

class App extends EventEmitter {
  isPackaged = false;
  name = 'hookbench';
  commandLine = { appendSwitch: () => {}, hasSwitch: (name) => process.argv.includes(`--${name}`) };
  #paths = {
    userData: switchOf('user-data-dir') ?? join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), this.name),
  };
  #ready = Promise.withResolvers();
  #isReady = false;
  #sandboxed = false;
  #quitting = false;
  #lockFile = null;
  #relaunches = null;

  getPath(name) {
    if (this.#paths[name] === undefined) throw new Error(`Failed to get '${name}' path`);
    return this.#paths[name];
  }

  setPath(name, path) {
    this.#paths[name] = path;
  }

  getVersion() {
    return runtime.about.version;
  }

  getAppPath() {
    return runtime.appFolder;
  }

  whenReady() {
    return this.#ready.promise;
  }

  isReady() {
    return this.#isReady;
  }

  becomeReady() {
    this.#isReady = true;
    this.#ready.resolve();
    this.emit('ready', {});
  }

  enableSandbox() {
    if (this.#isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
    this.#sandboxed = true;
  }

  isSandboxEnabled() {
    return this.#sandboxed;
  }

  setAboutPanelOptions() {}

  requestSingleInstanceLock() {
    mkdirSync(this.getPath('userData'), { recursive: true });
    const file = join(this.getPath('userData'), 'double.lock');
    const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (owner > 0 && owner !== process.pid && isAlive(owner)) {
      process.kill(owner, 'SIGUSR2');
      return false;
    }
    writeFileSync(file, String(process.pid));
    this.#lockFile = file;
    process.on('SIGUSR2', () => this.emit('second-instance', {}, [], '', null));
    return true;
  }

  windowsClosed() {
    if (this.#quitting) return;
    if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }

  quit() {
    if (this.#quitting) return;
    this.#quitting = true;
    setImmediate(() => this.#quitNow());
  }

  #quitNow() {
    for (const step of ['before-quit', 'windows', 'will-quit']) {
      const event = preventable({});
      if (step === 'windows') for (const window of BrowserWindow.getAllWindows()) window.close();
      else this.emit(step, event);
      if (event.defaultPrevented || BrowserWindow.getAllWindows().length > (step === 'before-quit' ? Infinity : 0)) {
        this.#quitting = false;
        return;
      }
    }
    this.exit(0);
  }

  /** Starts the same program again once this one has ended. */
  relaunch({ args = process.argv.slice(1) } = {}) {
    this.#relaunches = args;
  }

  exit(code = 0) {
    const args = this.#relaunches;
    if (args !== null) process.on('exit', () => startAgain(args));
    if (this.#lockFile !== null) rmSync(this.#lockFile, { force: true });
    this.emit('quit', {}, code);
    const limit = new Promise((resolve) => setTimeout(resolve, 1_000).unref());
    void Promise.race([Promise.allSettled(runtime.closing), limit])
      .then(() => runtime.endBrowser?.())
      .finally(() => process.exit(code));
  }
}

/** By default the arguments of this process, less what register.cjs took out of them and what a debugger put in. */
const startAgain = (args) => spawn(join(__dirname, 'electron'), args, { detached: true, stdio: 'ignore' }).unref();

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

class IpcMain extends EventEmitter {
  /** Named as in Electron, for the test that compares the channels in use with the list. */
  _invokeHandlers = new Map();

  handle(channel, handler) {
    if (this._invokeHandlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this._invokeHandlers.set(channel, handler);
  }

  call(channel, event, args) {
    const handler = this._invokeHandlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return handler(event, ...args);
  }
}

class Session extends EventEmitter {
  #protocols = new Map();
  #beforeRequest = null;
  handlers = {};
  protocol = {
    handle: (scheme, handler) => {
      if (this.#protocols.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      this.#protocols.set(scheme, handler);
    },
  };
  webRequest = {
    onBeforeRequest: ({ urls }, listener) => {
      if (urls.join() !== '<all_urls>') throw new Error(`The double filters <all_urls> alone, not ${urls.join()}.`);
      this.#beforeRequest = listener;
    },
  };

  refuses(details) {
    if (this.#beforeRequest === null) return false;
    return new Promise((resolve) => this.#beforeRequest(details, ({ cancel }) => resolve(cancel === true)));
  }

  handlerOf(url) {
    return this.#protocols.get(url.slice(0, url.indexOf(':')));
  }
}
for (const name of [
  'setPermissionRequestHandler',
  'setPermissionCheckHandler',
  'setDevicePermissionHandler',
  'setDisplayMediaRequestHandler',
  'setCertificateVerifyProc',
  'setSpellCheckerEnabled',
])
  Session.prototype[name] = function keep(handler) {
    this.handlers[name] = handler;
  };

class NativeTheme extends EventEmitter {
  #source = 'system';

  get themeSource() {
    return this.#source;
  }

  set themeSource(source) {
    if (!['system', 'light', 'dark'].includes(source)) throw new Error(`Error processing argument at index 0`);
    if (source === this.#source) return;
    this.#source = source;
    for (const contents of webContents.getAllWebContents()) void contents.applyTheme();
    this.emit('updated');
  }

  get shouldUseDarkColors() {
    return this.#source === 'dark';
  }
}

// Not safe at all: the key is in this file's own process. It only has the shape of the real thing.
const sealKey = Buffer.alloc(32, 7);
const keyring = () => process.env.ELECTRON_DOUBLE_KEYRING ?? 'basic_text';
const safeStorage = {
  isAsyncEncryptionAvailable: async () => keyring() !== 'none',
  getSelectedStorageBackend: () => (runtime.app.isReady() ? keyring() : 'unknown'),
  encryptStringAsync: async (text) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', sealKey, iv);
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  decryptStringAsync: async (sealed) => {
    const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const result = decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
    return { result, shouldReEncrypt: false };
  },
};

const sessions = new Map();
const display = { workArea: { x: 0, y: 0, width: 1920, height: 1040 } };
let applicationMenu = null;
const shown = [];

runtime.app = new App();
runtime.ipcMain = new IpcMain();
runtime.nativeTheme = new NativeTheme();

exports.app = runtime.app;
exports.ipcMain = runtime.ipcMain;
exports.nativeTheme = runtime.nativeTheme;
exports.safeStorage = safeStorage;
exports.BrowserWindow = BrowserWindow;
exports.webContents = webContents;
exports.MessageChannelMain = MessageChannelMain;
exports.screen = { getAllDisplays: () => [display], getPrimaryDisplay: () => display };
exports.powerMonitor = new EventEmitter();
exports.protocol = {
  registerSchemesAsPrivileged: () => {
    if (runtime.app.isReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
  },
};
exports.session = {
  fromPartition: (name) => {
    if (!runtime.app.isReady()) throw new Error('Session can only be received when app is ready');
    if (!sessions.has(name)) sessions.set(name, new Session());
    return sessions.get(name);
  },
};
exports.Menu = {
  buildFromTemplate: (items) => ({ items }),
  setApplicationMenu: (menu) => {
    applicationMenu = menu;
  },
  getApplicationMenu: () => applicationMenu,
};
// A dialog waits for a person; the double writes it down and takes the button of ELECTRON_DOUBLE_ANSWER, else the default.
exports.dialog = {
  shown,
  showErrorBox: (title, text) => {
    shown.push({ title, text });
    console.error(`DIALOG ${title}: ${text}`);
  },
  showOpenDialog: async (...args) => {
    shown.push(args.at(-1));
    const folder = process.env.ELECTRON_DOUBLE_OPENS;
    console.error(`DIALOG ${args.at(-1).title}`);
    return { canceled: folder === undefined, filePaths: folder === undefined ? [] : [folder] };
  },
  showMessageBox: async (...args) => {
    // As in Electron, the window is optional.
    const options = args.at(-1);
    shown.push(options);
    const answer = process.env.ELECTRON_DOUBLE_ANSWER;
    console.error(`DIALOG ${options.message}`);
    return { response: answer === undefined ? (options.defaultId ?? 0) : Number(answer), checkboxChecked: false };
  },
};
exports.shell = {
  openExternal: async () => {
    throw new Error('The double opens nothing.');
  },
};
