import { historyStoreContract } from '../adapters/history-store-contract.js'
import { lapseContract } from '../adapters/lapse-contract.js'
import { ownerErasureContract } from '../adapters/owner-erasure-contract.js'
import { memoryFixture } from './memory-fixture.js'

const open = async () => memoryFixture()

historyStoreContract('history in memory', open)
lapseContract('a lapse in memory', open)
ownerErasureContract('erased owners in memory', open)
