import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createLogger } from '#libs/log/logger.js'
import { createPageServer, type PageServerDependencies } from '../server.js'
import { preview } from './previews.js'
import { testAssets } from './test-assets.js'
import { testSite } from './test-site.js'

const oneShare: PageServerDependencies['shares'] = {
  read: async () => preview('{"csv":"a"}'),
  readGated: () => Promise.reject(new Error('not asked')),
  close() {},
}

/** A server of pages on a free port, of one share unless told otherwise. */
export async function servePages({
  site = testSite,
  shares = oneShare,
}: Partial<Pick<PageServerDependencies, 'site' | 'shares'>> = {}) {
  const log = createLogger('test', 'silent')
  const server = createPageServer({ shares, assets: testAssets, signIn: null, site, log })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}
