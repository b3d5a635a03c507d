import { type Html, html } from '#libs/html/html.js'
import { plainPage, plainPageHeaders } from '#shared/plain-page.js'

/** @param application the origin to which people return: submitting a form may redirect there. */
export function pageHeaders(application: string): Readonly<Record<string, string>> {
  return plainPageHeaders(`'self' ${application}`)
}

function issuerPage(title: string, content: Html): string {
  return plainPage(title, 'development', content)
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
