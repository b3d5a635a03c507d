import { describe } from 'vitest'
import { randomContractsContract } from './testing/random-contracts-contract.js'

describe('random contracts', () => randomContractsContract(1_000))
