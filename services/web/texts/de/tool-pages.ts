// Translated by a machine (a language model), and not yet read by a native speaker.

import type { ToolTranslation } from '../message.js'

/** What tools are called, and say of themselves, in German. */
export const toolPages: Readonly<Record<string, ToolTranslation>> = {
  'json-format': {
    name: 'JSON formatieren',
    summary: 'Setzt jeden Eintrag und jedes Element eingerückt auf eine eigene Zeile.',
    title: 'JSON formatieren und einrücken',
    description:
      'JSON online formatieren und einrücken. Ziffern, Escapes, Schlüsselfolge und doppelte Schlüssel bleiben genau erhalten. Läuft im Browser, ohne Hochladen.',
  },
  'json-minify': {
    name: 'JSON minimieren',
    summary: 'Entfernt allen Leerraum zwischen den Tokens von JSON.',
    title: 'JSON minimieren und verkleinern',
    description:
      'JSON online minimieren: entfernt allen Leerraum zwischen Tokens und ändert sonst nichts. Dateien jeder Größe, im Browser, ohne Hochladen.',
  },
  'json-validate': {
    name: 'JSON prüfen',
    summary: 'Meldet jeden Fehler in JSON (RFC 8259) mit Zeile, Spalte und JSON Pointer.',
    title: 'JSON-Validator: JSON prüfen',
    description:
      'JSON online prüfen und jeden Fehler mit Zeile, Spalte und JSON Pointer sehen, nach RFC 8259. Läuft im Browser: Nichts wird hochgeladen.',
  },
  'json-repair': {
    name: 'JSON reparieren',
    summary:
      'Macht JSON aus Text, der fast JSON ist: fehlende Anführungszeichen, Kommas und Klammern, Kommentare, Python-Wörter, abgeschnittene Enden.',
    title: 'JSON reparieren: ungültiges JSON beheben',
    description:
      'Fehlerhaftes JSON online reparieren: einfache Anführungszeichen, fehlende oder überzählige Kommas, Kommentare, abgeschnittene Enden. Läuft im Browser.',
  },
  'json-sort-keys': {
    name: 'JSON-Schlüssel sortieren',
    summary: 'Sortiert die Einträge jedes Objekts nach Schlüssel; Arrays bleiben, wie sie sind.',
    title: 'JSON-Schlüssel alphabetisch sortieren',
    description:
      'Schlüssel jedes JSON-Objekts online auf allen Ebenen sortieren, damit sich Dokumente vergleichen lassen. Werte bleiben genau gleich, im Browser.',
  },
  'json-query': {
    name: 'JSON abfragen',
    summary: 'Findet Werte mit einem JSON Pointer (RFC 6901) oder JSONPath (RFC 9535).',
    title: 'JSONPath und JSON Pointer testen',
    description:
      'JSON online mit JSONPath (RFC 9535) oder JSON Pointer (RFC 6901) abfragen, als Werte oder Pfade. Läuft im Browser, mit Dateien jeder Größe.',
  },
  'json-to-csv': {
    name: 'JSON zu CSV',
    summary:
      'Macht aus jedem Objekt oder Array eines Arrays eine Zeile; Spalten stehen in der Reihenfolge ihres ersten Auftretens.',
    title: 'JSON in CSV umwandeln',
    description:
      'JSON online in CSV umwandeln: Verschachtelte Werte werden Spalten oder JSON in einer Zelle, Zahlen behalten jede Ziffer. Im Browser, ohne Hochladen.',
  },
  'csv-to-json': {
    name: 'CSV zu JSON',
    summary: 'Macht aus jeder Zeile ein Objekt, oder ein Array, wenn die erste Zeile keine Spalten benennt.',
    title: 'CSV in JSON umwandeln',
    description:
      'CSV online in JSON umwandeln: Jede Zeile wird ein Objekt, das Trennzeichen wird erkannt. Dateien jeder Größe, im Browser, ohne Hochladen.',
  },
  'json-to-ndjson': {
    name: 'JSON zu NDJSON',
    summary: 'Setzt jedes Element eines Arrays auf eine eigene Zeile.',
    title: 'JSON in NDJSON (JSON Lines) umwandeln',
    description:
      'Ein JSON-Array online in NDJSON, auch JSON Lines oder JSONL, umwandeln: ein Element pro Zeile, genau wie es war. Läuft im Browser.',
  },
  'ndjson-to-json': {
    name: 'NDJSON zu JSON',
    summary: 'Macht ein Array aus den Werten, die je auf einer Zeile stehen.',
    title: 'NDJSON (JSON Lines) in JSON umwandeln',
    description:
      'NDJSON, auch JSON Lines oder JSONL, online in ein JSON-Array umwandeln. Jeder Wert bleibt genau, wie er war. Läuft im Browser.',
  },
  'csv-format': {
    name: 'CSV formatieren',
    summary:
      'Schreibt CSV mit anderem Trennzeichen, anderen Anführungszeichen oder Zeilenenden, oder mit gewählten Spalten in anderer Reihenfolge.',
    title: 'CSV formatieren: Trennzeichen und Anführungszeichen',
    description:
      'Trennzeichen, Anführungszeichen, Zeilenenden oder Spalten von CSV online ändern: Komma, Semikolon oder Tabulator, für Excel oder Datenbanken.',
  },
  'json-schema-infer': {
    name: 'JSON zu JSON Schema',
    summary:
      'Schreibt ein JSON Schema (2020-12), das die Eingabe erfüllt: Typen, Formate und was immer da ist.',
    title: 'JSON Schema aus JSON erzeugen',
    description:
      'Aus Beispiel-JSON online ein JSON Schema (2020-12) erzeugen: Typen, Pflichteinträge, Formate und Wertelisten. Läuft im Browser.',
  },
  'json-schema-validate': {
    name: 'JSON mit Schema prüfen',
    summary:
      'Meldet alles in JSON, was ein JSON Schema (2020-12) nicht zulässt, mit Zeile, Spalte und JSON Pointer.',
    title: 'JSON-Schema-Validator (2020-12)',
    description:
      'JSON online mit einem JSON Schema prüfen: jeder Fehler mit Zeile, Spalte und JSON Pointer, Zahlen jeder Größe. Im Browser, ohne Hochladen.',
  },
  'json-to-typescript': {
    name: 'JSON zu TypeScript',
    summary:
      'Schreibt TypeScript-Typen der Eingabe: ein Name für jedes Objekt, Unions und optionale Einträge.',
    title: 'JSON in TypeScript-Typen umwandeln',
    description:
      'Aus JSON online TypeScript-Interfaces oder -Typen erzeugen, mit Unions und optionalen Einträgen aus beliebig vielen Beispielen. Läuft im Browser.',
  },
  'json-to-yaml': {
    name: 'JSON zu YAML',
    summary:
      'Schreibt JSON als YAML 1.2; Zahlen bleiben, wie sie geschrieben sind, und verwechselbare Zeichenketten bekommen Anführungszeichen.',
    title: 'JSON in YAML umwandeln',
    description:
      'JSON online in YAML umwandeln. Zahlen behalten jede Ziffer, verwechselbare Zeichenketten bekommen Anführungszeichen. Läuft im Browser, ohne Hochladen.',
  },
  'yaml-to-json': {
    name: 'YAML zu JSON',
    summary:
      'Schreibt YAML 1.2 als JSON; Zahlen bleiben, wie sie geschrieben sind, und Aliasse werden ersetzt.',
    title: 'YAML in JSON umwandeln',
    description:
      'YAML 1.2 online in JSON umwandeln: Aliasse werden aufgelöst, Zahlen behalten jede Ziffer, mehrere Dokumente werden ein Array. Läuft im Browser.',
  },
  'yaml-format': {
    name: 'YAML formatieren',
    summary: 'Rückt YAML 1.2 gleichmäßig ein; Kommentare, Anker, Reihenfolge und Schreibweise bleiben.',
    title: 'YAML formatieren und einrücken',
    description:
      'YAML online formatieren und einrücken; Kommentare, Anker und Anführungszeichen bleiben. Fehler werden mit ihrer Zeile gezeigt. Läuft im Browser.',
  },
  'json-to-xml': {
    name: 'JSON zu XML',
    summary:
      'Macht aus jedem Eintrag ein Element; Attribute in einem eigenen Namensraum sagen, was Elemente allein nicht könnten.',
    title: 'JSON in XML umwandeln',
    description:
      'JSON online in XML umwandeln, und zurück zum selben JSON: Typen, Schlüsselfolge und jede Ziffer bleiben. Läuft im Browser, ohne Hochladen.',
  },
  'xml-to-json': {
    name: 'XML zu JSON',
    summary:
      'Macht aus jedem Element und Attribut einen Eintrag und behält ihre Reihenfolge; was JSON war, wird wieder dasselbe.',
    title: 'XML in JSON umwandeln',
    description:
      'XML online in JSON umwandeln: Elemente, Attribute und gemischter Inhalt in ihrer Reihenfolge, auf Wunsch mit exakten Zahlen. Läuft im Browser.',
  },
  'xml-format': {
    name: 'XML formatieren',
    summary: 'Setzt jedes Element ohne Text daneben eingerückt auf eine eigene Zeile.',
    title: 'XML formatieren und einrücken',
    description:
      'XML online formatieren und einrücken. Text, Kommentare und CDATA bleiben genau erhalten, Entities werden nie aufgelöst. Läuft im Browser.',
  },
  'xml-minify': {
    name: 'XML minimieren',
    summary: 'Entfernt den Leerraum zwischen Elementen ohne Text daneben und in Tags.',
    title: 'XML minimieren und verkleinern',
    description:
      'XML online minimieren: Leerraum zwischen Elementen und in Tags entfernen, Text bleibt unberührt. Läuft im Browser: Nichts wird hochgeladen.',
  },
  'sql-format': {
    name: 'SQL formatieren',
    summary: 'Setzt Klauseln und Spalten von SQL eingerückt auf eigene Zeilen.',
    title: 'SQL formatieren und einrücken',
    description:
      'SQL online formatieren, für PostgreSQL, MySQL, SQL Server, Oracle, BigQuery und andere Dialekte, mit Schlüsselwörtern groß oder klein. Im Browser.',
  },
  'base64-encode': {
    name: 'Als Base64 kodieren',
    summary: 'Schreibt beliebige Bytes als Base64, im Standardalphabet oder dem für URLs.',
    title: 'Base64 kodieren: Text und Dateien',
    description:
      'Text oder Dateien jeder Größe online als Base64 oder Base64url kodieren, mit oder ohne Padding und Zeilenumbrüche. Läuft im Browser.',
  },
  'base64-decode': {
    name: 'Base64 dekodieren',
    summary: 'Gibt die Bytes zurück, für die Base64 steht, und lehnt ab, was kein Kodierer schreibt.',
    title: 'Base64 dekodieren: Text und Dateien',
    description:
      'Base64 und Base64url online in Text oder eine Datei dekodieren. Was kein Kodierer schreibt, wird mit seiner Stelle abgelehnt. Läuft im Browser.',
  },
  'url-encode': {
    name: 'Für URLs kodieren',
    summary: 'Schreibt Bytes, die in URLs eine oder keine Bedeutung haben, als % und zwei Ziffern.',
    title: 'URL kodieren: Prozentkodierung',
    description:
      'Text online für URLs kodieren: Prozentkodierung für Query-Parameter, Pfade oder Formulare. Läuft im Browser: Nichts wird hochgeladen.',
  },
  'url-decode': {
    name: 'Aus URLs dekodieren',
    summary: 'Gibt die Bytes zurück, für die % und zwei Ziffern stehen.',
    title: 'URL dekodieren: Prozentkodierung',
    description:
      'Prozentkodierte URLs und Query-Strings online dekodieren, auf Wunsch mit Pluszeichen als Leerzeichen. Läuft im Browser: Nichts wird hochgeladen.',
  },
  'jwt-decode': {
    name: 'JWT dekodieren',
    summary: 'Zeigt Header und Claims eines JSON Web Token. Die Signatur wird nicht geprüft.',
    title: 'JWT dekodieren: Header und Claims',
    description:
      'Ein JSON Web Token online dekodieren und Header und Claims lesen. Das Token bleibt im Browser; seine Signatur wird gezeigt, nicht geprüft.',
  },
  hash: {
    name: 'Hash',
    summary: 'Berechnet den Hashwert beliebiger Bytes: SHA-256 oder ein anderer Algorithmus.',
    title: 'SHA-256-, SHA-512- und MD5-Hash berechnen',
    description:
      'SHA-256-, SHA-384-, SHA-512-, SHA-3-, SHA-1- oder MD5-Hash von Text oder Dateien jeder Größe online berechnen. Läuft im Browser.',
  },
}
