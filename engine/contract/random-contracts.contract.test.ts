import { describe } from 'vitest'
import { randomContractsContract } from './testing/random-contracts-contract.js'

describe('many random contracts', () => randomContractsContract(20_000))
