import { expect, test } from 'vitest'
import { gatewayUrlOf, localUrlOf } from './gateway-url.js'

test('nobody is sent to an address that the gateway does not listen on', () => {
  const urls = (host: string) => [gatewayUrlOf(host, 8080), localUrlOf(host, 8080)]
  expect(urls('127.0.0.1')).toEqual(['http://127.0.0.1:8080', 'http://localhost:8080'])
  expect(urls('localhost')).toEqual(['http://localhost:8080', 'http://localhost:8080'])
  expect(urls('::1')).toEqual(['http://[::1]:8080', 'http://localhost:8080'])
  for (const everywhere of ['0.0.0.0', '::'])
    expect(urls(everywhere)).toEqual(['http://127.0.0.1:8080', 'http://localhost:8080'])
  expect(urls('192.168.1.5')).toEqual(['http://192.168.1.5:8080', 'http://192.168.1.5:8080'])
  expect(urls('fd00::2')).toEqual(['http://[fd00::2]:8080', 'http://[fd00::2]:8080'])
})
