import { createHash } from 'node:crypto'
import { type Html, html } from './html.js'

/** One card on a page, light and dark. */
const style = `
:root{color-scheme:light dark;--ink:#1c1917;--quiet:#57534e;--paper:#fafaf9;--panel:#fff;--line:#e7e5e4;--edge:#8a8580;--accent:#0f766e;--on-accent:#fff;--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#f5f5f4;--quiet:#a8a29e;--paper:#141312;--panel:#1c1b1a;--line:#2e2c2a;--edge:#78736e;--accent:#5eead4;--on-accent:#042f2e;--wrong:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:25rem;padding:1.75rem;background:var(--panel);border:1px solid var(--line);border-radius:.9rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.2}
h2{margin:1.5rem 0 .35rem;font-size:1.1rem}
p{margin:0 0 1.25rem;color:var(--quiet);overflow-wrap:anywhere}
form+form{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line)}
label{display:block;margin-bottom:.35rem;font-weight:600}
input,button{width:100%;min-height:2.75rem;padding:.5rem .9rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--panel);color:var(--ink);font:inherit}
button{margin-top:.6rem;color:var(--accent);font-weight:600;cursor:pointer}
button.first{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.buttons{margin-bottom:1.25rem}
.buttons form+form{margin-top:0;padding-top:0;border-top:0}
.price{margin:0;color:var(--ink);font-size:1.4rem;font-weight:650}
.hint{margin:.6rem 0 0;font-size:.9rem}
.wrong{margin:.35rem 0 0;color:var(--wrong)}
a{color:var(--accent)}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
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

/**
 * A page that is complete in itself, for where the web application does not render: refusals of the gateway, and the
 * parts of development.
 * @param site behind the title, in the tab.
 * @param language its code.
 */
export function plainPage(title: string, site: string, content: Html, language = 'en'): string {
  // The style contains no values, so that its hash is the same for every page.
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${site}</title>
<link rel="icon" href="data:,">
<style>${{ markup: style }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.markup
}
