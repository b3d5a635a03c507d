// Translated by a machine (a language model), and not yet read by a native speaker.

import type { ToolTranslation } from '../message.js'

/** What tools are called, and say of themselves, in Japanese. */
export const toolPages: Readonly<Record<string, ToolTranslation>> = {
  'json-format': {
    name: 'JSON の整形',
    summary: 'メンバーと要素を 1 行ずつ、インデントして並べます。',
    title: 'JSON フォーマッター（整形）',
    description:
      'JSON をオンラインで整形・インデント。桁、エスケープ、キーの順序、重複キーはそのまま。ブラウザー内で動作し、アップロードはしません。',
  },
  'json-minify': {
    name: 'JSON の圧縮',
    summary: 'JSON のトークン間の空白をすべて取り除きます。',
    title: 'JSON の圧縮（minify）',
    description:
      'JSON をオンラインで圧縮。トークン間の空白だけを取り除きます。ファイルの大きさは自由、ブラウザー内で動作し、アップロードはしません。',
  },
  'json-validate': {
    name: 'JSON の検証',
    summary: 'JSON（RFC 8259）の誤りを行、列、JSON Pointer とともにすべて示します。',
    title: 'JSON バリデーター（検証）',
    description:
      'JSON をオンラインで検証し、RFC 8259 に基づく誤りを行、列、JSON Pointer とともに表示。ブラウザー内で動作します。',
  },
  'json-repair': {
    name: 'JSON の修復',
    summary:
      'JSON に近いテキストを JSON にします: 引用符、コンマ、括弧の不足、コメント、Python の語、途切れた末尾。',
    title: 'JSON の修復: 壊れた JSON を直す',
    description:
      '壊れた JSON をオンラインで修復: 単一引用符、コンマの過不足、コメント、途切れた末尾。ブラウザー内で動作し、アップロードはしません。',
  },
  'json-sort-keys': {
    name: 'JSON のキーの並べ替え',
    summary: 'すべてのオブジェクトのメンバーをキー順に並べます。配列はそのままです。',
    title: 'JSON のキーをアルファベット順に並べ替え',
    description:
      'JSON オブジェクトのキーを全階層で並べ替え、比較しやすくします。値はそのまま、ブラウザー内で動作します。',
  },
  'json-query': {
    name: 'JSON の検索',
    summary: 'JSON Pointer（RFC 6901）または JSONPath（RFC 9535）で値を見つけます。',
    title: 'JSONPath・JSON Pointer テスター',
    description:
      'JSON を JSONPath（RFC 9535）または JSON Pointer（RFC 6901）で検索し、値やパスを取得。大きなファイルもブラウザー内で処理します。',
  },
  'json-to-csv': {
    name: 'JSON から CSV へ',
    summary: '配列内のオブジェクトや配列を 1 行ずつにします。列は最初に現れた順です。',
    title: 'JSON から CSV への変換',
    description:
      'JSON をオンラインで CSV に変換。入れ子の値は列またはセル内の JSON になり、数値は全桁を保ちます。ブラウザー内で動作します。',
  },
  'csv-to-json': {
    name: 'CSV から JSON へ',
    summary: '各行をオブジェクトに、最初の行が列名でなければ配列にします。',
    title: 'CSV から JSON への変換',
    description:
      'CSV をオンラインで JSON に変換。各行がオブジェクトになり、区切り文字は自動で検出。大きなファイルもブラウザー内で処理します。',
  },
  'json-to-ndjson': {
    name: 'JSON から NDJSON へ',
    summary: '配列の要素を 1 行に 1 つずつ並べます。',
    title: 'JSON から NDJSON（JSON Lines）への変換',
    description:
      'JSON 配列を NDJSON（JSON Lines、JSONL）に変換。要素はそのまま 1 行に 1 つ。ブラウザー内で動作します。',
  },
  'ndjson-to-json': {
    name: 'NDJSON から JSON へ',
    summary: '1 行に 1 つの値を 1 つの配列にまとめます。',
    title: 'NDJSON（JSON Lines）から JSON への変換',
    description:
      'NDJSON（JSON Lines、JSONL）を 1 つの JSON 配列に変換。値はそのまま。ブラウザー内で動作します。',
  },
  'csv-format': {
    name: 'CSV の整形',
    summary: '区切り文字、引用符、改行を変えたり、列を選んで並べ替えたりした CSV を書き出します。',
    title: 'CSV の整形: 区切り文字と引用符',
    description:
      'CSV の区切り文字、引用符、改行、列をオンラインで変更。コンマ、セミコロン、タブ、Excel やデータベース向け。ブラウザー内で動作します。',
  },
  'json-schema-infer': {
    name: 'JSON から JSON Schema へ',
    summary: '入力が満たす JSON Schema（2020-12）を書き出します: 型、形式、必ずあるもの。',
    title: 'JSON から JSON Schema を生成',
    description:
      'サンプル JSON から JSON Schema（2020-12）を生成: 型、必須メンバー、形式、値の一覧。ブラウザー内で動作します。',
  },
  'json-schema-validate': {
    name: 'スキーマによる JSON の検証',
    summary: 'JSON Schema（2020-12）に合わない箇所を、行、列、JSON Pointer とともにすべて報告します。',
    title: 'JSON Schema バリデーター（2020-12）',
    description:
      'JSON を JSON Schema でオンライン検証。すべての誤りを行、列、JSON Pointer とともに表示し、数値の桁数は問いません。ブラウザー内で動作します。',
  },
  'json-to-typescript': {
    name: 'JSON から TypeScript へ',
    summary: '入力の TypeScript 型を書き出します: オブジェクトごとの名前、ユニオン、省略可能なメンバー。',
    title: 'JSON から TypeScript の型への変換',
    description:
      'JSON から TypeScript のインターフェイスや型を生成。複数のサンプルからユニオンと省略可能なメンバーも。ブラウザー内で動作します。',
  },
  'json-to-yaml': {
    name: 'JSON から YAML へ',
    summary: 'JSON を YAML 1.2 にします。数値の表記はそのまま、紛らわしい文字列は引用符で囲みます。',
    title: 'JSON から YAML への変換',
    description:
      'JSON をオンラインで YAML に変換。数値は全桁を保ち、紛らわしい文字列は引用符付き。ブラウザー内で動作し、アップロードはしません。',
  },
  'yaml-to-json': {
    name: 'YAML から JSON へ',
    summary: 'YAML 1.2 を JSON にします。数値の表記はそのまま、エイリアスは展開します。',
    title: 'YAML から JSON への変換',
    description:
      'YAML 1.2 をオンラインで JSON に変換。エイリアスを展開し、数値は全桁を保ち、複数のドキュメントは配列に。ブラウザー内で動作します。',
  },
  'yaml-format': {
    name: 'YAML の整形',
    summary: 'YAML 1.2 のインデントを揃えます。コメント、アンカー、キーの順序、表記はそのままです。',
    title: 'YAML フォーマッター（整形）',
    description:
      'YAML をオンラインで整形・インデント。コメント、アンカー、引用符はそのまま、誤りは行とともに表示。ブラウザー内で動作します。',
  },
  'json-to-xml': {
    name: 'JSON から XML へ',
    summary: '各メンバーを要素にします。要素だけで表せないことは専用の名前空間の属性で示します。',
    title: 'JSON から XML への変換',
    description:
      'JSON をオンラインで XML に変換し、同じ JSON に戻せます。型、キーの順序、全桁を保持。ブラウザー内で動作し、アップロードはしません。',
  },
  'xml-to-json': {
    name: 'XML から JSON へ',
    summary: '要素と属性をメンバーにし、順序を保ちます。JSON から作った XML は元の JSON に戻ります。',
    title: 'XML から JSON への変換',
    description:
      'XML をオンラインで JSON に変換。要素、属性、混在内容の順序を保ち、必要なら正確な数値に。ブラウザー内で動作します。',
  },
  'xml-format': {
    name: 'XML の整形',
    summary: '隣にテキストのない要素を 1 行ずつ、インデントして並べます。',
    title: 'XML フォーマッター（整形）',
    description:
      'XML をオンラインで整形・インデント。テキスト、コメント、CDATA はそのまま、実体は展開しません。ブラウザー内で動作します。',
  },
  'xml-minify': {
    name: 'XML の圧縮',
    summary: '隣にテキストのない要素の間とタグ内の空白を取り除きます。',
    title: 'XML の圧縮（minify）',
    description:
      'XML をオンラインで圧縮。要素の間とタグ内の空白を取り除き、テキストには触れません。ブラウザー内で動作します。',
  },
  'sql-format': {
    name: 'SQL の整形',
    summary: 'SQL の句と列を 1 行ずつ、インデントして並べます。',
    title: 'SQL フォーマッター（整形）',
    description:
      'PostgreSQL、MySQL、SQL Server、Oracle、BigQuery などの SQL をオンラインで整形。キーワードの大文字・小文字も選べます。ブラウザー内で動作します。',
  },
  'base64-encode': {
    name: 'Base64 エンコード',
    summary: '任意のバイト列を、標準または URL 用の文字で Base64 にします。',
    title: 'Base64 エンコード: テキストとファイル',
    description:
      'テキストや任意の大きさのファイルを Base64・Base64url にエンコード。パディングや改行の有無も選べます。ブラウザー内で動作します。',
  },
  'base64-decode': {
    name: 'Base64 デコード',
    summary: 'Base64 が表すバイト列を返し、エンコーダーが書かないものは拒否します。',
    title: 'Base64 デコード: テキストとファイル',
    description:
      'Base64・Base64url をテキストやファイルにデコード。エンコーダーが書かないものは位置を示して拒否します。ブラウザー内で動作します。',
  },
  'url-encode': {
    name: 'URL エンコード',
    summary: 'URL で意味を持つバイトや使えないバイトを % と 2 桁で表します。',
    title: 'URL エンコード（パーセントエンコーディング）',
    description:
      'テキストを URL 用にエンコード: クエリパラメーター、パス、フォーム。ブラウザー内で動作し、アップロードはしません。',
  },
  'url-decode': {
    name: 'URL デコード',
    summary: '% と 2 桁が表すバイト列を返します。',
    title: 'URL デコード（パーセントエンコーディング）',
    description:
      'パーセントエンコードされた URL やクエリ文字列をデコード。必要なら + を空白として扱います。ブラウザー内で動作します。',
  },
  'jwt-decode': {
    name: 'JWT のデコード',
    summary: 'JSON Web Token のヘッダーとクレームを表示します。署名は検証しません。',
    title: 'JWT デコーダー: ヘッダーとクレーム',
    description:
      'JSON Web Token をデコードし、ヘッダーとクレームを表示。トークンはブラウザーの外に出ません。署名は表示のみで検証はしません。',
  },
  hash: {
    name: 'ハッシュ',
    summary: '任意のバイト列のダイジェストを計算します: SHA-256 など。',
    title: 'SHA-256・SHA-512・MD5 ハッシュ計算',
    description:
      'テキストや任意の大きさのファイルの SHA-256、SHA-384、SHA-512、SHA-3、SHA-1、MD5 を計算。ブラウザー内で動作します。',
  },
}
