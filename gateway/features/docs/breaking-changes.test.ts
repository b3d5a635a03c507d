import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { breakingChanges, type OpenApiDocument } from './testing/breaking-changes.js'

const released: OpenApiDocument = JSON.parse(readFileSync('gateway/features/docs/released.json', 'utf8'))

/** The released document with changed values at these paths; `undefined` removes one. */
function changed(
  ...changes: readonly (readonly [place: readonly string[], value: unknown])[]
): OpenApiDocument {
  const document = structuredClone(released)
  for (const [place, value] of changes) {
    const parent = place.slice(0, -1).reduce<object>((inside, name) => Reflect.get(inside, name), document)
    const last = place.at(-1) ?? ''
    if (value === undefined) Reflect.deleteProperty(parent, last)
    else Reflect.set(parent, last, value)
  }
  return document
}

const snippets = ['paths', '/api/snippets']
const newSnippet = [...snippets, 'post', 'requestBody', 'content', 'application/json', 'schema']
const newShare = ['paths', '/api/shares', 'post', 'requestBody', 'content', 'application/json', 'schema']
const shareMade = [
  'paths',
  '/api/shares',
  'post',
  'responses',
  '201',
  'content',
  'application/json',
  'schema',
]

function at(place: readonly string[]): object {
  return place.reduce<object>((inside, name) => Reflect.get(inside, name), released)
}

/** The path of a schema: its own, or that of the component it refers to. */
function schemaAt(place: readonly string[]): readonly string[] {
  const reference: unknown = Reflect.get(at(place), '$ref')
  return typeof reference === 'string' ? reference.slice(2).split('/') : place
}

describe('a change to the API', () => {
  it('that only adds is not breaking', () => {
    const more = { type: 'string' }
    const parameters = Object.values(at([...snippets, 'get', 'parameters']))
    const sort = { in: 'query', name: 'sort', schema: more }
    const document = changed(
      [['paths', '/api/widgets'], { get: { responses: { 200: { description: 'Widgets.' } } } }],
      [
        [...snippets, 'get', 'parameters'],
        [...parameters, sort],
      ],
      [[...schemaAt(newSnippet), 'properties', 'colour'], more],
      [[...schemaAt(newSnippet), 'properties', 'title', 'maxLength'], 500],
      [[...schemaAt(shareMade), 'properties', 'more'], more],
    )
    expect(breakingChanges(released, document)).toEqual([])
  })

  it.each<[what: string, problem: string, place: readonly string[], value: unknown]>([
    [
      'an operation is removed',
      'DELETE /api/shares/{id} is gone',
      ['paths', '/api/shares/{id}', 'delete'],
      undefined,
    ],
    [
      'a parameter is removed',
      'GET /api/history query tool is gone',
      ['paths', '/api/history', 'get', 'parameters'],
      [
        { in: 'query', name: 'limit' },
        { in: 'query', name: 'cursor' },
      ],
    ],
    [
      'a field becomes required',
      'POST /api/snippets body now needs "tags"',
      [...schemaAt(newSnippet), 'required'],
      ['tool', 'title', 'data', 'tags'],
    ],
    [
      'a request field is removed',
      'POST /api/shares body.expires_in is gone',
      [...schemaAt(newShare), 'properties', 'expires_in'],
      undefined,
    ],
    [
      'a limit is tightened',
      'POST /api/snippets body.title: maxLength is now 100',
      [...schemaAt(newSnippet), 'properties', 'title', 'maxLength'],
      100,
    ],
    [
      'a response is removed',
      'POST /api/snippets no longer returns 201',
      [...snippets, 'post', 'responses', '201'],
      undefined,
    ],
    [
      'a header is removed',
      'POST /api/snippets 201 has no Location any more',
      [...snippets, 'post', 'responses', '201', 'headers', 'Location'],
      undefined,
    ],
    [
      'a credential is no longer accepted',
      'GET /api/snippets no longer takes {"apiKey":[]}',
      [...snippets, 'get', 'security'],
      [{ identityToken: [] }],
    ],
    [
      'a response field is removed',
      'POST /api/shares 201.share_url is gone',
      [...schemaAt(shareMade), 'properties', 'share_url'],
      undefined,
    ],
    [
      'a response field changes its type',
      'POST /api/shares 201.size_bytes was "integer" and is "string"',
      [...schemaAt(shareMade), 'properties', 'size_bytes'],
      { type: 'string' },
    ],
  ])('is found when %s', (_what, problem, place, value) => {
    expect(breakingChanges(released, changed([place, value]))).toContain(problem)
  })
})
