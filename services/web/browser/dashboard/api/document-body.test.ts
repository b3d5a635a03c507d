import { expect, it } from 'vitest'
import { documentBody } from './document-body.js'

it('data is put into the request byte for byte', async () => {
  const data = '{ "b" : 1.0,"a":1e400 ,"a":12345678901234567890, "s":"\\u0000\\ud800\\/é"\n}'
  const body = documentBody({ tool: 'json', title: 'A "title"', tags: ['x'] }, new Blob([data]))
  expect(await body.text()).toBe(`{"tool":"json","title":"A \\"title\\"","tags":["x"],"data":${data}}`)
  expect(body.type).toBe('application/json')
})
