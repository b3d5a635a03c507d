import type { Planted } from './planted.js'

/** Documents of JSON that hold a text of another format, as raw uploads are stored. */
export const plantedHeld: readonly Planted[] = [
  {
    name: 'the shape of a held table',
    baseline: '{"csv":"id,price\\n1,2\\n3,4\\n"}',
    contract: { compare: 'shape' },
    changes: [
      ['1,2', '1,9', 'allowed'],
      ['', 'id,price\n1,2\n3,4\n', 'same'],
      ['', 'id,price\n1,2\n', 'allowed'],
      ['', '{"csv":"<html>\\nBad gateway\\n"}', 'breaks removed /*/id, removed /*/price, added /*/<html>'],
      ['', '{"csv":"Bad gateway"}', 'breaks removed /*/id, removed /*/price, added /*/Bad gateway'],
      ['', '<html>\nBad gateway\n', 'breaks removed /*/id, removed /*/price, added /*/<html>'],
      ['1,2', '1,\\"2', 'breaks format '],
      ['id,price', 'id,cost', 'breaks removed /*/price, added /*/cost'],
      ['', '{"text":"id,price\\n1,2\\n3,4\\n"}', 'breaks removed /csv, added /text'],
      ['', '{"csv":""}', 'breaks removed /*/id, removed /*/price'],
    ],
  },
  {
    name: 'the shape of a held table of one column',
    baseline: '{"csv":"id\\n1\\n2\\n"}',
    contract: { compare: 'shape' },
    changes: [
      ['2', '3', 'allowed'],
      ['', '{"csv":"Bad gateway\\n"}', 'breaks removed /*/id, added /*/Bad gateway'],
    ],
  },
  {
    name: 'the shape of held lines',
    baseline: '{"text":"{\\"a\\":1}\\n{\\"a\\":2}\\n"}',
    contract: { compare: 'shape' },
    changes: [
      ['2', '3', 'allowed'],
      ['2', 'true', 'breaks shape /*/a'],
      ['', '{"text":"<html>\\nBad gateway\\n"}', 'breaks format '],
      ['', '{"text":"Bad gateway"}', 'breaks format '],
      ['', '{"text":"[{\\"a\\":1},{\\"a\\":2}]"}', 'breaks format '],
      ['', '{"a":1}\n{"a":5}\n', 'allowed'],
      ['', '{"a":1}\n{"b":5}\n', 'breaks added /*/b'],
      ['', 'Bad gateway\n', 'breaks format '],
    ],
  },
  {
    name: 'a schema for held lines',
    baseline: '{"text":"{\\"a\\":1}\\n{\\"a\\":2}\\n"}',
    contract: { compare: 'shape', schema: { type: 'array', items: { required: ['a'] } } },
    changes: [
      ['2', '3', 'allowed'],
      ['{\\"a\\":2}', '{}', 'breaks schema /1'],
      ['', '{"text":"<html>\\n"}', 'breaks format '],
      ['', '{"a":1}\n{"a":5}\n', 'allowed'],
    ],
  },
  {
    name: 'shape and schema of held JSON',
    baseline: '{"json":"{\\"a\\":1}"}',
    contract: { compare: 'shape', schema: { properties: { a: { minimum: 0 } } } },
    changes: [
      ['1', '2', 'allowed'],
      ['1', '-2', 'breaks schema /a'],
      ['1', '\\"1\\"', 'breaks shape /a'],
      ['', '{"json":"<html>\\nBad gateway\\n"}', 'breaks format '],
      ['', '{"json":"Bad gateway"}', 'breaks format '],
      ['', '{"json":"{\\"a\\":1"}', 'breaks format '],
      ['', '{"a": 1.0}', 'allowed'],
      ['', '{"a":"1"}', 'breaks shape /a'],
      ['', 'Bad gateway', 'breaks format '],
    ],
  },
]
