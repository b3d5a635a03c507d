import { describe } from 'vitest'
import { toolLawsContract } from './testing/tool-laws-contract.js'

// Those of the other half are in sql-and-xml-laws.contract.test.ts, so that both run at once.
describe('of a hundred thousand random documents', () =>
  toolLawsContract(100_000, (law) => !/^(sql|xml)-/.test(law)))
