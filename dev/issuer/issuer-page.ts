import { createHash } from 'node:crypto'
import { type Html, html } from '#libs/html/html.js'

const style = `
:root{color-scheme:light dark;--ink:#1c1917;--quiet:#57534e;--paper:#fafaf9;--panel:#fff;--line:#e7e5e4;--edge:#8a8580;--accent:#0f766e;--on-accent:#fff;--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#f5f5f4;--quiet:#a8a29e;--paper:#141312;--panel:#1c1b1a;--line:#2e2c2a;--edge:#78736e;--accent:#5eead4;--on-accent:#042f2e;--wrong:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:25rem;padding:1.75rem;background:var(--panel);border:1px solid var(--line);border-radius:.9rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.2}
p{margin:0 0 1.25rem;color:var(--quiet);overflow-wrap:anywhere}
form+form{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line)}
label{display:block;margin-bottom:.35rem;font-weight:600}
input,button{width:100%;min-height:2.75rem;padding:.5rem .9rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--panel);color:var(--ink);font:inherit}
button{margin-top:.6rem;color:var(--accent);font-weight:600;cursor:pointer}
button.first{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.hint{margin:.6rem 0 0;font-size:.9rem}
.wrong{margin:.35rem 0 0;color:var(--wrong)}
a{color:var(--accent)}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * The headers of every page: it loads nothing, runs nothing and cannot be framed.
 * @param application the origin to which people return: submitting a form may redirect there.
 */
export function pageHeaders(application: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self' ${application}; base-uri 'none'; frame-ancestors 'none'`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}

function issuerPage(title: string, content: Html): string {
  // The style contains no values, so that its hash is the same for every page.
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Snipkeep development</title>
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

/**
 * Offers a button for each development user, and a field for any other name.
 * @param refused the invalid name that was submitted, if any.
 */
export function signInPage(refused: string | null): string {
  const wrong =
    refused === null
      ? html``
      : html`<p class="wrong" id="wrong" role="alert">A name has 1 to 64 letters, digits, dots, dashes or underscores.</p>`
  const field =
    refused === null
      ? html`<input id="login" name="login" required maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false">`
      : html`<input id="login" name="login" value="${refused}" aria-invalid="true" aria-describedby="wrong" required maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false">`
  return issuerPage(
    'Sign in',
    html`<p>For development only: anyone can sign in as anyone, and there are no passwords.</p>
<form method="post">
<button class="first" name="login" value="free">Free user</button>
<button name="login" value="pro" aria-describedby="pro">Pro user</button>
<p class="hint" id="pro">With <code>npm start</code>, the Pro user has paid in the sandbox. Elsewhere, subscribe there first.</p>
</form>
<form method="post">
<label for="login">Any other name</label>
${field}
${wrong}
<button>Sign in</button>
</form>`,
  )
}

/** Asks whether to sign out; the library provides the form that the button submits. */
export function signOutPage(form: string): string {
  return issuerPage(
    'Sign out',
    html`<p>Sign out of the development issuer, too? Otherwise the next sign-in is without a question.</p>
${{ markup: form }}
<button class="first" form="op.logoutForm" name="logout" value="yes" type="submit">Sign out</button>
<button form="op.logoutForm" type="submit">Stay signed in</button>`,
  )
}

/**
 * Asks for the code that the command line shows.
 * @param xsrf proves that the form comes from this page.
 * @param refused the problem with the submitted code, if any.
 */
export function codePage(action: string, xsrf: string, refused: string | null): string {
  const wrong = refused === null ? html`` : html`<p class="wrong" id="wrong" role="alert">${refused}</p>`
  const described = refused === null ? html`` : html` aria-invalid="true" aria-describedby="wrong"`
  return issuerPage(
    'Sign in on another device',
    html`<p>Type the code that your terminal shows.</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}">
<label for="user_code">Code</label>
<input id="user_code" name="user_code"${described} required maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false">
${wrong}
<button class="first">Continue</button>
</form>`,
  )
}

/** Asks whether the code is the user's own; the library provides the form that the buttons submit. */
export function confirmCodePage(form: string, client: string, code: string): string {
  return issuerPage(
    'Is this your code?',
    html`<p>A program that calls itself ${client} waits to be signed in. Go on only if you started it, and it shows this code:</p>
<p><strong><code>${code}</code></strong></p>
${{ markup: form }}
<button class="first" form="op.deviceConfirmForm" type="submit">Yes, sign it in</button>
<button form="op.deviceConfirmForm" name="abort" value="yes" type="submit">No</button>`,
  )
}

/** Says what happened, and links back. */
export function noticePage(title: string, text: string, application: string): string {
  return issuerPage(title, html`<p>${text}</p>\n<a href="${application}/dashboard">Back to Snipkeep</a>`)
}
