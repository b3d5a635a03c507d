import { describe } from 'vitest'
import { toolLawsContract } from './testing/tool-laws-contract.js'

describe('of random documents', () => toolLawsContract(250))
