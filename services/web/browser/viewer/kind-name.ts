import { text } from '../../texts/text.js'
import { isLanguage, type Kind, type Language } from '../document/kinds/kind.js'

/** Names of languages are the same in all languages. */
const languageNames: Readonly<Record<Language, string>> = {
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  python: 'Python',
  java: 'Java',
  go: 'Go',
  rust: 'Rust',
  cpp: 'C++',
  php: 'PHP',
  css: 'CSS',
}

/** What a kind is called. */
export function kindName(kind: Kind): string {
  return isLanguage(kind) ? languageNames[kind] : text(`kind.${kind}`)
}
