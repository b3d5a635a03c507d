import { createHash } from 'node:crypto'
import { type Html, html } from '#libs/html/html.js'
import { styleTokens } from './core/style-tokens.js'
import { inlineIcon, mark, tabTitle } from './page-head.js'

/** One card below the name of the product. */
const style = `
${styleTokens}*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:var(--t4)/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.top{display:flex;align-items:center;gap:var(--s2);min-height:3.25rem;padding:0 var(--s4);border-bottom:1px solid var(--line);font-size:var(--t3)}
.brand{display:inline-flex;align-items:center;gap:var(--s2);color:var(--ink);font-weight:700;letter-spacing:-.02em;text-decoration:none}
.mark{flex:none;width:1.25rem;height:1.25rem;fill:var(--accent);stroke:var(--paper)}
.place{padding:0 var(--s3);border:1px solid;border-radius:var(--radius-tag);background:var(--warn-paper);color:var(--warn);font-size:var(--t1);font-weight:550}
main{width:calc(100% - 2*var(--s4));max-width:26rem;margin:clamp(var(--s4),8vh,var(--s8)) auto var(--s4);padding:var(--s5);background:var(--panel);border:1px solid var(--line);border-radius:var(--radius-panel)}
h1{margin:0 0 var(--s2);font-size:var(--t5);line-height:1.3;text-wrap:balance}
h2{margin:var(--s5) 0 var(--s1);font-size:var(--t4)}
p{margin:0 0 var(--s4);color:var(--quiet);font-size:var(--t3);overflow-wrap:anywhere}
form+form{margin-top:var(--s4);padding-top:var(--s4);border-top:1px solid var(--line)}
label{display:block;margin-bottom:var(--s1);font-size:var(--t3);font-weight:550}
input,button{width:100%;min-height:2.75rem;padding:var(--s2) var(--s3);border:1px solid var(--edge);border-radius:var(--radius);background:var(--paper);color:var(--ink);font:inherit}
button{margin-top:var(--s2);color:var(--accent);font-weight:550;cursor:pointer}
button.first{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.buttons{margin-bottom:var(--s4)}
.buttons form+form{margin-top:0;padding-top:0;border-top:0}
p.price{margin:0;color:var(--ink);font-size:var(--t5);font-weight:700}
.hint{margin:var(--s2) 0 0}
p.wrong{margin:var(--s1) 0 0;color:var(--danger)}
a{color:var(--accent)}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (forced-colors:active){button.first{border-width:3px}}
`

/**
 * The headers of plain pages, which load nothing, run nothing and cannot be framed.
 * @param formAction where forms may lead, as CSP has it; `null` for anywhere.
 */
export function plainPageHeaders(formAction: string | null) {
  const styleHash = createHash('sha256').update(style).digest('base64')
  const forms = formAction === null ? '' : ` form-action ${formAction};`
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:;${forms} base-uri 'none'; frame-ancestors 'none'`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  } as const
}

interface Home {
  readonly homeUrl: string
}

/**
 * A page that is complete in itself, for where the web application does not render: refusals of the gateway, and the
 * parts of development.
 * @param place where one is: in the product itself, whose name leads home; or a part of development, which stands beside
 * the name, and in the tab.
 * @param language its code.
 */
export function plainPage(title: string, place: string | Home, content: Html, language = 'en'): string {
  const isPart = typeof place === 'string'
  const brand = !isPart
    ? html`<a class="brand" href="${place.homeUrl}">${mark}snipkeep</a>`
    : html`<span class="brand">${mark}snipkeep</span><span class="place">${place}</span>`
  // The style contains no values, so that its hash is the same for every page.
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${tabTitle(isPart ? `${title} (${place})` : title)}</title>
<link rel="icon" href="${inlineIcon}">
<style>${{ markup: style }}</style>
</head>
<body>
<header class="top">${brand}</header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.markup
}
