import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { hostileMarkup } from '#libs/testing/hostile-markup.js'
import { naughtyStrings } from '#libs/testing/naughty-strings.js'
import { copyAs, type Fetched } from './copy-as.js'
import { copyForms } from './copying.js'
import { fileName } from './file-name.js'

const fetched: Fetched = {
  url: 'https://snipkeep.example/api/shares/AAAAAAAAAAAAAAAAAAAAAA/raw?pointer=%2Fcsv',
  title: 'Q3 figures',
  form: 'text',
  extension: 'csv',
}

const shellTricks = [
  "'; touch /tmp/hit; '",
  '$(touch /tmp/hit)',
  '`touch /tmp/hit`',
  "'\\''",
  "a'b",
  'a"b',
  'a\\',
  '!!',
  '-rf',
  '--output=/etc/passwd',
  '../../x',
  'a\nb',
  'a\r\nb',
  '\u0024{{ secrets.TOKEN }}',
  '\u0024{\u0024{{{ x }}',
  'key: value',
  '- item',
  '# comment',
  '&anchor *alias',
  '%TAG',
  '\u0085\u2028\u2029\ufeff\u202e',
  '\ud800',
  '{x}',
]
const hostile = [...shellTricks, ...naughtyStrings, ...hostileMarkup]

/** The arguments a shell parses from a command line, for each command. */
function shellWords(commands: readonly string[]): readonly string[] {
  const input = commands.map((command) => `printf '%s\\0' ${command}\n`).join('')
  return execFileSync('sh', { input, encoding: 'utf8', maxBuffer: 16_777_216 }).split('\0').slice(0, -1)
}

/** What GitHub evaluates in a workflow whose expressions are all string literals. */
function evaluated(text: string): string {
  return text.replaceAll(/\$\{\{ '([^']*)' \}\}/g, '$1')
}

describe('the curl line', () => {
  it('fetches the URL, and fails when that fails', () => {
    expect(copyAs('curl', fetched)).toBe(`curl --fail --silent --show-error --location '${fetched.url}'`)
  })

  it('is one shell command, whatever the URL contains', () => {
    const urls = hostile.filter((one) => !one.includes('\0')).map((one) => one.toWellFormed())
    const words = urls.map((url) => ['curl', '--fail', '--silent', '--show-error', '--location', url])
    expect(shellWords(urls.map((url) => copyAs('curl', { ...fetched, url })))).toEqual(words.flat())
  })
})

describe('the call of fetch', () => {
  it('reads a single value as text and other data as JSON', () => {
    expect(copyAs('fetch', fetched)).toContain('await response.text()')
    expect(copyAs('fetch', { ...fetched, form: 'json' })).toContain('await response.json()')
  })

  it('requests the URL, whatever it contains', async () => {
    for (const text of hostile) {
      const asked: string[] = []
      const run = new Function(
        'fetch',
        `return (async () => { ${copyAs('fetch', { ...fetched, url: text })} return data })()`,
      )
      const data: unknown = await run(async (url: string) => {
        asked.push(url)
        return { ok: true, text: async () => 'the data' }
      })
      expect([asked, data]).toEqual([[text.toWellFormed()], 'the data'])
    }
  })
})

describe('the lines of Python', () => {
  it('read a single value as text and other data as JSON', () => {
    expect(copyAs('python', fetched)).toBe(`from urllib.request import urlopen

with urlopen("${fetched.url}") as response:
    data = response.read().decode()
`)
    expect(copyAs('python', { ...fetched, form: 'json' })).toContain('    data = json.load(response)\n')
  })

  const python = spawnSync('python3', ['--version']).status === 0
  it.skipIf(!python)('request the URL, whatever it contains (needs python3)', () => {
    const programs = hostile.map((url) => copyAs('python', { ...fetched, url }))
    const check = `
import ast, json, sys
print(json.dumps([
    next(node.args[0].value for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    for program in json.load(sys.stdin)
]))`
    const { stdout } = spawnSync('python3', ['-c', check], {
      input: JSON.stringify(programs),
      encoding: 'utf8',
      maxBuffer: 50_000_000,
    })
    // Python parses a surrogate pair of escapes as two characters.
    const units: readonly string[] = JSON.parse(stdout)
    expect(units).toEqual(hostile.map((url) => url.toWellFormed()))
  })
})

describe('the step of GitHub Actions', () => {
  it('saves the data under a name made of the title', () => {
    expect(parse(copyAs('actions', fetched))).toEqual([
      {
        name: 'Fetch Q3 figures',
        run: `${copyAs('curl', fetched)} --output 'Q3-figures.csv'`,
      },
    ])
  })

  it('is one step that runs one command, whatever title and URL contain', () => {
    for (const text of hostile) {
      const step = copyAs('actions', { ...fetched, url: text, title: text })
      const [only, ...more] = parse(step)
      expect([more, Object.keys(only)]).toEqual([[], ['name', 'run']])
      expect(evaluated(only.name)).toBe(`Fetch ${text.toWellFormed()}`)
      const command = copyAs('curl', { ...fetched, url: text.toWellFormed() })
      expect(evaluated(only.run)).toBe(`${command} --output '${fileName(text, 'csv')}'`)
    }
  })
})

it('a file name has only letters, digits and dashes, and never begins with a dash', () => {
  for (const title of hostile)
    expect(fileName(title, 'json')).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}_-]*\.json$/u)
  expect(fileName('  Größe: 5/6 ', 'txt')).toBe('Größe-5-6.txt')
  expect(fileName('../..', 'json')).toBe('share.json')
  expect([...fileName('x'.repeat(200), 'json')]).toHaveLength(85)
})

it('no title can add a line to any of them', () => {
  const lines = (title: string): readonly number[] =>
    copyForms.map((form) => copyAs(form, { ...fetched, title }).split(/[\n\r\u0085\u2028\u2029]/).length)
  for (const title of hostile) expect(lines(title)).toEqual(lines('Q3'))
})
