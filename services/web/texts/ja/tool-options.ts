// Translated by a machine (a language model), and not yet read by a native speaker.

import type { OptionTexts } from '../message.js'

/** What the options of tools are called, by name, and mean, by what they mean in English. */
export const toolOptions: OptionTexts = {
  labels: {
    indent: 'インデント',
    final_newline: '末尾の改行',
    comments: 'コメント',
    encoding: '文字コード',
    warn: '警告',
    errors_max: 'エラーの最大数',
    backslashes: 'バックスラッシュ',
    brackets: '括弧',
    order: '順序',
    path: 'パス',
    result: '結果',
    rows: '行',
    nested: '入れ子',
    nulls: 'null の扱い',
    header: 'ヘッダー行',
    separator: '区切り文字',
    quotes: '引用符',
    line_end: '改行コード',
    guard: '数式の防止',
    trim: '空白の除去',
    comment: 'コメント文字',
    skip: '読み飛ばす行数',
    types: '型',
    from: '入力の区切り文字',
    from_quotes: '入力の引用符',
    columns: '列',
    samples: 'サンプル',
    formats: '形式',
    enums: '列挙',
    closed: '追加を禁止',
    schema: 'スキーマ',
    name: '名前',
    declare: '宣言の種類',
    readonly: '読み取り専用',
    duplicate_keys: '重複キー',
    multiline: '複数行',
    documents: 'ドキュメント',
    merge: 'マージ',
    tags: 'タグ',
    indent_sequences: 'シーケンスのインデント',
    line_width: '行の幅',
    root: 'ルート要素',
    marks: '目印',
    declaration: '宣言',
    arrays: '配列',
    dialect: '方言',
    keyword_case: 'キーワードの大文字小文字',
    alphabet: '文字セット',
    padding: 'パディング',
    line_length: '行の長さ',
    style: '方式',
    plus_is_space: 'プラスを空白とみなす',
    times: '時刻',
    algorithm: 'アルゴリズム',
  },
  meanings: {
    'The spaces of each level, or a tab.': '各階層の空白の数、またはタブ。',
    'Whether the output ends with a line feed.': '出力を改行で終えるかどうか。',
    'What happens to comments and to commas after the last item or member (JSONC): refuse, drop, or keep, which makes JSONC.':
      'コメントと、最後の要素やメンバーの後のカンマ（JSONC）の扱い：拒否（refuse）、削除（drop）、または保持（keep、結果は JSONC）。',
    'The encoding of the input. auto reads UTF-8, what begins with a byte order mark, and XML as it declares. The output is UTF-8.':
      '入力の文字コード。auto は UTF-8、BOM で始まるもの、宣言どおりの XML を読みます。出力は UTF-8 です。',
    'Whether comments and commas after the last item or member (JSONC) are mistakes.':
      'コメントと、最後の要素やメンバーの後のカンマ（JSONC）を誤りとするかどうか。',
    'Whether the report has warnings, too: keys that an object has more than once.':
      'レポートに警告も含めるかどうか：オブジェクト内で重複するキー。',
    'The number of mistakes, and of warnings, to report at most.': '報告する誤りと警告の、それぞれの最大数。',
    'What happens to a text with a backslash that begins no escape, as in C:\\Users: refuse, or double all of its backslashes.':
      'C:\\Users のように、エスケープにならないバックスラッシュを含む文字列の扱い：拒否（refuse）、またはその文字列のバックスラッシュをすべて二重にする（double）。',
    'Which missing brackets are added: sure closes what the end or another bracket closes, guess may nest otherwise.':
      '足りない括弧のうちどれを補うか：sure は末尾や別の括弧で閉じるものだけを閉じ、guess は意図と違う入れ子になることがあります。',
    'The spaces of each level, or a tab; none writes everything on one line.':
      '各階層の空白の数、またはタブ。none はすべてを 1 行に書きます。',
    'What happens to comments and to commas after the last item or member (JSONC): refuse or drop.':
      'コメントと、最後の要素やメンバーの後のカンマ（JSONC）の扱い：拒否（refuse）または削除（drop）。',
    'How keys are compared: by code points, or natural, with runs of digits as numbers: 9 before 10.':
      'キーの比べ方：コードポイント順、または数字の並びを数とみなす自然順（natural、10 より 9 が先）。',
    'A JSON Pointer, such as /items/0/name, for one value, or a JSONPath, such as $.items[?@.price < 10].name, for an array of all that it finds.':
      '1 つの値には /items/0/name のような JSON Pointer、見つかったすべての値の配列には $.items[?@.price < 10].name のような JSONPath。',
    'Whether a JSONPath gives the values, or the normalized path of each.':
      'JSONPath の結果を値にするか、それぞれの正規化パスにするか。',
    'What becomes a row: the items of an array (a single object is one), or the members of an object, whose keys become the column key.':
      '何を行にするか：配列の要素（単独のオブジェクトは 1 行）、またはオブジェクトのメンバー（キーは列 key になります）。',
    'What becomes of objects and arrays within a row: a cell of JSON, or columns of their own, named like a.b or /a/b.':
      '行の中のオブジェクトと配列の扱い：JSON のセル、または a.b や /a/b という名前の独立した列。',
    'Whether null becomes an empty cell or the word null.':
      'null を空のセルにするか、null という語にするか。',
    'Whether the first row names the columns.': '最初の行を列名とするかどうか。',
    'What separates the cells of the output.': '出力のセルを区切る文字。',
    'Whether all cells are in quotes, or only those that need them.':
      'すべてのセルを引用符で囲むか、必要なものだけにするか。',
    'What ends each row: a line feed, or a carriage return and a line feed.':
      '各行の終わり：LF、または CR と LF。',
    "Puts ' before each cell that a spreadsheet would run as a formula: one that begins with =, +, -, @, a tab or a carriage return, and is not a number.":
      "表計算ソフトが数式として実行するセル（=、+、-、@、タブ、CR で始まり、数でないもの）の前に ' を付けます。",
    'What separates the cells of the input; auto finds it in the first rows, or refuses input in which it is unclear.':
      '入力のセルを区切る文字。auto は最初の数行から判断し、はっきりしない入力は拒否します。',
    'Whether the first row of the input names the columns.': '入力の最初の行を列名とするかどうか。',
    'Whether cells whose quotes are wrong are refused (a quote that is never closed, a character after a closing quote, a quote after a blank), or kept to the letter with their quotes.':
      '引用符の誤ったセル（閉じない引用符、閉じた後の文字、空白の後の引用符）を拒否するか、引用符ごとそのまま残すか。',
    'Drops blanks around the cells of the input, outside their quotes.':
      '入力のセルの前後の空白を取り除きます（引用符の外側のみ）。',
    'The character, such as #, that begins lines that are no rows; none for input without such.':
      'データではない行の先頭の文字（# など）。そのような行がなければ空のままにします。',
    'How many lines at the beginning of the input are left out, as those above a report.':
      '入力の先頭で読み飛ばす行数（表の上の見出しなど）。',
    'Whether every cell becomes a string, or cells without quotes that are spelled like a JSON number become that number, digit by digit.':
      'すべてのセルを文字列にするか、引用符がなく JSON の数の形をしたセルを、桁をそのままに数にするか。',
    'The columns wanted, in their order, by name, or by number from 1 where the first row names none; none for all.':
      '取り出す列とその順序。名前で、または最初の行に列名がなければ 1 からの番号で指定します。指定がなければすべて。',
    'What is described: the document; each item of its array; or each value of NDJSON, where every line is one.':
      '何を記述するか：ドキュメント全体、その配列の各要素、または NDJSON の各値（1 行に 1 つ）。',
    'Whether strings that are all dates, times, UUIDs, e-mail addresses, URIs or IPv4 addresses get that format.':
      'すべてが日付、時刻、UUID、メールアドレス、URI、IPv4 アドレスのいずれかである文字列に、その形式を付けるかどうか。',
    'Whether strings of at most ten values, each twice on average, are listed as the only ones.':
      '値が 10 種類以下で、それぞれ平均 2 回以上現れる文字列を、列挙として限定するかどうか。',
    'Whether objects may have no members that no sample has.':
      'どのサンプルにもないメンバーをオブジェクトに禁じるかどうか。',
    'The JSON Schema (2020-12). If it is left out, the input is {"schema": …, "data": …}.':
      'JSON Schema（2020-12）。省略した場合、入力は {"schema": …, "data": …} です。',
    'The number of errors to report at most.': '報告するエラーの最大数。',
    'The name of the type of the document, or of each sample.': 'ドキュメント、または各サンプルの型の名前。',
    'Whether objects are interfaces or type aliases.':
      'オブジェクトをインターフェースにするか、型エイリアスにするか。',
    'Whether members and arrays are read-only.': 'メンバーと配列を読み取り専用にするかどうか。',
    'The spaces of each level.': '各階層の空白の数。',
    'YAML forbids a key that an object has twice; keep writes it all the same.':
      'YAML は、オブジェクト内で重複するキーを禁じています。keep はそのまま書きます。',
    'Whether strings of several lines are written as blocks of lines or in quotes.':
      '複数行の文字列をブロックで書くか、引用符で囲むか。',
    'Whether the input is one document, or any number that become an array.':
      '入力が 1 つのドキュメントか、配列になる任意の数のドキュメントか。',
    'YAML forbids a key that a mapping has twice; keep writes both members.':
      'YAML は、マッピング内で重複するキーを禁じています。keep は両方のメンバーを書きます。',
    'What the key << is: apply merges the mappings that it names, as YAML 1.1 does; keep writes a member. Documents that begin with %YAML 1.1 are merged in any case, unless kept.':
      'キー << の扱い：apply は YAML 1.1 と同じく、示されたマッピングをマージし、keep はメンバーとして書きます。%YAML 1.1 で始まるドキュメントは、keep でなければ必ずマージします。',
    'Tags that JSON does not have: json writes what they stand for, such as {"Ref": …} for !Ref of CloudFormation, and the text of !!binary; keep writes {"!Ref": …} for any tag.':
      'JSON にないタグの扱い：json はその意味するもの（CloudFormation の !Ref なら {"Ref": …}）と !!binary のテキストを書き、keep はどのタグも {"!Ref": …} のように書きます。',
    'Whether the dashes of a sequence are indented further than its key.':
      'シーケンスのハイフンをキーより深くインデントするかどうか。',
    'Collections in braces or brackets are written on one line up to this many characters, and longer ones an item per line.':
      '括弧付きのコレクションは、この文字数までは 1 行に、それより長ければ 1 要素 1 行で書きます。',
    'The element that holds what is not an object of one member.':
      'メンバーが 1 つのオブジェクトではないものを収める要素。',
    'Whether attributes such as json:type say what else would be lost, so that xml-to-json gives back the same.':
      '失われる情報を json:type などの属性に残し、xml-to-json で同じものに戻せるようにするかどうか。',
    'Whether the output begins with <?xml …?>.': '出力を <?xml …?> で始めるかどうか。',
    'Whether all text becomes strings, or text that is spelled like a JSON number becomes that number, digit by digit; a code such as 0E68 is spelled like one, too.':
      'すべてのテキストを文字列にするか、JSON の数の形をしたテキストを、桁をそのままに数にするか。0E68 のようなコードも数の形です。',
    'Whether comments and processing instructions become members #comment and #pi.':
      'コメントと処理命令をメンバー #comment と #pi にするかどうか。',
    'The names of elements that are in an array even where there is one.':
      '1 つだけでも配列に入れる要素の名前。',
    'Whether white space around the text of an element is left out; not within mixed content or xml:space="preserve".':
      '要素のテキストの前後の空白を取り除くかどうか。混在内容と xml:space="preserve" の中では残します。',
    'The language of the database; sql is the standard alone.': 'データベースの方言。sql は標準のみです。',
    'How keywords are written; preserve leaves them as they are.':
      'キーワードの書き方。preserve は元のままにします。',
    'The last two characters of the alphabet: + and / (standard), or - and _ (url).':
      '文字セットの最後の 2 文字：+ と /（standard）、または - と _（url）。',
    'Whether = fills up the last four characters.': '最後の 4 文字を = で埋めるかどうか。',
    'The characters on each line: 64 as in PEM, 76 as in mail, or all on one line.':
      '1 行の文字数：PEM と同じ 64、メールと同じ 76、またはすべてを 1 行に。',
    'Whether + and / (standard) or - and _ (url) are expected; either takes one of the two.':
      '+ と /（standard）と、- と _（url）のどちらを期待するか。either はどちらか一方を受け付けます。',
    'What stays: letters, digits and -._~ (component), also the characters that divide an address (address), or letters, digits and *-._ with + for a space (form).':
      'そのまま残すもの：英数字と -._~（component）、さらに URL を区切る文字（address）、または英数字と *-._ で空白は +（form）。',
    'Whether + stands for a space, as in forms.': 'フォームのように + を空白とみなすかどうか。',
    'Whether iat, nbf, exp, auth_time and updated_at are also written as dates, as member times.':
      'iat、nbf、exp、auth_time、updated_at を、メンバー times に日時としても書くかどうか。',
    'SHA-1 and MD5 only tell accidents apart: anyone can make two inputs that agree.':
      'SHA-1 と MD5 で分かるのは偶然の違いだけです。同じ値になる 2 つの入力は誰でも作れます。',
    'How the digest is written; base64 with padding, base64url without.':
      'ダイジェストの書き方。base64 はパディングあり、base64url はなし。',
  },
}
