import { expect, it } from 'vitest'
import { openBrowser } from './open-browser.js'
import { isWebAddress } from './web-address.js'

it.each([
  'file:///C:/Windows/System32/calc.exe',
  'file://attacker.example/share/run.exe',
  'javascript:alert(1)',
  'ms-settings:network',
  'http://attacker.example/',
  'http://127.0.0.1.attacker.example/',
  'http://localhost.attacker.example/',
  'http://notlocalhost/',
  'http://attacker.example.127.0.0.1.example/',
])('%s is never opened', async (address) => {
  expect(isWebAddress(new URL(address))).toBe(false)
  expect(await openBrowser(new URL(address), { BROWSER: process.execPath })).toBe(false)
})

it.each([
  'https://issuer.example/',
  'http://localhost:8081/a',
  'http://id.localhost:8083/',
  'http://127.0.0.1:1/',
  'http://[::1]:8081/',
])('%s may be opened', (address) => {
  expect(isWebAddress(new URL(address))).toBe(true)
})
