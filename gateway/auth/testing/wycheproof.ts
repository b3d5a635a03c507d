import { readFileSync } from 'node:fs'
import { corpusFolder } from '#libs/testing/corpora.js'

/** A test vector of Project Wycheproof. */
export interface Vector {
  readonly id: number
  readonly comment: string
  readonly isValid: boolean
  readonly jws: string
  /** The public keys to verify with, or the symmetric ones if there are no public ones. */
  readonly keys: readonly unknown[]
}

interface VectorFile {
  readonly testGroups: readonly {
    readonly public?: { readonly keys?: readonly unknown[] }
    readonly private?: { readonly keys?: readonly unknown[] }
    readonly tests: readonly {
      readonly tcId: number
      readonly comment: string
      readonly result: 'valid' | 'invalid'
      readonly jws: string
    }[]
  }[]
}

const folder = corpusFolder('wycheproof')

/** False without the corpus, which is not part of the repository. */
export const wycheproofIsThere: boolean = folder !== null

export function wycheproofVectors(file: 'json_web_signature_test' | 'json_web_key_test'): readonly Vector[] {
  if (folder === null) throw new Error('Wycheproof is missing.')
  const content: VectorFile = JSON.parse(readFileSync(`${folder}/${file}.json`, 'utf8'))
  return content.testGroups.flatMap((group) => {
    const material = group.public ?? group.private ?? {}
    return group.tests.map((vector) => ({
      id: vector.tcId,
      comment: vector.comment,
      isValid: vector.result === 'valid',
      jws: vector.jws,
      keys: material.keys ?? [material],
    }))
  })
}
