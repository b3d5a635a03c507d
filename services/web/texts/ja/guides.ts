// Translated by a machine (a language model), and not yet read by a native speaker.

import type { guides as source } from '../en/guides.js'
import type { Translation } from '../message.js'

/** Texts of the guides around the guides themselves. In Japanese. */
export const guides: Translation<typeof source> = {
  'docs.title': 'ガイド',
  'docs.pageTitle': '{title} – ガイド',
  'docs.indexTitle': 'API、CLI、CI のガイド',
  'docs.description':
    '{summary} データ整形ツールのためのオープンソースのバックエンド、Snipkeep のガイドです。',
  'docs.about':
    'Snipkeep での保存、共有、変換のガイド（英語）: API、コマンドライン、CI、ツール、自前のサーバー。',
  'docs.missing': 'このアドレスにガイドはありません。検索するか、次の中から選んでください。',
  'docs.search': 'ガイドを検索',
  'docs.found': '「{asked}」の見出し {count} 件',
  'docs.none': '「{asked}」の語を含む見出しはありません。別の語を試すか、ガイドを選んでください。',
  'docs.contents': 'このページの内容',
  'docs.guides': 'すべてのガイド',
  'docs.api': 'API リファレンス',
  'docs.apiAbout': 'すべての操作のパラメーター、レスポンス、curl の例。',
}
