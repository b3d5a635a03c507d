import { createHash } from 'node:crypto'

/** The style of every page, light and dark. */
export const styleSheet = `
:root{color-scheme:light dark;--ink:light-dark(#16181d,#e9eaee);--quiet:light-dark(#565d6b,#a2a9b8);--paper:light-dark(#fff,#15171c);
--panel:light-dark(#f6f7f9,#1d2027);--line:light-dark(#d9dde4,#343944);--accent:light-dark(#0b57d0,#8ab4f8);--on-accent:light-dark(#fff,#0c1b33)}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
.page{max-width:72rem;margin:0 auto;padding:1.25rem clamp(1rem,4vw,2.5rem) 4rem}
.brand{color:var(--quiet);font-weight:600;letter-spacing:.01em;text-decoration:none}
h1{font-size:clamp(1.5rem,4vw,2.1rem);line-height:1.2;margin:1.5rem 0 .5rem;overflow-wrap:anywhere;text-wrap:balance}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0 0 1.25rem;padding:0;color:var(--quiet)}
.facts div{display:flex;gap:.4rem}.facts dt::after{content:":"}.facts dd{margin:0;color:var(--ink);overflow-wrap:anywhere}
.actions{display:flex;flex-wrap:wrap;gap:.6rem;margin:0 0 1rem}
.button{display:inline-block;padding:.5rem 1rem;border-radius:8px;border:1px solid var(--line);color:var(--accent);text-decoration:none;font-weight:600}
.button.first{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
a{color:var(--accent)}a:focus-visible,.data:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.note{background:var(--panel);border-left:4px solid var(--accent);padding:.7rem 1rem;border-radius:0 8px 8px 0;margin:0 0 1rem}
.data{counter-reset:line;margin:0;padding:.8rem 0;background:var(--panel);border:1px solid var(--line);border-radius:10px;overflow:auto;
font:.875rem/1.6 ui-monospace,"SF Mono",Menlo,Consolas,monospace;tab-size:2;max-height:80vh}
.data span{display:block;padding:0 1rem 0 4.5rem;position:relative;white-space:pre;unicode-bidi:isolate;min-height:1.6em}
.data span::before{counter-increment:line;content:counter(line);position:absolute;left:0;width:3.5rem;text-align:right;color:var(--quiet)}
@media (max-width:40rem){.data span{padding-left:3rem}.data span::before{width:2.25rem}}
@media print{.actions{display:none}.data{max-height:none}}
`

/** The address of the style, which changes with it. */
export const styleSheetPath = `/assets/${createHash('sha256').update(styleSheet).digest('hex').slice(0, 16)}.css`
