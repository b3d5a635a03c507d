import { describe, expect, it } from 'vitest'
import { createUploadBudget } from './upload-budget.js'

describe('an upload budget', () => {
  it('gives out its bytes to the last one, and no more', () => {
    const budget = createUploadBudget(100)
    budget.reserve(60)
    budget.reserve(40)
    expect(() => budget.reserve(1)).toThrow(
      expect.objectContaining({ kind: 'unavailable', code: 'unavailable', details: { retry_after: 1 } }),
    )
  })

  it('takes bytes back once, however often they are given', () => {
    const budget = createUploadBudget(100)
    const release = budget.reserve(60)
    budget.reserve(40)
    release()
    release()
    budget.reserve(60)
    expect(() => budget.reserve(1)).toThrow()
  })

  it('loses nothing by a refusal', () => {
    const budget = createUploadBudget(100)
    expect(() => budget.reserve(101)).toThrow()
    expect(() => budget.reserve(100)).not.toThrow()
  })
})
