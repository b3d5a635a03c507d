// Translated by a machine (a language model), and not yet read by a native speaker.

import type { account as source } from '../en/account.js'
import type { Translation } from '../message.js'

/** Texts of the dashboard: plan and profile. In Japanese. */
export const account: Translation<typeof source> = {
  'plan.free': 'Free',
  'plan.pro': 'Pro',
  'plan.isFree': '現在のプラン: Free',
  'plan.isPro': '現在のプラン: Pro',
  'plan.included': 'このサーバーでは全員が Pro を利用できます。販売はありません。',
  'plan.renews': '{interval}ごとの請求。{date}に更新されます。',
  'plan.ends':
    '解約済みです。{date}まで Pro を利用でき、その後は Free プランになります。保存したものは削除されません。',
  'plan.pastDue':
    '前回の支払いに失敗しました。Pro はあと 7 日間利用できます。それまでに支払い方法を更新してください。',
  'plan.unpaid': '料金が未払いのため、Pro は停止しています。続けるには支払い方法を更新してください。',
  'plan.month': '月',
  'plan.year': '年',
  'plan.history': '履歴の件数',
  'plan.contracts': '契約',
  'plan.trustedPublishers': '信頼済みの発行元',
  'plan.revisions': 'スニペットごとの以前のバージョン',
  'plan.shares': '有効な共有',
  'plan.limit': '上限',
  'plan.dataBytes': 'スニペットまたは共有のサイズ',
  'plan.storedBytes': 'ストレージ',
  'plan.shareTtl': '共有の有効期間',
  'plan.days': '{count} 日',
  'plan.forEver': '無期限',
  'plan.unlimited': '無制限',
  'plan.noneOf': 'なし',
  'plan.lastOf': '最新 {count} 件',
  'plan.upgrade': 'Pro ではこれらの上限がなくなり、API キーも使えます。',
  'plan.perMonth': '月額 {price}',
  'plan.perYear': '年額 {price}',
  'plan.saves': '{percent} % お得',
  'plan.payMonth': '月払い',
  'plan.payYear': '年払い',
  'plan.payAbout': '決済サービスのページで支払い、その後ここに戻ります。',
  'plan.portal': '請求書と支払い',
  'plan.cancel': 'Pro を解約',
  'plan.cancelTitle': 'Pro を解約しますか？',
  'plan.cancelAbout':
    '{date}まで Pro を利用できます。その後は Free プランになります。何も削除されませんが、API キーは使えなくなり、スニペットの追加は Free の上限を下回る間のみ可能です。',
  'plan.cancelled': 'Pro は請求期間の終わりに終了します。',
  'plan.keep': 'Pro を続ける',
  'plan.resumed': 'Pro を継続します。',
  'plan.waiting': 'ありがとうございます。支払いを確認しています。数秒かかります。',
  'plan.slow':
    '支払いはまだ確認されていません。データは失われません。確認され次第、このページに Pro と表示されます。',
  'plan.welcome': 'Pro が使えるようになりました。ありがとうございます。',
  'plan.givenUp': '請求は行われず、何も変わっていません。',
  'profile.noName': '未設定',
  'profile.email': 'メール',
  'profile.verified': '確認済み',
  'profile.unverified': '未確認',
  'profile.since': '登録日',
  'profile.id': 'アカウント',
  'profile.toPlan': 'プランと使用状況',
  'profile.export': 'データ',
  'profile.exportHint':
    'アカウントのすべてを 1 つのアーカイブとしてダウンロードします: スニペットとそのバージョン、共有、履歴、シークレットを除くキー、イベント。このサーバーや別のサーバーにインポートできます。',
  'profile.exportButton': 'すべてエクスポート',
  'profile.exportRunning': '{size} 受信済み…',
  'profile.exportDone': 'アーカイブが完成しました。',
  'profile.from': '名前とメールはサインインサービスのものです。変更はそちらで行ってください。',
  'closure.hint':
    'API キーは止まり、共有は消え、サブスクリプションは直ちに終了します。数日間は取り消せますが、その後すべて完全に削除されます。',
  'closure.ask': 'アカウントを削除…',
  'closure.title': 'アカウントを削除しますか？',
  'closure.about':
    'API キー、CI ジョブ、共有、サブスクリプション（返金なし）はすべて直ちに停止します。アカウントを復元しない限り、スニペット、履歴などの全データは数日後に完全に削除されます。',
  'closure.confirm': '確認のため {name} と入力してください',
  'closure.close': 'アカウントを削除',
  'closure.closedToast': 'アカウントを閉鎖しました',
  'closure.closed': 'アカウントは閉鎖されています',
  'closure.closedAbout':
    '{date}を過ぎると、すべて完全に削除されます。それまで共有と API キーは使えませんが、アカウントを復元できます。サブスクリプションは終了しており、元には戻りません。',
  'closure.restore': 'アカウントを復元',
}
