import { tools } from '#engine/tools/registry.js'
import { type IndexedPage, previewPictures } from '#shared/page-head.js'
import { guideGroups } from './guide-list.js'
import type { Site } from './site.js'

/** Every page that search engines may index, by path; `sitemap.xml` lists exactly these. */
export function indexablePaths(site: Pick<Site, 'tools'>): readonly string[] {
  const ofTools = site.tools ? ['/tools', ...tools.map(({ name }) => `/tools/${name}`)] : []
  const ofGuides = guideGroups.flatMap(({ guides }) => guides.map(({ name }) => `/docs/${name}`))
  return ['/', '/compare', '/docs', ...ofGuides, '/api/docs', ...ofTools]
}

function pictureOf(path: string): string {
  if (path === '/compare') return previewPictures.compare
  return path.startsWith('/tools') ? previewPictures.tools : previewPictures.site
}

type IndexedSite = Pick<Site, 'publicBaseUrl' | 'tools' | 'indexing'>

/** How a page is indexed; `null` if it must not be. */
export function indexedPage(site: IndexedSite, path: string): IndexedPage | null {
  if (!site.indexing || !indexablePaths(site).includes(path)) return null
  return { url: `${site.publicBaseUrl}${path}`, picture: `${site.publicBaseUrl}${pictureOf(path)}` }
}
