import { type Html, html } from '#libs/html/html.js'
import type { Site } from '../site.js'
import { type TextName, text } from '../texts/text.js'
import { type LivePage, sitePage } from './page.js'

/** The page that compares two files, or texts, without an account. */
export const comparePath = '/compare'

function side(id: string, name: TextName): Html {
  return html`<fieldset class="compare-side" id="${id}"><legend>${text(name)}</legend>
<label for="${id}-text">${text('compare.pasteHere')}</label>
<textarea class="compare-input code" id="${id}-text" rows="8" spellcheck="false" autocomplete="off" autocapitalize="off"></textarea>
<label for="${id}-file">${text('compare.orChooseFile')}</label>
<input class="compare-input" id="${id}-file" type="file">
</fieldset>
`
}

const facts: readonly (readonly [name: TextName, fact: TextName])[] = [
  ['kind.json', 'compare.howJson'],
  ['kind.csv', 'compare.howCsv'],
  ['kind.text', 'compare.howText'],
]

/** Both sides are chosen there, and the comparison is made by its script. */
export function compareFilesPage(site: Site, live: LivePage): Buffer {
  const content = html`<article class="share">
<h1>${text('compare.filesTitle')}</h1>
<p>${text('compare.filesAbout')}</p>
<noscript><p class="note">${text('compare.noScript')}</p></noscript>
<form class="compare-sides" id="sides">
${side('before', 'compare.before')}${side('after', 'compare.after')}<p class="compare-start"><button class="button first" type="submit">${text('compare.start')}</button> <span class="compare-hint" id="sides-problem" role="status"></span></p>
</form>
<div id="comparison"></div>
<section aria-labelledby="how-title"><h2 id="how-title">${text('compare.how')}</h2>
<dl class="compare-how">
${facts.map(([name, fact]) => html`<div><dt>${text(name)}</dt><dd>${text(fact)}</dd></div>\n`)}</dl>
<p>${text('compare.ownText')} <a href="/dashboard/compare">${text('compare.ownLink')}</a></p>
</section>
</article>`
  return sitePage(site, comparePath, {
    title: text('compare.filesPageTitle'),
    description: text('compare.filesDescription'),
    isApp: true,
    content,
    live,
  })
}
