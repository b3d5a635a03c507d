// Translated by a machine (a language model), and not yet read by a native speaker.

import type { site as source } from '../en/site.js'
import type { Translation } from '../message.js'

/** Texts of every page: times, and the pages that say what has happened. In Japanese. */
export const site: Translation<typeof source> = {
  'site.skip': '本文へ移動',
  'site.menu': 'メニュー',
  'site.about': 'Snipkeep について',
  'site.language': '言語',
  'size.bytes': '{count} バイト',
  'page.tagline': '整形ツールの出力を保存し、どこからでも取得して、リンクで共有できます。',
  'time.seconds': '{count} 秒',
  'time.minutes': '{count} 分',
  'time.hours': '{count} 時間',
  'time.days': '{count} 日',
  'time.ago': '{time}前',
  'status.missing': 'ページが見つかりません',
  'status.missingPage': 'このアドレスにページはありません。',
  'status.missingTool': 'このアドレスにツールはありません。',
  'status.meant': 'もしかして',
  'status.dashboard': 'ダッシュボード',
  'status.missingText':
    'リンクに誤りがあるか、共有した人が削除しました。新しいリンクを共有した人に依頼してください。',
  'status.expired': 'この共有は期限切れです',
  'status.expiredText': 'もう開けません。新しいリンクを共有した人に依頼してください。',
  'status.expiredTime': '期限切れ',
  'status.disabled': 'この共有は無効になっています',
  'status.disabledText': 'このサイトの運営者が無効にしました。共有した人には通知済みです。',
  'status.usedUp': 'この共有は閲覧回数の上限に達しました',
  'status.notAlone': 'この共有は専用のページでのみ開けます',
  'status.notAloneText': '共有した人がパスワードで保護しているか、開ける回数を制限しています。',
  'status.notAloneOpen': '専用のページへ',
  'status.readOnly': 'このページは読み取り専用です',
  'status.readOnlyText': 'ブラウザーで開くか、GET で取得してください。',
  'status.unavailable': 'このページは一時的に利用できません',
  'status.unavailableText':
    '背後のサービスが応答していません。データは失われていません。しばらくしてからもう一度お試しください。',
  'status.failureText': 'こちら側の不具合で、記録しました。しばらくしてからもう一度お試しください。',
  'status.home': 'Snipkeep とは',
  'cli.title': 'ターミナルに戻る',
  'cli.text': 'このマシンの snipkeep コマンドがサインインを待っています。',
  'cli.continue': '続ける',
  'cli.invalid': 'このサインインを待っているコマンドはありません',
  'cli.invalidText': 'ターミナルで snipkeep login からやり直してください。',
}
