import { memoryWorld } from '../testing/memory-world.js'
import { historyStoreContract } from './history-store-contract.js'
import { lapseContract } from './lapse-contract.js'

const open = async () => memoryWorld()

historyStoreContract('history in memory', open)
lapseContract('a lapse in memory', open)
