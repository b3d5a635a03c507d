import { toolPages as german } from './de/tool-pages.js'
import { toolPages as japanese } from './ja/tool-pages.js'
import type { ToolTranslation } from './message.js'
import { speech } from './speech.js'

/** What people search for when they need a tool. */
export interface ToolPageText {
  /** Of the page, without the name of this product. */
  readonly title: string
  readonly description: string
  /** Other words for it, which find it in the list of tools. */
  readonly words: string
}

/** The translations, by language and name of the tool. */
export const toolTranslations: Readonly<Record<string, Readonly<Record<string, ToolTranslation>>>> = {
  de: german,
  ja: japanese,
}

/** The title and description of each tool's page, by the tool's name. */
export const toolPageTexts: ReadonlyMap<string, ToolPageText> = new Map(
  Object.entries({
    'json-format': {
      title: 'JSON formatter and beautifier',
      description:
        'Format and indent JSON online. Digits, escapes, key order and repeated keys stay exactly as they are. Runs in your browser: nothing is uploaded.',
      words: 'pretty print prettify prettier beautify indent tidy',
    },
    'json-minify': {
      title: 'JSON minifier: compress JSON',
      description:
        'Minify JSON online: remove all white space between tokens and change nothing else. Files of any size, in your browser, without an upload.',
      words: 'compress compact uglify shrink',
    },
    'json-validate': {
      title: 'JSON validator and checker',
      description:
        'Check JSON online and get every mistake with its line, column and JSON Pointer, by RFC 8259. Runs in your browser: nothing is uploaded.',
      words: 'lint linter check syntax errors',
    },
    'json-repair': {
      title: 'JSON repair: fix invalid JSON',
      description:
        'Fix broken JSON online: single quotes, missing or trailing commas, comments and cut-off ends. Runs in your browser: nothing is uploaded.',
      words: 'fix broken invalid json5 jsonc comments trailing commas',
    },
    'json-sort-keys': {
      title: 'Sort JSON keys alphabetically',
      description:
        'Sort the keys of every JSON object online, at all levels, so that two documents can be compared. Values stay exactly as they are, in your browser.',
      words: 'order alphabetize canonical',
    },
    'json-query': {
      title: 'JSONPath and JSON Pointer tester',
      description:
        'Query JSON online with JSONPath (RFC 9535) or a JSON Pointer (RFC 6901), and get values or their paths. Runs in your browser, on files of any size.',
      words: 'jq jsonpath filter extract search',
    },
    'json-to-csv': {
      title: 'JSON to CSV converter',
      description:
        'Convert JSON to CSV online: nested values become columns or JSON in a cell, and numbers keep every digit. In your browser, without an upload.',
      words: 'convert export excel table spreadsheet',
    },
    'csv-to-json': {
      title: 'CSV to JSON converter',
      description:
        'Convert CSV to JSON online: each row becomes an object, and the delimiter is found by itself. Files of any size, in your browser, without an upload.',
      words: 'convert import excel table spreadsheet',
    },
    'json-to-ndjson': {
      title: 'JSON to NDJSON (JSON Lines) converter',
      description:
        'Convert a JSON array to NDJSON, also known as JSON Lines or JSONL, online: one item on each line, exactly as it was. Runs in your browser.',
      words: 'convert jsonl json lines',
    },
    'ndjson-to-json': {
      title: 'NDJSON (JSON Lines) to JSON converter',
      description:
        'Convert NDJSON, also known as JSON Lines or JSONL, to one JSON array online. Each value stays exactly as it was. Runs in your browser.',
      words: 'convert jsonl json lines',
    },
    'csv-format': {
      title: 'CSV formatter: delimiter and quotes',
      description:
        'Change the delimiter, quotes, line endings or columns of CSV online: comma, semicolon or tab, for Excel or a database. Runs in your browser.',
      words: 'tsv separator semicolon excel pretty',
    },
    'json-schema-infer': {
      title: 'JSON Schema generator from JSON',
      description:
        'Generate a JSON Schema (2020-12) from sample JSON online: types, required members, formats and lists of values. Runs in your browser.',
      words: 'generate schema draft',
    },
    'json-schema-validate': {
      title: 'JSON Schema validator (2020-12)',
      description:
        'Validate JSON by a JSON Schema online: every error with its line, column and JSON Pointer, numbers of any size. In your browser, without an upload.',
      words: 'json schema validation check draft 2020-12 ajv',
    },
    'json-to-typescript': {
      title: 'JSON to TypeScript types converter',
      description:
        'Generate TypeScript interfaces or types from JSON online, with unions and optional members from as many samples as you have. Runs in your browser.',
      words: 'convert ts types interfaces quicktype',
    },
    'json-to-yaml': {
      title: 'JSON to YAML converter',
      description:
        'Convert JSON to YAML online. Numbers keep every digit, and strings that look like something else get quotes. Runs in your browser: nothing is uploaded.',
      words: 'convert yml',
    },
    'yaml-to-json': {
      title: 'YAML to JSON converter',
      description:
        'Convert YAML 1.2 to JSON online: aliases are resolved, numbers keep every digit, and several documents become an array. Runs in your browser.',
      words: 'convert yml',
    },
    'yaml-format': {
      title: 'YAML formatter and beautifier',
      description:
        'Format and indent YAML online while comments, anchors and quotes stay as they are. Mistakes are shown with their line. Runs in your browser.',
      words: 'yml pretty print prettier beautify indent tidy',
    },
    'json-to-xml': {
      title: 'JSON to XML converter',
      description:
        'Convert JSON to XML online, and back to the same JSON: types, key order and every digit are kept. Runs in your browser: nothing is uploaded.',
      words: 'convert',
    },
    'xml-to-json': {
      title: 'XML to JSON converter',
      description:
        'Convert XML to JSON online: elements, attributes and mixed content in their order, and numbers exact if you want numbers. Runs in your browser.',
      words: 'convert',
    },
    'xml-format': {
      title: 'XML formatter and beautifier',
      description:
        'Format and indent XML online. Text, comments and CDATA stay exactly as they are, and entities are never expanded. Runs in your browser.',
      words: 'pretty print prettier beautify indent tidy html svg',
    },
    'xml-minify': {
      title: 'XML minifier: compress XML',
      description:
        'Minify XML online: remove white space between elements and within tags, and leave text alone. Runs in your browser: nothing is uploaded.',
      words: 'compress compact uglify shrink svg',
    },
    'sql-format': {
      title: 'SQL formatter and beautifier',
      description:
        'Format SQL online for PostgreSQL, MySQL, SQL Server, Oracle, BigQuery and other dialects, with the case of keywords you like. Runs in your browser.',
      words: 'pretty print prettier beautify indent query',
    },
    'base64-encode': {
      title: 'Base64 encoder for text and files',
      description:
        'Encode text or files of any size as Base64 or Base64url online, with or without padding and line breaks. Runs in your browser: nothing is uploaded.',
      words: 'convert',
    },
    'base64-decode': {
      title: 'Base64 decoder for text and files',
      description:
        'Decode Base64 and Base64url to text or a file online. What no encoder writes is refused, with its place. Runs in your browser: nothing is uploaded.',
      words: 'convert',
    },
    'url-encode': {
      title: 'URL encoder: percent-encoding',
      description:
        'Encode text for URLs online: percent-encode a query parameter, a path or a form. Runs in your browser: nothing is uploaded.',
      words: 'convert uri percent escape',
    },
    'url-decode': {
      title: 'URL decoder: percent-encoding',
      description:
        'Decode percent-encoded URLs and query strings online, with plus signs as spaces where you want it. Runs in your browser: nothing is uploaded.',
      words: 'convert uri percent unescape',
    },
    'jwt-decode': {
      title: 'JWT decoder: header and claims',
      description:
        'Decode a JSON Web Token online and read its header and claims. The token stays in your browser; its signature is shown, not verified.',
      words: 'json web token bearer parse',
    },
    hash: {
      title: 'SHA-256, SHA-512 and MD5 hash generator',
      description:
        'Compute the SHA-256, SHA-384, SHA-512, SHA-3, SHA-1 or MD5 hash of text or a file of any size online. Runs in your browser: nothing is uploaded.',
      words: 'checksum digest fingerprint md5 sha1 sha256 sha512',
    },
  }),
)

/** What a tool's page says in the language of the page. */
export function toolText(tool: {
  readonly name: string
  readonly title: string
  readonly summary: string
}): ToolTranslation & { readonly words: string } {
  const page = toolPageTexts.get(tool.name) ?? { title: tool.title, description: tool.summary, words: '' }
  const translated = toolTranslations[speech.language]?.[tool.name]
  if (translated === undefined) return { ...page, name: tool.title, summary: tool.summary }
  return { ...translated, words: `${tool.title} ${page.title} ${page.words}` }
}
