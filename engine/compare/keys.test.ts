import { describe, expect, it } from 'vitest'
import { compare } from './compare.js'
import type { CompareOptions } from './comparison.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const compared = (one: string, other: string, options?: CompareOptions) =>
  compare(bytes(one), bytes(other), options)

describe('documents of JSON', () => {
  const shops = '[{"d":1,"s":"A","v":1},{"d":1,"s":"B","v":2},{"d":2,"s":"A","v":3}]'

  it('may have items that several members identify together', () => {
    const other = '[{"d":2,"s":"A","v":4},{"d":1,"s":"A","v":1},{"s":"B","d":1,"v":2}]'
    expect(compared(shops, other, { key: 'd,s' })).toMatchObject({
      guessedKeys: [],
      summary: { added: 0, removed: 0, changed: 1, moved: 1 },
    })
    expect(compared(shops, other, { key: '["s","d"]' }).summary).toMatchObject({ changed: 1, moved: 1 })
    expect(
      compared('[{"a":1,"b":2},{"a":2,"b":1}]', '[{"a":2,"b":1},{"a":1,"b":2}]', { key: 'a,b' }).summary,
    ).toMatchObject({
      changed: 0,
      moved: 1,
    })
  })

  it.each([
    [
      '[{"d":1,"s":1},{"d":1,"s":1}]',
      'key_not_unique',
      'The keys "d" and "s" do not identify items: /0 and /1',
    ],
    ['[{"d":1,"s":1},{"d":2}]', 'key_not_found', 'The keys "d" and "s" identify the items of no array'],
    ['[{"d":1}]', 'key_not_found', 'each item must have all'],
  ])('refuse members that identify no items together: %s', (text, code, message) => {
    expect(() => compared(text, '[{"d":9,"s":9}]', { key: 'd,s' })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    )
  })

  it('say which members identified items without being named', () => {
    const one = '{"a":[{"id":1,"v":1}],"b":[{"name":"x","v":1}],"c":[1],"d":[]}'
    const other = '{"a":[{"id":1,"v":2}],"b":[{"name":"x","v":2}],"c":[2],"d":[1]}'
    expect(compared(one, other).guessedKeys).toEqual(['id', 'name'])
    expect(compared(one, one).guessedKeys).toEqual([])
    expect(compared('[{"id":1}]', '[{"id":2}]', { key: 'id' }).guessedKeys).toEqual([])
  })
})

describe('tables of CSV', () => {
  const days = 'day,shop,v\n1,A,10\n1,B,20\n2,A,30\n2,B,40\n'

  it.each(['day,shop', 'shop,day', '["day","shop"]', 'day,shop,day'])(
    'may be identified by %s together',
    (key) => {
      expect(compared(days, 'day,shop,v\n2,B,40\n1,A,10\n1,B,20\n2,A,31\n', { key })).toMatchObject({
        guessedKeys: [],
        summary: { added: 0, removed: 0, changed: 1, moved: 1 },
        changes: [
          { op: 'replace', pointer: '/2/v', newPointer: '/3/v', from: '30', to: '31' },
          { op: 'move', pointer: '/3', newPointer: '/0' },
        ],
      })
    },
  )

  it('have a JSON array of cells as the key of a row, where several identify it', () => {
    const [changed, added] = compared(days, days.replace('2,B,40', '2,B,41').concat('3,"A,C",1\n'), {
      key: 'day,shop',
    }).changes
    expect([changed?.key, added?.key]).toEqual(['["2","B"]', '["3","A,C"]'])
  })

  it('never take cells of several columns for one another', () => {
    const key = { key: 'a,b' }
    expect(
      compared('a,b,v\n1,2,x\n2,1,y\n12,3,z\n1,23,w\n', 'a,b,v\n2,1,y\n1,2,x\n1,23,w\n12,3,z\n', key).summary,
    ).toMatchObject({
      added: 0,
      removed: 0,
      changed: 0,
    })
  })

  it.each([
    [
      'day,shop',
      'day,shop\n1,A\n1,A\n',
      'key_not_unique',
      'The columns "day" and "shop" do not identify rows: /0 and /1',
    ],
    ['day,shop', 'day,shop\n1,A\n1,\n', 'key_not_found', 'one is empty in /1 of the first table'],
    ['day,shop', 'day,v\n1,A\n', 'key_not_found', 'The column "shop" is not compared'],
    ['day,', 'day,v\n1,A\n', 'key_not_found', 'The column "" is not compared'],
    ['["a,b","c"]', 'a,c\n1,2\n', 'key_not_found', 'The column "a,b" is not compared'],
  ])('refuse %s where it identifies no rows of %j', (key, text, code, message) => {
    expect(() => compared(text, text, { as: 'csv', key })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    )
  })

  it('may have a comma in the name of the column, as a JSON array', () => {
    const key = JSON.stringify(['a,b'])
    expect(compared('"a,b",v\n1,x\n2,y\n', '"a,b",v\n2,y\n1,z\n', { key }).summary).toMatchObject({
      changed: 1,
      moved: 1,
    })
  })

  it.each([
    ['order_id', true],
    ['orderId', true],
    ['SKU', true],
    ['Order No', true],
    ['customer.number', true],
    ['E-Mail', false],
    ['price', false],
    ['grid', false],
    ['monkey', false],
    ['valid', false],
    ['piano', false],
  ])('are identified by %s without being told: %s', (name, isKey) => {
    const found = compared(`v,${name}\nx,1\ny,2\n`, `v,${name}\nz,2\nx,1\n`)
    expect(found.guessedKeys).toEqual(isKey ? [name] : [])
  })

  it('are not identified by a guess that does not tell their rows apart', () => {
    expect(compared('user_id,v\n1,a\n1,b\n', 'user_id,v\n1,a\n1,c\n').guessedKeys).toEqual([])
  })
})
