import { describe, expect, it } from 'vitest'
import { createUploadBudget } from './upload-budget.js'

describe('an upload budget', () => {
  it('gives out all its bytes, and no more', () => {
    const budget = createUploadBudget(100)
    budget.reserve(60)
    budget.reserve(40)
    expect(() => budget.reserve(1)).toThrow(
      expect.objectContaining({ kind: 'unavailable', code: 'unavailable', details: { retry_after: 1 } }),
    )
  })

  it('reserves an eighth for the start of bodies, however much large bodies take', () => {
    const budget = createUploadBudget(80_000_000)
    const release = budget.reserveMore(70_000_000)
    expect(() => budget.reserveMore(1)).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    budget.reserve(10_000_000)
    expect(() => budget.reserve(1)).toThrow()
    release()
    budget.reserveMore(60_000_000)
  })

  it('always has room for one large body, however small the budget is', () => {
    const budget = createUploadBudget(1_048_576)
    budget.reserveMore(1_048_576)
    expect(() => budget.reserveMore(1)).toThrow()
  })

  it('frees bytes once, even if they are released twice', () => {
    const budget = createUploadBudget(100)
    const release = budget.reserve(60)
    budget.reserve(40)
    release()
    release()
    budget.reserve(60)
    expect(() => budget.reserve(1)).toThrow()
  })

  it('loses no bytes on a rejection', () => {
    const budget = createUploadBudget(100)
    expect(() => budget.reserve(101)).toThrow()
    expect(() => budget.reserve(100)).not.toThrow()
  })
})
