import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { corpusFolder } from '#libs/testing/corpora.js'
import { readSchemaDocuments } from './schema-documents.js'
import { jsonText } from './testing/json-text.js'
import { validateValue } from './validate-value.js'

const folder = corpusFolder('json-schema-test-suite', 'optional')
const missing = ' (skipped: the corpus is not here; npm run corpora fetches it)'

/** Where the suite says that its other schemas are. */
const remoteBase = 'http://localhost:1234/'

/** Members and items of a text of JSON, each as it is spelled. */
const { memberTexts, itemTexts } = jsonText

/** The other schemas of the suite by their addresses. */
function remotes(root: string): ReadonlyMap<string, string> {
  const names = readdirSync(join(root, 'remotes'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.json'))
  return new Map(
    files.map((name) => [`${remoteBase}${name}`, readFileSync(join(root, 'remotes', name), 'utf8')] as const),
  )
}

/** A schema that has in its `$defs` those of the suite that it names, since nothing is fetched. */
function bundled(schema: string, others: ReadonlyMap<string, string>): string {
  if (!schema.trim().startsWith('{')) return schema
  const members = new Map(memberTexts(schema))
  const base = members.has('$id') ? String(JSON.parse(members.get('$id') ?? '')) : 'https://schema.invalid/'
  const needed = new Map<string, string>()
  const bases = new Set([base])
  // A base may itself be relative to one that is found later.
  for (let round = 0; round < 4; round += 1)
    for (const text of [schema, ...needed.values()])
      for (const [, name] of text.matchAll(/"\$(?:ref|id|schema|dynamicRef)"\s*:\s*"([^"#]*)/g))
        for (const one of [...bases].map((around) => urlOf(name ?? '', around))) {
          bases.add(one)
          const found = others.get(one)
          if (found !== undefined) needed.set(one, found)
        }
  if (needed.size === 0) return schema
  const defs = new Map(members.has('$defs') ? memberTexts(members.get('$defs') ?? '') : [])
  for (const [uri, text] of needed) {
    const own = new Map(memberTexts(text))
    const id = own.has('$id') ? urlOf(String(JSON.parse(own.get('$id') ?? '')), uri) : uri
    const [$id, $ref] = [JSON.stringify(uri), JSON.stringify(id)]
    if (id === uri) defs.set(`remote ${uri}`, written(own.set('$id', $id)))
    else defs.set(`remote ${uri}`, `{"$id":${$id},"$ref":${$ref},"$defs":{"own":${text}}}`)
  }
  members.set('$defs', written(defs))
  return written(members)
}

function urlOf(name: string, base: string): string {
  return URL.canParse(name, base) ? new URL(name, base).href : ''
}

function written(members: ReadonlyMap<string, string>): string {
  return `{${[...members].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
}

function wrongIn(file: string, others: ReadonlyMap<string, string>): readonly string[] {
  const encoder = new TextEncoder()
  const wrong: string[] = []
  for (const groupText of itemTexts(readFileSync(file, 'utf8'))) {
    const group = new Map(memberTexts(groupText))
    const schema = bundled(group.get('schema') ?? '', others)
    for (const testText of itemTexts(group.get('tests') ?? '[]')) {
      const test = new Map(memberTexts(testText))
      const name = `${group.get('description')} / ${test.get('description')}`
      try {
        const documents = readSchemaDocuments(encoder.encode(test.get('data')), encoder.encode(schema))
        const isValid = documents !== null && validateValue(documents, 10).breaks.length === 0
        if (String(isValid) !== test.get('valid')) wrong.push(`${name}: ${isValid}`)
      } catch (error) {
        wrong.push(`${name}: ${String(error)}`)
      }
    }
  }
  return wrong
}

describe.skipIf(folder === null)(`JSON Schema Test Suite${folder === null ? missing : ''}`, () => {
  const root = folder ?? ''
  const others = folder === null ? new Map() : remotes(root)
  const files =
    folder === null ? [] : readdirSync(join(root, 'tests')).filter((name) => name.endsWith('.json'))

  it('has 48 required files for draft 2020-12, all of which hold', () => {
    expect(files).toHaveLength(48)
    expect(
      files.flatMap((name) => wrongIn(join(root, 'tests', name), others).map((test) => `${name}: ${test}`)),
    ).toEqual([])
  })

  it.each(['bignum.json', 'float-overflow.json', 'ecmascript-regex.json'])('has the optional %s', (name) => {
    const wrong = wrongIn(join(root, 'tests/optional', name), others)
    // One of its tests is of a format, which is a note.
    expect(wrong.filter((test) => !test.includes('is not an ECMA 262 control escape'))).toEqual([])
  })
})
