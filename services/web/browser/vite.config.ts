import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createBuilder,
  defineConfig,
  type EnvironmentOptions,
  type Plugin,
  type UserConfig,
  type ViteBuilder,
} from 'vite'
import { encode } from '#libs/runtime/content-coding.js'
import { type PageLanguage, pageLanguages } from '#shared/core/page-language.js'
import { manifestName, type PageName, pageNames } from '../assets.js'
import { guidesFile } from '../guides.js'
import { styleSheet } from '../style-sheet.js'
import { renderGuides } from './build/render-guides.js'
import { spoken, usedTexts } from './build/used-texts.js'

// Vite respects a NODE_ENV that is already set, and builds for development unless it is production; tests run
// under `test`.
process.env.NODE_ENV = 'production'

const outDir = join(import.meta.dirname, '../../../dist/services/web/browser')

/**
 * One build per page, so that each page loads one script and one style sheet, and nothing of the others. What several
 * pages use is in each of their scripts: a reader rarely opens more than one kind of page.
 */
const entries: Readonly<Record<PageName, string>> = {
  landing: 'landing/main.ts',
  guide: 'guide/main.ts',
  share: 'share/main.ts',
  'share-markdown': 'share/markdown.ts',
  embed: 'share/embed.ts',
  compare: 'compare/main.ts',
  'tool-list': 'tool-list/main.ts',
  tool: 'tools/main.ts',
  'tools-offline': 'tools-offline/main.ts',
  dashboard: 'dashboard/main.tsx',
}

/** Vite takes no hyphens. */
function environmentName(page: string): string {
  return page.replaceAll('-', '_')
}

function environment(page: PageName, language: PageLanguage): EnvironmentOptions {
  const entry = entries[page]
  return {
    consumer: 'client',
    build: {
      outDir,
      emptyOutDir: false,
      // The server finds the entry in the manifest, and serves everything under /assets/.
      manifest: `manifests/${manifestName(page, language)}`,
      license: { fileName: `licenses/${page}.md` },
      rolldownOptions: { input: { [page]: entry } },
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  const [small, common] = await Promise.all([encode(bytes, 'br', 'always'), encode(bytes, 'gzip', 'always')])
  await Promise.all([writeFile(`${path}.br`, small), writeFile(`${path}.gz`, common)])
}

/** Writes each script and style in brotli and gzip as well, so that nothing is compressed per request. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '.' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))
      await Promise.all(names.map((name) => compress(join(dir, name))))
    },
  }
}

/** Puts the style of every page into that of each page, so that a page with a script loads one style sheet and not two. */
function pageStyle(): Plugin {
  const file = join(import.meta.dirname, 'page-style.css')
  return { name: 'page-style', load: (id) => (id === file ? styleSheet : undefined) }
}

/** The builds of all pages in a language. What has no texts is the same file in each. */
function configOf(language: PageLanguage): UserConfig {
  return {
    root: import.meta.dirname,
    base: '/',
    publicDir: false,
    resolve: {
      alias: {
        '#libs': join(import.meta.dirname, '../../../libs'),
        '#engine': join(import.meta.dirname, '../../../engine'),
        '#sdk': join(import.meta.dirname, '../../../clients/sdk'),
        '#shared': join(import.meta.dirname, '../../../shared'),
      },
    },
    plugins: [pageStyle(), spoken(language), usedTexts(), compressAssets()],
    worker: { format: 'es', plugins: () => [spoken(language), usedTexts()] },
    build: {
      target: 'es2022',
      // The first versions with light-dark(): its fallback for older ones needs color-scheme in the same file.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      // The CSP trusts what a script with the nonce imports, but no preload links.
      modulePreload: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        // Libraries that support server components mark files with "use client", which means nothing here.
        checks: { moduleLevelDirective: false, bundlerTimings: false, ineffectiveDynamicImport: false },
      },
    },
    environments: Object.fromEntries(
      pageNames.map((page) => [environmentName(page), environment(page, language)]),
    ),
  }
}

async function buildPages({ environments, build }: ViteBuilder): Promise<void> {
  for (const page of pageNames) {
    const found = environments[environmentName(page)]
    if (found !== undefined) await build(found)
  }
}

export default defineConfig({
  ...configOf(pageLanguages[0]),
  builder: {
    async buildApp(builder) {
      const { logLevel = 'info' } = builder.config
      await rm(outDir, { recursive: true, force: true })
      await cp(join(import.meta.dirname, '../images'), join(outDir, 'images'), { recursive: true })
      await buildPages(builder)
      for (const language of pageLanguages.slice(1))
        await buildPages(await createBuilder({ ...configOf(language), configFile: false, logLevel }))
      const guides = renderGuides(join(import.meta.dirname, '../../../docs'))
      await writeFile(join(outDir, guidesFile), JSON.stringify(guides))
    },
  },
})
