import { describe, expect, it } from 'vitest'
import { readVariables } from '#libs/config/read-variables.js'
import { planCatalogue, planVariables } from '#shared/config/plan-variables.js'
import type { Operation } from '../http/operation.js'
import type { KeyScope } from '../request/key-scopes.js'
import { type Caller, mayApprove } from '../request/request-context.js'
import { authorize } from './admit.js'

const plans = planCatalogue(readVariables(planVariables, {}))
type Route = Pick<Operation, 'method' | 'access' | 'scope' | 'whileClosing'>
const read: Route = { method: 'get', access: 'account' }
const write: Route = { method: 'delete', access: 'account' }
const keys: Route = { method: 'get', access: 'identity-token' }

function byKey(scopes: readonly KeyScope[], plan: 'free' | 'pro' = 'pro'): Pick<Caller, 'provenBy' | 'plan'> {
  return { plan, provenBy: { kind: 'api-key', id: 'k', secret: 1, scopes } }
}

function codeOf(route: Route, caller: Pick<Caller, 'provenBy' | 'plan' | 'outOfUse'>): string {
  try {
    authorize(route, caller, plans)
    return 'let through'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

describe('what a caller may do', () => {
  it('is everything with an identity token, on any plan', () => {
    for (const plan of ['free', 'pro'] as const) {
      for (const route of [read, write, keys]) {
        expect(codeOf(route, { plan, provenBy: { kind: 'identity-token' } })).toBe('let through')
      }
    }
  })

  it('is limited by the scopes of an API key, and never includes what needs an identity token', () => {
    const outcomes = (scopes: readonly KeyScope[]) =>
      [read, write, keys].map((route) => codeOf(route, byKey(scopes)))
    expect(outcomes(['read', 'write'])).toEqual(['let through', 'let through', 'identity_token_required'])
    expect(outcomes(['read'])).toEqual(['let through', 'insufficient_scope', 'identity_token_required'])
    expect(outcomes(['write'])).toEqual(['insufficient_scope', 'let through', 'identity_token_required'])
    expect(outcomes([])).toEqual(['insufficient_scope', 'insufficient_scope', 'identity_token_required'])
  })

  it('includes a read by POST with an API key that may read', () => {
    const comparison: Route = { method: 'post', access: 'account', scope: 'read' }
    expect(codeOf(comparison, byKey(['read']))).toBe('let through')
    expect(codeOf(comparison, byKey(['write']))).toBe('insufficient_scope')
  })

  it('is to approve with an API key that may, and never with a CI job', () => {
    const approval: Route = { method: 'post', access: 'account', scope: 'approve' }
    const ofKey = (scopes: readonly KeyScope[]) =>
      [approval, read, write].map((route) => codeOf(route, byKey(scopes)))
    expect(ofKey(['approve'])).toEqual(['let through', 'insufficient_scope', 'insufficient_scope'])
    expect(ofKey(['read', 'write'])).toEqual(['insufficient_scope', 'let through', 'let through'])
    for (const scopes of [['read', 'write'], ['approve']] as const) {
      const job = { plan: 'pro', provenBy: { kind: 'trusted-publisher', id: 'tp', scopes } } as const
      expect(() => authorize(approval, job, plans)).toThrow('CI jobs cannot approve.')
      expect(mayApprove(job)).toBe(false)
    }
    expect(mayApprove(byKey(['approve']))).toBe(true)
    expect(mayApprove(byKey(['read', 'write']))).toBe(false)
    expect(mayApprove({ provenBy: { kind: 'identity-token' } })).toBe(true)
  })

  it('is limited by the scopes of a CI job’s rule, and never includes what needs an identity token', () => {
    const byRule = (scopes: readonly KeyScope[], plan: 'free' | 'pro' = 'pro') =>
      [read, write, keys].map((route) =>
        codeOf(route, { plan, provenBy: { kind: 'trusted-publisher', id: 'tp', scopes } }),
      )
    expect(byRule(['read', 'write'])).toEqual(['let through', 'let through', 'identity_token_required'])
    expect(byRule(['read'])).toEqual(['let through', 'insufficient_scope', 'identity_token_required'])
    expect(byRule(['write'])).toEqual(['insufficient_scope', 'let through', 'identity_token_required'])
    expect(byRule(['read', 'write'], 'free')).toEqual(Array(3).fill('pro_required'))
  })

  it('is nothing with an API key if the owner’s plan has no keys', () => {
    for (const route of [read, write, keys]) {
      expect(codeOf(route, byKey(['read', 'write'], 'free'))).toBe('pro_required')
    }
  })

  it('is nothing in a suspended account, with a token or a key', () => {
    const outOfUse = 'suspended' as const
    for (const route of [read, write, keys]) {
      expect(codeOf(route, { plan: 'pro', provenBy: { kind: 'identity-token' }, outOfUse })).toBe(
        'account_suspended',
      )
      expect(codeOf(route, { ...byKey(['read', 'write'], 'free'), outOfUse })).toBe('account_suspended')
    }
  })

  it('is only its restoration in a closing account, with a token', () => {
    const closing = { plan: 'pro', outOfUse: 'closing', erasedAfter: new Date(0) } as const
    const provenBy = { kind: 'identity-token' } as const
    const restore: Route = { method: 'post', access: 'identity-token', whileClosing: true }
    for (const route of [read, write, keys]) {
      expect(codeOf(route, { ...closing, provenBy })).toBe('account_closing')
      expect(codeOf(route, { ...closing, ...byKey(['read', 'write']) })).toBe('account_closing')
    }
    expect(codeOf(restore, { ...closing, provenBy })).toBe('let through')
    expect(codeOf(restore, { ...closing, ...byKey(['read', 'write']) })).toBe('account_closing')
    expect(codeOf(restore, { plan: 'pro', provenBy, outOfUse: 'suspended' })).toBe('account_suspended')
  })

  it('is nothing with an idle key', () => {
    const outOfUse = 'idle' as const
    expect(codeOf(read, { ...byKey(['read', 'write']), outOfUse })).toBe('identity_token_required')
    expect(codeOf(read, { ...byKey(['read', 'write'], 'free'), outOfUse })).toBe('pro_required')
  })
})
