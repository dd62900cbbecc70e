/** The style of the share bundle, in both themes. */
export const PAGE_STYLE = `:root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--text:#1b1f27;--soft:#545d6b;--line:#d5dae2}
@media (prefers-color-scheme:dark){:root{--back:#14171c;--card:#1c2027;--text:#e7eaf0;--soft:#a5afbe;--line:#363d49}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:960px;padding:24px 16px;background:var(--back);color:var(--text);font:14px/1.5 system-ui,sans-serif}
h1{font-size:20px;margin:0}h2{font-size:15px;margin:0 0 8px;overflow-wrap:anywhere;unicode-bidi:isolate}
header p,footer,dt{color:var(--soft)}
article{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px;margin:16px 0}
.type,.state{font-weight:400;color:var(--soft)}
dl{display:grid;grid-template-columns:auto 1fr;gap:2px 16px;margin:0 0 8px}
dd{margin:0;overflow-wrap:anywhere;unicode-bidi:isolate}
summary{cursor:pointer;padding:4px 0;overflow-wrap:anywhere}
pre{margin:4px 0 8px;padding:12px;background:var(--back);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.5 ui-monospace,monospace;max-height:420px;overflow:auto;unicode-bidi:plaintext}
`;
