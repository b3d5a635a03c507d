import { memoryFixture } from '../testing/memory-fixture.js'
import { historyStoreContract } from './history-store-contract.js'
import { lapseContract } from './lapse-contract.js'
import { ownerErasureContract } from './owner-erasure-contract.js'

const open = async () => memoryFixture()

historyStoreContract('history in memory', open)
lapseContract('a lapse in memory', open)
ownerErasureContract('erased owners in memory', open)
