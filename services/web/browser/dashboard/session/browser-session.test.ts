import { expect, it } from 'vitest'
import { parseSignInSettings } from './browser-session.js'

it('settings are read as the server writes them', () => {
  const signIn = { issuer: 'https://id.example', client_id: 'snipkeep', scopes: 'openid email' }
  expect(parseSignInSettings({ sign_in: signIn })).toEqual({
    issuer: 'https://id.example',
    clientId: 'snipkeep',
    scopes: 'openid email',
    logoutNeedsToken: false,
  })
  expect(parseSignInSettings({ sign_in: { ...signIn, logout_needs_token: true } })?.logoutNeedsToken).toBe(
    true,
  )
})

it.each([{ sign_in: null }, {}, null, 'x', { sign_in: { issuer: 1 } }])(
  '%j lets no one sign in',
  (config) => {
    expect(parseSignInSettings(config)).toBeNull()
  },
)
