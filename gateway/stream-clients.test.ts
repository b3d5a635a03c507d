import { describe, expect, it } from 'vitest'
import {
  DocumentServiceService as generated,
  Operation,
} from '#proto/snipkeep/content/v1/document_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { rawDocumentService as lean } from './upstreams.js'

describe('the document service without copies', () => {
  it('is compatible with the generated one for every chunk size', () => {
    for (const size of [0, 1, 127, 128, 16_383, 16_384, 262_144, 1_000_000]) {
      const chunk = Buffer.alloc(size, 'abc')
      const request = { part: { $case: 'chunk', value: chunk } } as const
      const written = lean.writeDocument.requestSerialize(request)
      expect(written.equals(generated.writeDocument.requestSerialize(request)), `${size}`).toBe(true)
      const response = generated.readDocument.responseSerialize({ chunk })
      expect(lean.readDocument.responseDeserialize(response).chunk.equals(chunk), `${size}`).toBe(true)
    }
    const start = {
      ownerId: 'ann',
      plan: Plan.PLAN_PRO,
      idempotencyKey: '',
      operation: Operation.OPERATION_CREATE_SHARE,
    }
    const first = { part: { $case: 'start', value: start } } as const
    const written = lean.writeDocument.requestSerialize(first)
    expect(generated.writeDocument.requestDeserialize(written)).toEqual(first)
  })
})
