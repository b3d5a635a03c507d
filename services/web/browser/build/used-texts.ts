import { type ESTree, type Plugin, parseAst } from 'vite'
import type { PageLanguage } from '#shared/core/page-language.js'
import { catalogues } from '../../texts/languages.js'
import { toolPageTexts, toolTranslations } from '../../texts/tool-pages.js'

/** Where the texts of a script are, of which it needs few. */
const catalogue = /\/services\/web\/texts\/speech\.ts(?:\?spoken)?$/
const ownModules = /\/(?:services\/web|libs|shared)\/.*\.tsx?$/

/** Whether a script names a text: in a string, or by the fixed beginning of a template string. */
export function namedIn(source: string): (name: string) => boolean {
  const whole = new Set([...source.matchAll(/['"`]([\w-]+\.[\w-]+)['"`]/g)].map(([, name = '']) => name))
  const beginnings = [...source.matchAll(/`([\w-]+\.[\w-]*)\$\{/g)].map(([, beginning = '']) => beginning)
  return (name) => whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
}

function objectsOf(statement: ESTree.Directive | ESTree.Statement): readonly ESTree.ObjectExpression[] {
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ init }) => (init?.type === 'ObjectExpression' ? [init] : []))
}

/** The code without those members of its objects whose names have a dot and are not named. */
export function withoutUnused(code: string, isNamed: (name: string) => boolean): string {
  let kept = ''
  let end = 0
  for (const object of parseAst(code).body.flatMap(objectsOf))
    for (const member of object.properties) {
      const name = member.type === 'Property' && member.key.type === 'Literal' ? String(member.key.value) : ''
      if (!name.includes('.') || isNamed(name)) continue
      kept += code.slice(end, member.start)
      end = code[member.end] === ',' ? member.end + 1 : member.end
    }
  return kept + code.slice(end)
}

/** The module of the language, for scripts: they speak one. */
function speechIn(language: PageLanguage): string {
  const name = JSON.stringify(language)
  return `export const language = ${name}
export const messages = ${JSON.stringify(catalogues[language])}
export const plurals = new Intl.PluralRules(${name})
export const numbers = new Intl.NumberFormat(${name})
`
}

const toolPages = /\/services\/web\/texts\/tool-pages\.ts$/

/** What scripts need of the texts of tools. */
function toolPagesIn(language: PageLanguage): string {
  const texts = [...toolPageTexts].map(([name, page]) => {
    const title = toolTranslations[language]?.[name]?.title
    return [name, title === undefined ? page : { title, words: `${page.title} ${page.words}` }]
  })
  return `export const toolPageTexts = new Map(${JSON.stringify(texts)})`
}

/** A namespace costs scripts nothing; an object would. */
const asNamespace = 'export * as speech from "./speech.js?spoken"'

/** Makes scripts speak a language. */
export function spoken(language: PageLanguage): Plugin {
  return {
    name: 'spoken',
    enforce: 'pre',
    resolveId: (id, from = '') => (id.endsWith('?spoken') ? `${from}?spoken` : undefined),
    load: (id) => {
      if (id.endsWith('speech.ts?spoken')) return speechIn(language)
      if (toolPages.test(id)) return toolPagesIn(language)
      return catalogue.test(id) ? asNamespace : undefined
    },
  }
}

/** Leaves in each script only the texts that it, or what it loads later, may show. */
export function usedTexts(): Plugin {
  return {
    name: 'used-texts',
    apply: 'build',
    renderChunk(code, chunk, _options, { chunks }) {
      if (!chunk.moduleIds.some((id) => catalogue.test(id))) return null
      const modules = Object.values(chunks).flatMap(({ moduleIds }) => moduleIds)
      const own = modules.filter((id) => ownModules.test(id) && !catalogue.test(id))
      const source = own.map((id) => this.getModuleInfo(id)?.code ?? '').join('\n')
      return { code: withoutUnused(code, namedIn(source)), map: null }
    },
  }
}
