import { type OptionField, optionFields } from '#engine/tools/option-fields.js'
import { tools } from '#engine/tools/registry.js'
import type { Format, ToolDescription } from '#engine/tools/tool.js'
import { type Html, html } from '#libs/html/html.js'
import { toolInputField } from '#shared/core/tool-form-field.js'
import type { Site } from '../site.js'
import { type TextName, text } from '../texts/text.js'
import { toolText } from '../texts/tool-pages.js'
import { type LivePage, sitePage } from './page.js'
import { optionControl, optionMeaning } from './tool-fields.js'

/** What a format is called; bytes of any kind have no name of their own. */
export function formatName({ kind, mediaType, extension }: Format): string {
  if (mediaType === 'application/octet-stream') return text('tool.bytes')
  if (extension === 'ts') return 'TypeScript'
  return text(`kind.${kind}`)
}

/** The script's settings, as JSON in an attribute. */
function settings(tool: ToolDescription, site: Site): string {
  const { name, input, output, examples } = tool
  const [{ input: example, options = {} }] = examples
  return JSON.stringify({
    name,
    title: toolText(tool).name,
    input_kind: input.kind,
    input_extension: input.extension,
    kind: output.kind,
    extension: output.extension,
    media_type: output.mediaType,
    example: { input: example, options },
    base_url: site.publicBaseUrl,
  })
}

function options(fields: readonly OptionField[]): Html {
  if (fields.length === 0) return html``
  return html`<fieldset class="tool-options" id="options"><legend>${text('compare.options')}</legend>
${fields.map(optionControl)}</fieldset>
`
}

/** A pane: what it is and what can be done with it above its content, and where it stands below. */
function pane(id: string, title: string, format: Format, bar: Html, content: Html, status: Html): Html {
  return html`<section class="tool-pane" id="${id}-pane" aria-labelledby="${id}-title">
<div class="tool-bar"><h2 id="${id}-title">${title}</h2><span class="tool-format">${formatName(format)}</span>${bar}</div>
<div class="tool-body">${content}<p class="tool-status">${status}</p></div>
</section>
`
}

/** The places of the buttons that the script adds, so that nothing moves when it does. */
function comingButtons(names: readonly TextName[]): Html {
  return html`<span class="coming"><span class="tool-buttons" aria-hidden="true">${names.map((name) => html`<span class="tool-button">${text(name)}</span>`)}</span></span>`
}

function inputPane({ input }: ToolDescription): Html {
  const attributes = html`rows="18" spellcheck="false" autocomplete="off" autocapitalize="off"`
  return pane(
    'input',
    text('tool.input'),
    input,
    comingButtons(['tool.chooseFile', 'tool.example', 'kit.clear']),
    html`<div class="tool-editor" id="editor"><textarea id="input" name="${toolInputField}" ${attributes} placeholder="${text('tool.placeholder')}" aria-labelledby="input-title"></textarea></div>
<noscript><p class="tool-send"><button class="button first">${text('tool.run')}</button></p></noscript>
`,
    html`<span id="caret"></span>`,
  )
}

function outputPane({ output }: ToolDescription): Html {
  return pane(
    'output',
    text('tool.output'),
    output,
    html`<div class="tool-buttons" id="actions">${comingButtons(['tool.copy', 'share.download', 'tool.saveTo', 'tool.shareTo', 'share.copyAs'])}</div>`,
    html`<div class="tool-result" id="result"><noscript><p class="tool-hint">${text('tool.noScript')}</p></noscript></div>
`,
    html`<span id="status" role="status"></span>`,
  )
}

/** The way to every other tool, which keeps the input; its script adds a field to find one. */
function toolSwitch({ name }: ToolDescription): Html {
  const others = tools.filter((other) => other.name !== name)
  return html`<details class="tool-switch" id="switch"><summary aria-label="${text('tool.switch')}"></summary>
<div class="tool-switch-list"><ul>
${others.map((other) => html`<li><a href="/tools/${other.name}">${toolText(other).name}</a></li>\n`)}</ul></div></details>`
}

function example({ input, output, options: chosen = {} }: ToolDescription['examples'][number]): Html {
  const named = Object.entries(chosen).map(([name, value]) => `${name}=${String(value)}`)
  const heading = named.length === 0 ? text('tool.defaults') : named.join(', ')
  return html`<li><h3>${heading}</h3>
<div class="tool-example"><pre tabindex="0" role="region" aria-label="${text('tool.input')}: ${heading}">${input}</pre>
<pre tabindex="0" role="region" aria-label="${text('tool.output')}: ${heading}">${output}</pre></div></li>
`
}

function keeps({ keeps: kept }: ToolDescription): Html {
  if (kept === 'everything') return html`<p>${text('tool.keepsEverything')}</p>`
  return html`<p>${text('tool.keepsAllBut')}</p>
<ul lang="en">${kept.allBut.map((change) => html`<li>${change}</li>\n`)}</ul>`
}

/** Those that take or make the same, besides itself. */
function related({ name, input, output }: ToolDescription): Html {
  const kinds = new Set([input.kind, output.kind])
  const others = tools.filter((other) => other.name !== name && kinds.has(other.input.kind))
  return html`<ul class="tool-related">${others.map((other) => html`<li><a href="/tools/${other.name}">${toolText(other).name}</a></li>\n`)}</ul>`
}

function about(tool: ToolDescription, fields: readonly OptionField[]): Html {
  return html`<div class="tool-about">
<section aria-labelledby="keeps-title"><h2 id="keeps-title">${text('tool.keeps')}</h2>
${keeps(tool)}</section>
${
  fields.length === 0
    ? html``
    : html`<section aria-labelledby="options-title"><h2 id="options-title">${text('compare.options')}</h2>
<dl class="tool-meanings">
${fields.map(optionMeaning)}</dl></section>
`
}<section aria-labelledby="examples-title"><h2 id="examples-title">${text('tool.examples')}</h2>
<ol class="tool-examples">
${tool.examples.map(example)}</ol></section>
<section aria-labelledby="related-title"><h2 id="related-title">${text('tool.related')}</h2>
${related(tool)}</section>
</div>`
}

/** The page of a tool: input on the left, output on the right. Without its script, the form responds with text. */
export function toolPage(tool: ToolDescription, site: Site, live: LivePage): Buffer {
  const fields = optionFields(tool)
  const { name, summary, title, description } = toolText(tool)
  const content = html`<article class="tool" id="tool" data-tool="${settings(tool, site)}">
<form class="tool-form" id="form" method="post" action="/tools/${tool.name}" accept-charset="utf-8">
<div class="tool-head"><div class="tool-title"><h1>${name}</h1>${toolSwitch(tool)}</div>
${options(fields)}</div>
<div class="tool-panes">
${inputPane(tool)}${outputPane(tool)}</div>
</form>
<p class="tool-summary">${summary}</p>
<p class="tool-privacy">${text('tool.privacy')}</p>
${about(tool, fields)}
</article>`
  return sitePage(site, `/tools/${tool.name}`, {
    title,
    description,
    isApp: true,
    content,
    live,
  })
}
