import { describe } from 'vitest'
import { toolLawsContract } from './testing/tool-laws-contract.js'

describe('of a hundred thousand random documents', () => toolLawsContract(100_000))
