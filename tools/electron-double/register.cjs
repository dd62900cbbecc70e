const { join } = require('node:path'),
  url = require('node:url').pathToFileURL(join(__dirname, 'electron.cjs')).href;
require('node:module').registerHooks({
  resolve: (spec, ctx, next) =>
    /^electron(\/(main|common))?$/.test(spec) ? { url, format: 'commonjs', shortCircuit: true } : next(spec, ctx),
});
process.argv.splice(1, 1); // as in Electron: argv = [exe, ...switches, ...args]
