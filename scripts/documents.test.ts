import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryPaths } from './source-files.js'

const paths = await repositoryPaths('.')
const pages = paths.filter((path) => path.endsWith('.md'))

/** The anchors of a page, made from its headings as GitHub does. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
  const anchor = (heading: string): string =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
  return new Set(headings.map(anchor))
}

/** The links and images of a page that point into this repository. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
  const found = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
  return found.map(([, link, source]) => link ?? source ?? '').filter((link) => !/^[a-z]+:/.test(link))
}

describe('links between pages', () => {
  it.each(pages)('%s', (page) => {
    const text = readFileSync(page, 'utf8')
    const broken = linksOf(text).filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : posix.join(posix.dirname(page), path)
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor)
    })
    expect(broken).toEqual([])
  })
})

describe('nothing that a reader could paste has a placeholder', () => {
  // Words in capitals that name a repository, a commit or an owner, where a value belongs.
  const placeholders = /(?<![\w-])(?:REPOSITORY|ORG|OWNER|COMMIT|YOUR_[A-Z_]+)(?=[/@\s"']|$)/
  const ofGitHub = paths.filter((path) => path.startsWith('.github/'))

  it.each(ofGitHub)('%s', (file) => {
    expect(readFileSync(file, 'utf8').match(placeholders)).toBeNull()
  })

  it.each([...new Set([...pages, ...ofGitHub])])(
    '%s names no team, which only an organization has',
    (file) => {
      // The client is a package.
      expect(readFileSync(file, 'utf8').match(/@snipkeep\/(?!client\b)[\w-]+/g)).toBeNull()
    },
  )

  it.each(pages)('%s', (page) => {
    const fences = [...readFileSync(page, 'utf8').matchAll(/^```\w*\n([\s\S]*?)^```/gm)]
    expect(fences.map(([, text = '']) => text).filter((text) => placeholders.test(text))).toEqual([])
  })
})

describe('the glossary', () => {
  const rows = [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| .* \| (`.*`) \|$/gm)]

  it('has forty-six terms, each with the place where it lives', () => {
    expect(rows).toHaveLength(46)
    const places = rows.flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    )
    expect(places.filter((path) => !existsSync(path))).toEqual([])
  })
})

describe('the files named in a service’s README exist', () => {
  it.each(pages.filter((page) => /^services\/\w+\/README\.md$/.test(page)))('%s', (page) => {
    const named = [
      ...readFileSync(page, 'utf8').matchAll(/`((?:domain|application|adapters|testing)\/[^`*]+)`/g),
    ].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(posix.join(posix.dirname(page), path)))).toEqual([])
  })
})

describe('the decisions', () => {
  const names = readdirSync('docs/decisions').filter((name) => /^\d{4}-/.test(name))
  const index = readFileSync('docs/decisions/README.md', 'utf8')
  const history = readFileSync('docs/history.md', 'utf8')

  it('have unique numbers, those of the history included', () => {
    const rows = [...history.matchAll(/^\| (\d{4}) \| \d{4}-\d{2}-\d{2} \| .+ \|$/gm)]
    expect(rows.length).toBeGreaterThan(0)
    const numbers = [...names.map((name) => name.slice(0, 4)), ...rows.map(([, number]) => number)]
    expect(numbers).toHaveLength(new Set(numbers).size)
  })

  it.each(names)('%s has a date, a status, a row in the list, and at most ten lines', (name) => {
    const text = readFileSync(`docs/decisions/${name}`, 'utf8')
    const [, number = '', title = ''] =
      /^# (\d{4}) (.+)\n\nDate: \d{4}-\d{2}-\d{2} · Status: \w/.exec(text) ?? []
    expect(name.slice(0, 4)).toBe(number)
    expect(index).toContain(`| [${number}](${name}) | ${title} |\n`)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
  })
})
