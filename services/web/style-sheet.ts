import { createHash } from 'node:crypto'
import { styleTokens } from '#shared/core/style-tokens.js'

/** The style of every page, light and dark. */
export const styleSheet = `
${styleTokens}/* The embedding page may choose the theme of a frame. */
[data-theme=light]{color-scheme:light}
[data-theme=dark]{color-scheme:dark}
.embed{padding:.5rem}
.embed .origin{margin:.35rem 0 0}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{--width:72rem;--side:max(clamp(1rem,4vw,2.5rem),calc((100% - var(--width))/2));margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body:has(>.foot){display:flex;flex-direction:column;min-height:100vh;min-height:100dvh}
body:has(.share){--width:96rem}
.page{flex:1 0 auto;padding:0 var(--side) var(--s7)}
.page:focus{outline:none}
.skip{position:absolute;z-index:9;top:var(--s2);left:var(--side);padding:var(--s2) var(--s3);border-radius:var(--radius);background:var(--accent);color:var(--on-accent);font-size:var(--t3);text-decoration:none}
.skip:not(:focus){clip-path:inset(50%)}
.brand{display:inline-flex;align-items:center;gap:var(--s2);padding:.35rem 0;color:var(--ink);font-weight:700;letter-spacing:-.02em;text-decoration:none}
.mark{flex:none;width:1.25rem;height:1.25rem;fill:var(--accent);stroke:var(--paper)}
.top,.foot{display:flex;flex-wrap:wrap;align-items:center;gap:0 var(--s5);padding:0 var(--side);font-size:var(--t3)}
.top{position:relative;min-height:3.25rem;border-bottom:1px solid var(--line)}
.top nav,.top-links{display:flex;flex:1;gap:0 var(--s4)}
.top nav a:last-child{margin-left:auto}
.top nav a,.top-menu summary,.foot a{padding:var(--s2) 0;color:var(--ink);text-decoration:none}
.top a:hover,.foot a:hover,.top a[aria-current]{color:var(--accent)}
.top a[aria-current]{font-weight:550}
.top-menu{display:none;margin-left:auto}
.top-menu summary{padding:var(--s2) var(--s3);cursor:pointer}
.top-menu nav{position:absolute;z-index:8;top:100%;right:var(--s2);flex-direction:column;min-width:12rem;padding:var(--s2);border:1px solid var(--line);border-radius:var(--radius-panel);background:var(--paper);box-shadow:var(--menu-shadow)}
.top-menu nav a,.top-menu nav a:last-child{margin:0;padding:var(--s3)}
.foot{justify-content:space-between;padding-block:var(--s3);border-top:1px solid var(--line);color:var(--quiet)}
.foot nav{display:flex;flex-wrap:wrap;gap:0 var(--s5)}
.foot p{margin:0}
.foot a{color:var(--quiet)}
@media (max-width:40rem){.top-links{display:none}.top-menu{display:block}}
h1{font-size:clamp(1.5rem,4vw,2.2rem);line-height:1.2;letter-spacing:-.015em;margin:1.75rem 0 .6rem;overflow-wrap:anywhere;text-wrap:balance}
p{max-width:44rem;overflow-wrap:anywhere}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0 0 1.25rem;padding:0;color:var(--quiet)}
.facts div{display:flex;gap:.4rem;min-width:0}
.facts dt::after{content:":"}
.facts dd{margin:0;color:var(--ink);overflow-wrap:anywhere}
.actions{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.25rem 0}
.button{display:inline-block;padding:.55rem 1.1rem;border-radius:var(--radius);border:1px solid var(--edge);color:var(--accent);text-decoration:none;font-weight:600}
.button:hover{border-color:var(--accent);text-decoration:underline}
.button.first{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.share{font-size:.9375rem}
.share h1{font-size:clamp(1.35rem,3vw,1.75rem);margin:.9rem 0 .35rem}
.share .facts{margin-bottom:.9rem}
.share .button{padding:.3rem .8rem;font-size:.9375rem}
a{color:var(--accent);text-underline-offset:.2em}
button.button{font:inherit;font-weight:600;background:none;cursor:pointer}
.gate label{font-weight:600}
.gate input{display:block;width:100%;max-width:24rem;margin-top:.25rem;padding:.55rem .7rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:var(--radius)}
a:focus-visible,summary:focus-visible,.button:focus-visible,.gate input:focus-visible,.data:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.origin{margin-top:1.25rem;color:var(--quiet);font-size:.875rem}
.origin p{margin:0}
.note{max-width:none;background:var(--panel);border-left:.25rem solid var(--accent);padding:.7rem 1rem;border-radius:0 var(--radius) var(--radius) 0;margin:0 0 1rem}
.note.failed{border-color:var(--danger);color:var(--danger)}
.note.failed::before{content:"⚠ "/""}
.form{display:grid;gap:.35rem;max-width:40rem;margin:1.25rem 0}
.form fieldset{display:grid;gap:.15rem;margin:0 0 .8rem;padding:.6rem 1rem 1rem;border:1px solid var(--line);border-radius:var(--radius)}
.form legend,.form>label{font-weight:600}
.choice{display:flex;align-items:baseline;gap:.6rem;padding:.2rem 0}
.form textarea,.form input[type=email]{width:100%;padding:.5rem .7rem;border:1px solid var(--edge);border-radius:var(--radius);background:var(--paper);color:var(--ink);font:inherit}
.form .button{justify-self:start;font:inherit;font-weight:600;cursor:pointer}
.hint{margin:0 0 .8rem;color:var(--quiet);font-size:.875rem}
.form :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.data{counter-reset:line;margin:0;padding:.8rem 1rem .8rem 0;background:var(--panel);border:1px solid var(--line);border-radius:var(--radius-panel);overflow:auto;max-height:80vh;
font:.875rem/1.6 var(--mono);tab-size:4;white-space:pre}
.data span{counter-increment:line;unicode-bidi:isolate}
.data span::before{content:counter(line);display:inline-block;width:3.25rem;margin-right:1.25rem;text-align:right;color:var(--quiet);-webkit-user-select:none;user-select:none}
@media (max-width:40rem){.top-few a:not(:last-child){display:none}.data{font-size:.8125rem}.data span::before{width:2.25rem;margin-right:.75rem}}
/* The places of actions that the script adds, so that nothing moves when it does. */
.coming{display:none;visibility:hidden}
/* No view is lower than this. */
@media (scripting:enabled){.coming{display:contents}#share{min-height:19rem}}
@keyframes appear{from{visibility:hidden}}
.late{animation:appear 1ms 6s both}
@media print{:root,[data-theme]{color-scheme:light}.actions,.skip,.top,.foot nav,.note a,.origin a{display:none}.data{max-height:none;white-space:pre-wrap}}
@media (forced-colors:active){.button,.data,.note{border:1px solid}}
`

/** The URL of the style, which changes with its content. */
export const styleSheetPath = `/assets/${createHash('sha256').update(styleSheet).digest('hex').slice(0, 16)}.css`
