import { describe } from 'vitest'
import { randomPairsContract } from './testing/random-pairs-contract.js'

describe('of many random pairs of documents', () => randomPairsContract(20_000))
