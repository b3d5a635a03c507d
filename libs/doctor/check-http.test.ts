import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHttp } from './check-http.js'

const server = createServer((_request, response) => response.writeHead(404).end())
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/path`
})
afterAll(() => void server.close())

test('any response is ok, and no response names the variable', async () => {
  const part = { check: 'web', variable: 'WEB_URL' }
  expect((await checkHttp({ ...part, url })).verdict).toBe('ok')
  const silent = await checkHttp({ ...part, url: 'http://127.0.0.1:1/' })
  expect([silent.verdict, silent.remedy]).toEqual(['problem', 'start that process, or fix WEB_URL'])
})
