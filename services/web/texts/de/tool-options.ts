// Translated by a machine (a language model), and not yet read by a native speaker.

import type { OptionTexts } from '../message.js'

/** What the options of tools are called, by name, and mean, by what they mean in English. */
export const toolOptions: OptionTexts = {
  labels: {
    indent: 'Einrückung',
    final_newline: 'Zeilenende am Schluss',
    comments: 'Kommentare',
    encoding: 'Kodierung',
    warn: 'Warnungen',
    errors_max: 'Höchstzahl Fehler',
    backslashes: 'Backslashes',
    brackets: 'Klammern',
    order: 'Reihenfolge',
    path: 'Pfad',
    result: 'Ergebnis',
    rows: 'Zeilen',
    nested: 'Verschachteltes',
    nulls: 'Nullwerte',
    header: 'Kopfzeile',
    separator: 'Trennzeichen',
    quotes: 'Anführungszeichen',
    line_end: 'Zeilenende',
    guard: 'Formelschutz',
    trim: 'Leerraum entfernen',
    comment: 'Kommentarzeichen',
    skip: 'Zeilen überspringen',
    types: 'Typen',
    from: 'Trennzeichen der Eingabe',
    from_quotes: 'Anführungszeichen der Eingabe',
    columns: 'Spalten',
    samples: 'Beispiele',
    formats: 'Formate',
    enums: 'Aufzählungen',
    closed: 'Geschlossen',
    schema: 'Schema',
    name: 'Name',
    declare: 'Deklarieren als',
    readonly: 'Nur lesbar',
    duplicate_keys: 'Doppelte Schlüssel',
    multiline: 'Mehrzeiliges',
    documents: 'Dokumente',
    merge: 'Zusammenführen',
    tags: 'Tags',
    indent_sequences: 'Sequenzen einrücken',
    line_width: 'Zeilenbreite',
    root: 'Wurzelelement',
    marks: 'Markierungen',
    declaration: 'Deklaration',
    arrays: 'Arrays',
    dialect: 'Dialekt',
    keyword_case: 'Schreibweise der Schlüsselwörter',
    alphabet: 'Alphabet',
    padding: 'Auffüllung',
    line_length: 'Zeilenlänge',
    style: 'Art',
    plus_is_space: 'Plus ist Leerzeichen',
    times: 'Zeiten',
    algorithm: 'Verfahren',
  },
  meanings: {
    'The spaces of each level, or a tab.': 'Die Leerzeichen jeder Ebene, oder ein Tabulator.',
    'Whether the output ends with a line feed.': 'Ob die Ausgabe mit einem Zeilenvorschub endet.',
    'What happens to comments and to commas after the last item or member (JSONC): refuse, drop, or keep, which makes JSONC.':
      'Was mit Kommentaren und mit Kommas nach dem letzten Element oder Eintrag geschieht (JSONC): ablehnen (refuse), weglassen (drop) oder behalten (keep), was JSONC ergibt.',
    'The encoding of the input. auto reads UTF-8, what begins with a byte order mark, and XML as it declares. The output is UTF-8.':
      'Die Kodierung der Eingabe. auto liest UTF-8, was mit einer Byte Order Mark beginnt, und XML, wie es deklariert ist. Die Ausgabe ist UTF-8.',
    'Whether comments and commas after the last item or member (JSONC) are mistakes.':
      'Ob Kommentare und Kommas nach dem letzten Element oder Eintrag (JSONC) Fehler sind.',
    'Whether the report has warnings, too: keys that an object has more than once.':
      'Ob der Bericht auch Warnungen enthält: Schlüssel, die ein Objekt mehrfach hat.',
    'The number of mistakes, and of warnings, to report at most.':
      'Wie viele Fehler, und wie viele Warnungen, höchstens gemeldet werden.',
    'What happens to a text with a backslash that begins no escape, as in C:\\Users: refuse, or double all of its backslashes.':
      'Was mit einem Text geschieht, in dem ein Backslash kein Escape beginnt, wie in C:\\Users: ablehnen (refuse) oder alle seine Backslashes verdoppeln (double).',
    'Which missing brackets are added: sure closes what the end or another bracket closes, guess may nest otherwise.':
      'Welche fehlenden Klammern ergänzt werden: sure schließt, was das Ende oder eine andere Klammer schließt; guess verschachtelt vielleicht anders als gemeint.',
    'The spaces of each level, or a tab; none writes everything on one line.':
      'Die Leerzeichen jeder Ebene, oder ein Tabulator; none schreibt alles in eine Zeile.',
    'What happens to comments and to commas after the last item or member (JSONC): refuse or drop.':
      'Was mit Kommentaren und mit Kommas nach dem letzten Element oder Eintrag geschieht (JSONC): ablehnen (refuse) oder weglassen (drop).',
    'How keys are compared: by code points, or natural, with runs of digits as numbers: 9 before 10.':
      'Wie Schlüssel verglichen werden: nach Codepunkten, oder natürlich (natural), mit Ziffernfolgen als Zahlen: 9 vor 10.',
    'A JSON Pointer, such as /items/0/name, for one value, or a JSONPath, such as $.items[?@.price < 10].name, for an array of all that it finds.':
      'Ein JSON Pointer wie /items/0/name für einen Wert, oder ein JSONPath wie $.items[?@.price < 10].name für ein Array von allem, was er findet.',
    'Whether a JSONPath gives the values, or the normalized path of each.':
      'Ob ein JSONPath die Werte ergibt oder den normalisierten Pfad eines jeden.',
    'What becomes a row: the items of an array (a single object is one), or the members of an object, whose keys become the column key.':
      'Was zu einer Zeile wird: die Elemente eines Arrays (ein einzelnes Objekt ist eines) oder die Einträge eines Objekts, deren Schlüssel die Spalte key bilden.',
    'What becomes of objects and arrays within a row: a cell of JSON, or columns of their own, named like a.b or /a/b.':
      'Was aus Objekten und Arrays in einer Zeile wird: eine Zelle mit JSON, oder eigene Spalten, benannt wie a.b oder /a/b.',
    'Whether null becomes an empty cell or the word null.':
      'Ob null zu einer leeren Zelle wird oder zum Wort null.',
    'Whether the first row names the columns.': 'Ob die erste Zeile die Spalten benennt.',
    'What separates the cells of the output.': 'Was die Zellen der Ausgabe trennt.',
    'Whether all cells are in quotes, or only those that need them.':
      'Ob alle Zellen in Anführungszeichen stehen, oder nur die, die sie brauchen.',
    'What ends each row: a line feed, or a carriage return and a line feed.':
      'Was jede Zeile beendet: ein Zeilenvorschub, oder Wagenrücklauf und Zeilenvorschub.',
    "Puts ' before each cell that a spreadsheet would run as a formula: one that begins with =, +, -, @, a tab or a carriage return, and is not a number.":
      "Setzt ' vor jede Zelle, die eine Tabellenkalkulation als Formel ausführen würde: eine, die mit =, +, -, @, einem Tabulator oder einem Wagenrücklauf beginnt und keine Zahl ist.",
    'What separates the cells of the input; auto finds it in the first rows, or refuses input in which it is unclear.':
      'Was die Zellen der Eingabe trennt; auto findet es in den ersten Zeilen, oder lehnt eine Eingabe ab, in der es unklar ist.',
    'Whether the first row of the input names the columns.':
      'Ob die erste Zeile der Eingabe die Spalten benennt.',
    'Whether cells whose quotes are wrong are refused (a quote that is never closed, a character after a closing quote, a quote after a blank), or kept to the letter with their quotes.':
      'Ob Zellen mit falschen Anführungszeichen abgelehnt werden (eines, das nie geschlossen wird, ein Zeichen nach einem schließenden, eines nach einem Leerzeichen), oder mit ihnen buchstäblich erhalten bleiben.',
    'Drops blanks around the cells of the input, outside their quotes.':
      'Entfernt Leerzeichen um die Zellen der Eingabe, außerhalb ihrer Anführungszeichen.',
    'The character, such as #, that begins lines that are no rows; none for input without such.':
      'Das Zeichen, etwa #, mit dem Zeilen beginnen, die keine Daten sind; kein Zeichen für eine Eingabe ohne solche.',
    'How many lines at the beginning of the input are left out, as those above a report.':
      'Wie viele Zeilen am Anfang der Eingabe weggelassen werden, etwa die über einem Bericht.',
    'Whether every cell becomes a string, or cells without quotes that are spelled like a JSON number become that number, digit by digit.':
      'Ob jede Zelle zu einem String wird, oder Zellen ohne Anführungszeichen, die wie eine JSON-Zahl geschrieben sind, zu dieser Zahl, Ziffer für Ziffer.',
    'The columns wanted, in their order, by name, or by number from 1 where the first row names none; none for all.':
      'Die gewünschten Spalten in ihrer Reihenfolge, mit Namen, oder mit Nummern ab 1, wo die erste Zeile keine nennt; ohne Angabe alle.',
    'What is described: the document; each item of its array; or each value of NDJSON, where every line is one.':
      'Was beschrieben wird: das Dokument; jedes Element seines Arrays; oder jeder Wert von NDJSON, bei dem jede Zeile einer ist.',
    'Whether strings that are all dates, times, UUIDs, e-mail addresses, URIs or IPv4 addresses get that format.':
      'Ob Strings, die alle Daten, Zeiten, UUIDs, E-Mail-Adressen, URIs oder IPv4-Adressen sind, dieses Format bekommen.',
    'Whether strings of at most ten values, each twice on average, are listed as the only ones.':
      'Ob Strings mit höchstens zehn Werten, jeder im Schnitt zweimal, als die einzig möglichen aufgezählt werden.',
    'Whether objects may have no members that no sample has.':
      'Ob Objekte keine Einträge haben dürfen, die kein Beispiel hat.',
    'The JSON Schema (2020-12). If it is left out, the input is {"schema": …, "data": …}.':
      'Das JSON Schema (2020-12). Ohne Angabe ist die Eingabe {"schema": …, "data": …}.',
    'The number of errors to report at most.': 'Wie viele Fehler höchstens gemeldet werden.',
    'The name of the type of the document, or of each sample.':
      'Der Name des Typs des Dokuments, oder jedes Beispiels.',
    'Whether objects are interfaces or type aliases.': 'Ob Objekte Interfaces oder Typaliase sind.',
    'Whether members and arrays are read-only.': 'Ob Einträge und Arrays nur lesbar sind.',
    'The spaces of each level.': 'Die Leerzeichen jeder Ebene.',
    'YAML forbids a key that an object has twice; keep writes it all the same.':
      'YAML verbietet einen Schlüssel, den ein Objekt zweimal hat; keep schreibt ihn trotzdem.',
    'Whether strings of several lines are written as blocks of lines or in quotes.':
      'Ob mehrzeilige Strings als Zeilenblöcke geschrieben werden oder in Anführungszeichen.',
    'Whether the input is one document, or any number that become an array.':
      'Ob die Eingabe ein Dokument ist, oder beliebig viele, die zu einem Array werden.',
    'YAML forbids a key that a mapping has twice; keep writes both members.':
      'YAML verbietet einen Schlüssel, den ein Mapping zweimal hat; keep schreibt beide Einträge.',
    'What the key << is: apply merges the mappings that it names, as YAML 1.1 does; keep writes a member. Documents that begin with %YAML 1.1 are merged in any case, unless kept.':
      'Was der Schlüssel << ist: apply führt die genannten Mappings zusammen, wie YAML 1.1; keep schreibt einen Eintrag. Dokumente, die mit %YAML 1.1 beginnen, werden immer zusammengeführt, außer bei keep.',
    'Tags that JSON does not have: json writes what they stand for, such as {"Ref": …} for !Ref of CloudFormation, and the text of !!binary; keep writes {"!Ref": …} for any tag.':
      'Tags, die JSON nicht hat: json schreibt, wofür sie stehen, etwa {"Ref": …} für !Ref von CloudFormation, und den Text von !!binary; keep schreibt für jeden Tag {"!Ref": …}.',
    'Whether the dashes of a sequence are indented further than its key.':
      'Ob die Striche einer Sequenz weiter eingerückt sind als ihr Schlüssel.',
    'Collections in braces or brackets are written on one line up to this many characters, and longer ones an item per line.':
      'Sammlungen in Klammern stehen bis zu so vielen Zeichen auf einer Zeile, längere mit einem Element je Zeile.',
    'The element that holds what is not an object of one member.':
      'Das Element um alles, was kein Objekt mit einem Eintrag ist.',
    'Whether attributes such as json:type say what else would be lost, so that xml-to-json gives back the same.':
      'Ob Attribute wie json:type festhalten, was sonst verloren ginge, sodass xml-to-json dasselbe zurückgibt.',
    'Whether the output begins with <?xml …?>.': 'Ob die Ausgabe mit <?xml …?> beginnt.',
    'Whether all text becomes strings, or text that is spelled like a JSON number becomes that number, digit by digit; a code such as 0E68 is spelled like one, too.':
      'Ob aller Text zu Strings wird, oder Text, der wie eine JSON-Zahl geschrieben ist, zu dieser Zahl, Ziffer für Ziffer; auch ein Code wie 0E68 ist so geschrieben.',
    'Whether comments and processing instructions become members #comment and #pi.':
      'Ob Kommentare und Verarbeitungsanweisungen zu Einträgen #comment und #pi werden.',
    'The names of elements that are in an array even where there is one.':
      'Die Namen von Elementen, die auch einzeln in einem Array stehen.',
    'Whether white space around the text of an element is left out; not within mixed content or xml:space="preserve".':
      'Ob Leerraum um den Text eines Elements wegfällt; nicht in gemischtem Inhalt oder bei xml:space="preserve".',
    'The language of the database; sql is the standard alone.':
      'Die Sprache der Datenbank; sql ist der Standard allein.',
    'How keywords are written; preserve leaves them as they are.':
      'Wie Schlüsselwörter geschrieben werden; preserve lässt sie, wie sie sind.',
    'The last two characters of the alphabet: + and / (standard), or - and _ (url).':
      'Die letzten beiden Zeichen des Alphabets: + und / (standard), oder - und _ (url).',
    'Whether = fills up the last four characters.': 'Ob = die letzten vier Zeichen auffüllt.',
    'The characters on each line: 64 as in PEM, 76 as in mail, or all on one line.':
      'Die Zeichen je Zeile: 64 wie in PEM, 76 wie in E-Mails, oder alle auf einer.',
    'Whether + and / (standard) or - and _ (url) are expected; either takes one of the two.':
      'Ob + und / (standard) oder - und _ (url) erwartet werden; either nimmt eines von beiden.',
    'What stays: letters, digits and -._~ (component), also the characters that divide an address (address), or letters, digits and *-._ with + for a space (form).':
      'Was bleibt: Buchstaben, Ziffern und -._~ (component), auch die Zeichen, die eine Adresse gliedern (address), oder Buchstaben, Ziffern und *-._ mit + für ein Leerzeichen (form).',
    'Whether + stands for a space, as in forms.': 'Ob + für ein Leerzeichen steht, wie in Formularen.',
    'Whether iat, nbf, exp, auth_time and updated_at are also written as dates, as member times.':
      'Ob iat, nbf, exp, auth_time und updated_at auch als Daten geschrieben werden, im Eintrag times.',
    'SHA-1 and MD5 only tell accidents apart: anyone can make two inputs that agree.':
      'SHA-1 und MD5 erkennen nur Versehen: Jeder kann zwei Eingaben machen, die übereinstimmen.',
    'How the digest is written; base64 with padding, base64url without.':
      'Wie der Hash geschrieben wird; base64 mit Auffüllung, base64url ohne.',
  },
}
