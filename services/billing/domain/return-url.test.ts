import { expect, it } from 'vitest'
import { returnUrls } from './return-url.js'

const web = 'https://snippets.example'

it('payers return to default pages of the web application, or to requested ones under its origin', () => {
  expect(returnUrls({ successUrl: null, cancelUrl: null }, web)).toEqual({
    successUrl: `${web}/?checkout=success`,
    cancelUrl: `${web}/?checkout=cancel`,
  })
  const requested = { successUrl: `${web}/thanks?a=1#b`, cancelUrl: 'HTTPS://Snippets.Example:443/no' }
  expect(returnUrls(requested, web)).toEqual({ successUrl: `${web}/thanks?a=1#b`, cancelUrl: `${web}/no` })
})

const foreign = [
  'https://evil.example/',
  'https://snippets.example.evil.example/',
  'https://snippets.example@evil.example/',
  'https://user@snippets.example/',
  'https://user:pass@snippets.example/',
  'https://snippets.example:8443/',
  'http://snippets.example/',
  '//evil.example/',
  '//snippets.example/',
  '/relative',
  'thanks',
  '',
  ' ',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://snippets.example/',
  'https:evil.example',
  'https:/\\evil.example',
  'https://evil.example\\@snippets.example',
  'https://snippets.example\u3002evil.example/',
  'https://snıppets.example/',
  'https://snippets.exampl%65.evil.example/',
  'blob:https://snippets.example/x',
  `https://snippets.example/${'x'.repeat(2_048)}`,
]

it(`all ${foreign.length} foreign URLs are refused, each with its field`, () => {
  for (const url of foreign) {
    let thrown: unknown
    try {
      returnUrls({ successUrl: url, cancelUrl: url }, web)
    } catch (error) {
      thrown = error
    }
    expect(thrown, url).toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/success_url' }, { pointer: '/cancel_url' }] },
    })
  }
})
