import { expect, it } from 'vitest'
import type { PartQueries } from './document-messages.js'
import type { TreeNode } from './document-reader.js'
import type { ReadPart } from './read-part.js'
import { firstPart } from './testing/reader-of.js'

function read(json: string): Promise<ReadPart> {
  return firstPart(json)
}

function childrenOf(queries: PartQueries, pointer: string): readonly TreeNode[] {
  const node = queries.locate(pointer)?.at(-1)
  return node === undefined ? [] : queries.children(node.id, 0, 1_000)
}

const anything = { caseSensitive: false, backwards: false }

it('scalars keep all digits, and strings are decoded', async () => {
  const { queries } = await read(
    '{"a":1e400,"b":12345678901234567890,"c":"\\ud800\\n","d":true,"e":null,"f":[],"g":{}}',
  )
  expect(childrenOf(queries, '').map(({ type, preview, childCount }) => [type, preview, childCount])).toEqual(
    [
      ['number', '1e400', 0],
      ['number', '12345678901234567890', 0],
      ['string', '\ud800\n', 0],
      ['boolean', 'true', 0],
      ['null', 'null', 0],
      ['array', '', 0],
      ['object', '', 0],
    ],
  )
})

it('duplicate keys are two nodes with one pointer, which leads to the last one', async () => {
  const { queries } = await read('{"a":1,"\\u0061":2}')
  const children = childrenOf(queries, '')
  expect(children.map(({ key, pointer, preview }) => [key, pointer, preview])).toEqual([
    ['a', '/a', '1'],
    ['a', '/a', '2'],
  ])
  expect(queries.locate('/a')?.at(-1)?.id).toBe(children[1]?.id)
})

it.each([
  ['/a~1b/~0/0', '1'],
  ['//1', '3'],
  ['/__proto__/x', '4'],
  ['/é\ud800', '5'],
  ['/12', '6'],
])('%s leads to its value', async (pointer, preview) => {
  const { queries } = await read('{"a/b":{"~":[1]},"":[2,3],"__proto__":{"x":4},"é\\ud800":5,"12":6}')
  const path = queries.locate(pointer) ?? []
  expect(path.at(0)).toMatchObject({ key: null, pointer: '' })
  expect(path.at(-1)).toMatchObject({ pointer, preview })
})

it.each(['/a', '/list/2', '/list/01', '/list/-', '/list/0/x', '/list/toString', 'list', '/~2'])(
  '%s leads nowhere',
  async (pointer) => {
    expect((await read('{"list":[1,2]}')).queries.locate(pointer)).toBeNull()
  },
)

it('an empty object has no children', async () => {
  const { queries } = await read(' { } ')
  expect(queries.root()).toMatchObject({ type: 'object', childCount: 0 })
  expect(queries.children(queries.root().id, 0, 10)).toEqual([])
})

it('512 levels can be opened to the innermost one', async () => {
  const { queries } = await read(`{"a":${'['.repeat(511)}7${']'.repeat(511)}}`)
  const path = queries.locate(`/a${'/0'.repeat(511)}`) ?? []
  expect(path.length).toBe(513)
  expect(path.at(-1)).toMatchObject({ preview: '7' })
  expect(queries.findNode({ text: '7', ...anything }, null)?.length).toBe(513)
})

it('any page of many children has the right indexes', async () => {
  const items = Array.from(
    { length: 50_000 },
    (_item, index) => `{"id":${index},"t":"${'x'.repeat(index % 7)}"}`,
  )
  const { queries } = await read(`{"items":[${items.join(' , ')}]}`)
  const list = queries.locate('/items')?.at(-1)
  expect(list?.childCount).toBe(50_000)
  const page = list === undefined ? [] : queries.children(list.id, 49_990, 100)
  expect(page.map(({ key }) => key)).toEqual(Array.from({ length: 10 }, (_key, index) => 49_990 + index))
  expect(queries.locate('/items/43210/id')?.at(-1)).toMatchObject({ preview: '43210' })
})

it('a node returns its whole text as sent, and a string its value', async () => {
  const { queries } = await read('{"a":{"b" : [1.0]},"s":"x\\ny","n":1}')
  const [object, string] = childrenOf(queries, '')
  expect(object && queries.textOf(object.id)).toBe('{"b" : [1.0]}')
  expect(string && queries.textOf(string.id)).toBe('x\ny')
})

it('a long string’s node returns its beginning', async () => {
  const [node] = childrenOf((await read(`{"s":"${'\\u00e9😀'.repeat(1_000)}","t":1,"u":2}`)).queries, '')
  expect(node?.preview.length).toBe(300)
  expect(node?.cutLength).toBe(2_700)
})

it('a search finds keys and values, escaped ones too, each node once, and wraps around', async () => {
  const { queries } = await read('{"Name":"name","x":["\\u006eame",{"y":12}],"z":"é"}')
  const find = (text: string, from: TreeNode | null, backwards = false): TreeNode | null =>
    queries.findNode({ text, caseSensitive: false, backwards }, from?.id ?? null)?.at(-1) ?? null
  const first = find('NAME', null)
  expect(first?.pointer).toBe('/Name')
  const second = find('NAME', first)
  expect(second?.pointer).toBe('/x/0')
  expect([first?.match, second?.match]).toEqual([
    { index: 0, total: 2 },
    { index: 1, total: 2 },
  ])
  expect(find('NAME', second)?.pointer).toBe('/Name')
  expect(find('NAME', first, true)?.pointer).toBe('/x/0')
  expect(find('y', null)?.pointer).toBe('/x/1/y')
  expect(find('12', null)?.pointer).toBe('/x/1/y')
  expect(find('É', null)?.pointer).toBe('/z')
  expect(find('absent', null)).toBeNull()
})

it('a search goes on behind numbers that JSON does not spell so', async () => {
  const toml =
    'mode = 0o755\nbig = 1_000\nhex = 0xFF\nplus = +5\nsmall = 1.5e1_0\nlist = [0b11, 1_0, +1.0]\n[last]\nname = "x"\n'
  const { queries } = await read(JSON.stringify({ toml }))
  const find = (text: string): readonly (string | undefined)[] => {
    const found = queries.findNode({ text, ...anything }, null)?.at(-1)
    return [found?.pointer, found?.preview]
  }
  expect(find('755')).toEqual(['/toml/mode', '0o755'])
  expect(find('1_000')).toEqual(['/toml/big', '1_000'])
  expect(find('ff')).toEqual(['/toml/hex', '0xFF'])
  expect(find('plus')).toEqual(['/toml/plus', '+5'])
  expect(find('e1_0')).toEqual(['/toml/small', '1.5e1_0'])
  expect(find('b1')).toEqual(['/toml/list/0', '0b11'])
  expect(find('+1')).toEqual(['/toml/list/2', '+1.0'])
  expect(find('name')).toEqual(['/toml/last/name', 'x'])
  expect(queries.findNode({ text: '5', ...anything }, null)?.at(-1)?.match?.total).toBe(3)
})
