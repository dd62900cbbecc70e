const l = JSON.parse(require('node:fs').readFileSync('package-lock.json', 'utf8')).packages;
let bad = 0;
for (const [at, pkg] of Object.entries(l))
  for (const dep of Object.keys(pkg.optionalDependencies ?? {})) {
    let base = at,
      found = false;
    for (;;) {
      if (l[`${base ? `${base}/` : ''}node_modules/${dep}`]) {
        found = true;
        break;
      }
      if (!base) break;
      const i = base.lastIndexOf('node_modules/');
      base = i <= 0 ? '' : base.slice(0, i - 1);
    }
    if (!found) {
      bad++;
      console.error(`lock lacks ${dep}, wanted by ${at || 'the root'} ${pkg.version ?? ''}`);
    }
  }
process.exit(bad ? 1 : 0);
