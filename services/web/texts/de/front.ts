// Translated by a machine (a language model), and not yet read by a native speaker.

import type { front as source } from '../en/front.js'
import type { Translation } from '../message.js'

/** Texts of the front page. In German. */
export const front: Translation<typeof source> = {
  'landing.pageTitle': 'JSON und CSV teilen, speichern und vergleichen',
  'landing.description':
    'JSON, CSV und Text per Link teilen, als Tabelle oder Baum; Versionen speichern, exakt vergleichen und mit Werkzeugen im Browser umwandeln. Open Source.',
  'landing.title': 'Daten einfügen. Einen Link bekommen, der sie gut zeigt.',
  'landing.text':
    'JSON, CSV, SQL oder Markdown als Seite teilen, die sich lesen, durchsuchen und verlinken lässt. Wiederkehrendes unter einem Namen speichern und mit einer Zeile abrufen. Kein Byte ändert sich.',
  'landing.start': 'Mit einem Werkzeug beginnen',
  'landing.paste': 'Daten',
  'landing.pasteHint':
    'Einfügen, tippen oder eine Datei ablegen. Alles bleibt im Browser, bis es gespeichert oder geteilt wird.',
  'landing.allTools': 'Alle Werkzeuge',
  'landing.sends': 'Lädt den Inhalt ({size}) in das eigene Konto hoch.',
  'landing.notText': 'Das ist kein UTF-8-Text und lässt sich daher nicht teilen.',
  'landing.notOpened':
    'Der Browser kann die Daten nicht für die Seite des Werkzeugs aufbewahren. Bitte das Werkzeug öffnen und sie dort einfügen.',
  'landing.docs': 'API-Dokumentation lesen',
  'landing.example': 'Eine Freigabe ansehen',
  'landing.exampleText':
    'Das zeigt ein Link allen, die ihn öffnen: hier eine CSV-Datei und das JSON, aus dem sie entstand. Sortieren, filtern, suchen oder eine Zelle auswählen, um einen Link auf sie zu bekommen. Zahlen behalten jede Ziffer, wie sie gesendet wurde.',
  'landing.exampleData': 'Beispiel: planets.csv',
  'landing.terminal': 'Vom Terminal aus',
  'landing.terminalText':
    'Diese Zeilen funktionieren mit diesem Server. Bis auf die letzte genügt ein kostenloses Konto. team.csv ist irgendeine eigene Datei, und ID ist das Ende des Links einer Freigabe.',
  'landing.install': 'Kommandozeile installieren',
  'landing.signIn': 'Einmal anmelden',
  'landing.share': 'Eine Datei teilen: gibt den Link aus',
  'landing.fetch': 'Eine Freigabe abrufen: für alle, ohne Konto',
  'landing.script': 'Aus einem Skript teilen, mit einem API-Schlüssel in KEY (Pro)',
  'landing.copyLine': 'Kopieren: {what}',
  'landing.copied': 'Kopiert.',
  'landing.notCopied': 'Der Browser hat das Kopieren nicht erlaubt. Zeile auswählen und kopieren.',
  'landing.plans': 'Tarife',
  'landing.plansAt': 'Limits und Preise:',
  'landing.allPro': 'Auf diesem Server kostenlos für alle. Es wird nichts verkauft: Alle haben Pro.',
  'landing.free': 'Kostenlos',
  'landing.noPrice': 'Die Preise sind gerade nicht verfügbar.',
}
