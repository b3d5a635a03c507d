import { describe } from 'vitest'
import { randomPairsContract } from './testing/random-pairs-contract.js'

describe('of random pairs of documents', () => randomPairsContract(500))
