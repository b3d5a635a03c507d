import { describe } from 'vitest'
import { toolLawsContract } from './testing/tool-laws-contract.js'

// They take as long as all others.
describe('of a hundred thousand random documents', () =>
  toolLawsContract(100_000, (law) => /^(sql|xml)-/.test(law)))
