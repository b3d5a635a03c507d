// Translated by a machine (a language model), and not yet read by a native speaker.

import type { front as source } from '../en/front.js'
import type { Translation } from '../message.js'

/** Texts of the front page. In Japanese. */
export const front: Translation<typeof source> = {
  'landing.pageTitle': 'JSON と CSV の共有・保存・比較',
  'landing.description':
    'JSON、CSV、テキストをリンクで共有し、表やツリーで表示。バージョンを保存して正確に比較し、ブラウザー内のツールで変換。オープンソースです。',
  'landing.title': 'データを貼り付けるだけで、見やすいリンクに。',
  'landing.text':
    'JSON、CSV、SQL、Markdown を、読める・検索できる・部分にリンクできるページとして共有できます。繰り返し使うものは名前を付けて保存し、1 行で取得できます。1 バイトも変わりません。',
  'landing.start': 'ツールから始める',
  'landing.paste': 'データ',
  'landing.pasteHint':
    '貼り付け、入力、またはファイルをドロップ。保存または共有するまでブラウザーの外に出ません。',
  'landing.allTools': 'すべてのツール',
  'landing.sends': 'これ（{size}）を自分のアカウントにアップロードします。',
  'landing.notText': 'UTF-8 テキストではないため、共有できません。',
  'landing.notOpened':
    'ブラウザーがツールのページ用にデータを保持できません。ツールを開いて、そこに貼り付けてください。',
  'landing.docs': 'API ドキュメントを読む',
  'landing.example': '共有の例',
  'landing.exampleText':
    'リンクを開いた人にはこのように表示されます。ここでは CSV と、その元の JSON です。並べ替え、絞り込み、検索ができ、セルを選択するとそのリンクが得られます。数値は送られたままの桁を保ちます。',
  'landing.exampleData': '例: planets.csv',
  'landing.terminal': 'ターミナルから使う',
  'landing.terminalText':
    '以下の行はこのサーバーで動作します。最後の行以外は無料アカウントで十分です。team.csv は手元の任意のファイル、ID は共有リンクの末尾です。',
  'landing.install': 'コマンドラインをインストール',
  'landing.signIn': 'サインイン（初回のみ）',
  'landing.share': 'ファイルを共有: リンクを出力',
  'landing.fetch': '共有を取得: アカウントなしで誰でも可能',
  'landing.script': 'スクリプトから共有、API キーは KEY に（Pro）',
  'landing.copyLine': 'コピー: {what}',
  'landing.copied': 'コピーしました。',
  'landing.notCopied': 'ブラウザーがコピーを許可しませんでした。行を選択してコピーしてください。',
  'landing.plans': 'プラン',
  'landing.plansAt': '上限と料金:',
  'landing.allPro': 'このサーバーでは誰でも無料です。販売はなく、全員が Pro を利用できます。',
  'landing.free': '無料',
  'landing.noPrice': '現在、料金を表示できません。',
}
