import { afterAll, beforeAll } from 'vitest'
import { type Ceph, cephPrograms, startCeph } from '#libs/testing/ceph.js'
import { describeWithPrograms } from '#libs/testing/programs.js'
import { s3Contract } from './s3-contract.js'

describeWithPrograms('Ceph', cephPrograms, () => {
  let ceph: Ceph

  beforeAll(async () => {
    ceph = await startCeph()
  })
  afterAll(() => ceph?.stop())

  s3Contract(() => ceph.access)
})
