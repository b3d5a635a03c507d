import { type Html, html } from '#libs/html/html.js'

/** The links to the other parts of the site, for the header of a page. */
export function siteLinks(tools: boolean): Html {
  const toTools = tools ? html`<a href="/tools">Tools</a> ` : html``
  return html`<nav class="site-links" aria-label="Snipkeep">${toTools}<a href="/compare">Compare</a> <a href="/docs">Docs</a> <a href="/dashboard">Dashboard</a></nav>`
}

/** The body of a page: a header with the way home and these links, and the content. */
export function pageFrame(homeUrl: string, links: Html, content: Html): Html {
  return html`<div class="page">
<header><a class="brand" href="${homeUrl}">Snipkeep</a>${links}</header>
<main>
${content}
</main>
</div>`
}
