import { expect, it } from 'vitest'
import { siteUrl } from './variables.js'

const { parse } = siteUrl('Where the site is.')

it.each([
  ['https://snipkeep.example', 'https://snipkeep.example'],
  ['https://snipkeep.example/', 'https://snipkeep.example'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['https://Snipkeep.Example:443', 'https://snipkeep.example'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
])('%s is the address of a site', (raw, address) => {
  expect(parse(raw)).toBe(address)
})

it.each([
  'https://snipkeep.example/snip',
  'https://snipkeep.example/snip/',
  'https://snipkeep.example//',
  'https://snipkeep.example?a=1',
  'https://snipkeep.example/?',
  'https://snipkeep.example/#',
  'https://user:word@snipkeep.example',
  'snipkeep.example',
  'ftp://snipkeep.example',
  '',
])('%s is none, and the error says why', (raw) => {
  expect(() => parse(raw)).toThrow('without a path, such as https://snipkeep.example')
})
