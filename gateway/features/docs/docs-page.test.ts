import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { docsPage } from './docs-page.js'
import { openApiDocument } from './openapi-document.js'
import { documentedOperations } from './testing/documented-operations.js'

const base = 'https://snippets.example'
const { operations, close } = documentedOperations(base)
afterAll(close)
const document = openApiDocument(operations, base)
const page = docsPage(operations, document, { tools: true, indexed: null })('n0nce')

interface Schema {
  readonly properties?: object
}

interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: object }>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>

function operationsOf(paths: Paths) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({ method, path, described })),
  )
}

/** The part of the page about an operation. */
function sectionOf(operationId: string): string {
  const [, found = ''] = page.split(`<section class="api-operation" aria-labelledby="${operationId}">`)
  return found.split('</section>')[0] ?? ''
}

function plain(markup: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&quot;': '"',
    '&#39;': "'",
    '&lt;': '<',
    '&gt;': '>',
    '&amp;': '&',
  }
  return markup.replaceAll(/&(?:quot|#39|lt|gt|amp);/g, (mark) => marks[mark] ?? '')
}

describe.each(operationsOf(document.paths as Paths))('$method $path', ({ method, path, described }) => {
  const section = sectionOf(described.operationId)

  it('is on the page with its parameters, bodies and responses', () => {
    expect(section).toContain(`<h3 id="${described.operationId}">`)
    expect(section).toContain(`<strong>${method.toUpperCase()}</strong> ${path}</code>`)
    const contents = Object.entries(described.requestBody?.content ?? {})
    const headers = Object.values(described.responses).flatMap((one) => Object.keys(one.headers ?? {}))
    const names = [
      ...(described.parameters ?? []).map(({ name }) => name),
      ...contents.flatMap(([_type, { schema }]) => Object.keys(schema.properties ?? {})),
      ...headers,
    ]
    for (const name of names) expect(section).toContain(`<code>${name}</code>`)
    for (const [type] of contents) expect(section).toContain(`<h4>Body: ${type}</h4>`)
    for (const [status, { content = {} }] of Object.entries(described.responses)) {
      const isRefusal = Object.keys(content).join() === 'application/problem+json'
      if (isRefusal) expect(section.split('Errors, each a')[1]).toContain(`${status} `)
      else expect(section).toContain(`<dt><code>${status}</code>`)
    }
  })
})

describe('the anchors of the page', () => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)

  it('are unique, and all links within the page lead to one', () => {
    expect(new Set(ids).size).toBe(ids.length)
    const links = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id = '']) => id)
    expect(links.length).toBeGreaterThan(operations.length)
    expect(links.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('are still those of the released API', () => {
    const released: { paths: Paths } = JSON.parse(
      readFileSync(new URL('released.json', import.meta.url), 'utf8'),
    )
    const anchors = operationsOf(released.paths).map(({ described }) => described.operationId)
    expect(anchors.length).toBeGreaterThan(50)
    expect(anchors.filter((id) => !ids.includes(id))).toEqual([])
  })
})

it('the page loads only the script and the style of the guides, and holds no style of its own', () => {
  expect(page.match(/<script[^>]*>/g)).toEqual([
    '<script type="module" nonce="n0nce" src="/api-reference.js">',
  ])
  const links = [...page.matchAll(/<link rel="(\w+)" href="([^",]*)/g)]
  expect(links.map(([, rel, href]) => [rel, href])).toEqual([
    ['icon', 'data:image/svg+xml'],
    ['stylesheet', '/api-reference.css'],
  ])
  expect(page).not.toMatch(/<style|<img|<iframe|url\(|@import|style="/)
})

it('an installation without pages of tools has no link to them', () => {
  expect(page).toContain('<a href="/tools">')
  expect(docsPage(operations, document, { tools: false, indexed: null })('')).not.toContain('"/tools"')
})

describe('the examples', () => {
  const examples = operations.flatMap(({ operationId }) => {
    const [, example] = /<pre><code>([\s\S]*?)<\/code>/.exec(sectionOf(operationId)) ?? []
    return example === undefined ? [] : [{ operationId, example: plain(example) }]
  })
  // The arguments that a shell would give to curl.
  const script = `curl() { printf '%s\\0' "$@"; printf '\\1\\0'; }
TOKEN=t0ken KEY=snk_key ID_TOKEN=e30 ID=id NAME=name VERSION=2
${examples.map(({ example }) => example).join('\n')}`
  const printed = execFileSync('sh', ['-euc', script], { encoding: 'utf8' }).split('\0\u0001\0')
  const commands = examples.map(({ operationId }, index) => {
    return { operationId, words: printed[index]?.split('\0') ?? [] }
  })

  it('are there for all operations but the webhook', () => {
    const without = operations.map(({ operationId }) => operationId)
    expect(without.filter((id) => !commands.some(({ operationId }) => operationId === id))).toEqual([
      'takeStripeEvent',
    ])
  })

  /** All values of an option. */
  const valuesOf = (words: readonly string[], option: string): readonly string[] =>
    words.flatMap((word, index) => (words[index - 1] === option ? [word] : []))

  it.each(commands)(
    '$operationId: the method, the address and the credential are right',
    ({ operationId, words }) => {
      const operation = operations.find((one) => one.operationId === operationId)
      const sent = words.some((word) => word === '-d' || word === '--json') ? 'POST' : 'GET'
      const [method = words.includes('-T') ? 'PUT' : sent] = valuesOf(words, '-X')
      expect(method.toLowerCase()).toBe(operation?.method)
      const paths = { '{id}': 'id', '{name}': 'name', '{version}': '2' }
      const path = Object.entries(paths).reduce(
        (before, [mark, value]) => before.replace(mark, value),
        operation?.path ?? '',
      )
      const addresses = words.filter((word) => word.startsWith(base))
      expect(addresses.map((one) => new URL(one).pathname)).toEqual([path])
      const credentials = valuesOf(words, '-H').filter((header) => header === 'Authorization: Bearer t0ken')
      expect(credentials).toHaveLength(operation?.access === 'public' ? 0 : 1)
    },
  )

  it.each(commands)('$operationId: its body is one that the operation takes', ({ operationId, words }) => {
    const { body, form, rawQuery, method, curl } =
      operations.find((one) => one.operationId === operationId) ?? {}
    const [json] = valuesOf(words, '--json')
    if (method === 'put' && rawQuery !== undefined) {
      const address = words.find((word) => word.startsWith(base)) ?? ''
      expect(rawQuery.safeParse(Object.fromEntries(new URL(address).searchParams)).error).toBeUndefined()
      expect(valuesOf(words, '-T')).toEqual(['report.csv'])
    } else if (body !== undefined) {
      const { data, ...fields } = JSON.parse(json ?? '')
      expect(
        body.fields.safeParse(body.withData === 'none' ? JSON.parse(json ?? '') : fields).error,
      ).toBeUndefined()
      if (body.withData === 'required') expect(data).toBeTypeOf('object')
    } else if (form !== undefined) {
      const pairs = valuesOf(words, '-d').map((pair) => pair.split(/=(.*)/s).slice(0, 2))
      expect(form.safeParse(Object.fromEntries(pairs)).error).toBeUndefined()
    } else if (curl === undefined) expect(json).toBeUndefined()
  })
})
