import { expect, it } from 'vitest'
import { isForeignForm } from './form-origin.js'

const own = ['https://snipkeep.example']

it.each([
  [{ origin: 'https://evil.example' }, true],
  [{ origin: 'null' }, true],
  [{ origin: 'http://192.168.1.5:8080', host: '192.168.1.5:8080' }, false],
  [{ origin: 'http://192.168.1.5:8080', host: '192.168.1.5' }, true],
  [{ origin: 'x', host: 'x' }, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, true],
  [{ origin: 'http://snipkeep.example' }, true],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://snipkeep.example' }, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, true],
  [{ origin: 'https://snipkeep.example' }, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://snipkeep.example' }, false],
  [{ 'sec-fetch-site': 'none' }, true],
  [{}, false],
])('a form with %j is of another site: %s', (headers, foreign) => {
  expect(isForeignForm({ headers }, own)).toBe(foreign)
})
