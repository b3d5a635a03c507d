import { join } from 'node:path'
import type { Assets } from '../assets.js'
import { renderGuides } from '../browser/build/render-guides.js'

const script = Buffer.from('export {}')

const guideStyle = { contentType: 'text/css; charset=utf-8', read: async () => Buffer.from('.docs{}') }

/** Assets of a build with one script and the real guides; each compressed form names its coding. */
export const testAssets: Assets = {
  pictures: new Map([['/images/icon-192.png', Buffer.alloc(2_000, 'picture')]]),
  of: (page) => ({ script: `/assets/${page}.js`, style: `/assets/${page}.css` }),
  find: (path) => {
    if (path === '/assets/guide.css') return guideStyle
    return /^\/assets\/(share|tool|tool-list|tools-offline)\.js$/.test(path)
      ? {
          contentType: 'text/javascript; charset=utf-8',
          read: async (coding) => (coding === null ? script : Buffer.from(coding)),
        }
      : undefined
  },
  guides: renderGuides(join(import.meta.dirname, '../../../docs')),
  reachable: async (pages) => pages.map((page) => `/assets/${page}.js`),
}
