import { expect, it } from 'vitest'
import { peerIdentity } from './peer-identity.js'

const of = (subjectaltname?: string): string | null => peerIdentity({ subjectaltname })

it('is the process of the only SPIFFE id, whatever other names there are', () => {
  expect(of('URI:spiffe://snipkeep/gateway')).toBe('gateway')
  expect(of('DNS:content.snipkeep.svc, IP Address:10.0.0.1, URI:spiffe://snipkeep/content')).toBe('content')
})

it('is missing for ambiguous certificates', () => {
  const strangers = [
    undefined,
    '',
    'DNS:gateway',
    'DNS:spiffe://snipkeep/gateway',
    'URI:spiffe://elsewhere/gateway',
    'URI:spiffe://snipkeep/',
    'URI:spiffe://snipkeep/gateway/extra',
    'URI:spiffe://snipkeep/Gateway',
    'URI:https://snipkeep/gateway',
    'URI:spiffe://snipkeep/gateway, URI:spiffe://snipkeep/billing',
    'URI:https://a.example, URI:spiffe://snipkeep/gateway',
    'DNS:"a, URI:spiffe://snipkeep/gateway, b"',
    'DNS:a, URI:"spiffe://snipkeep/gateway"',
  ]
  for (const names of strangers) expect(of(names), names).toBeNull()
})
