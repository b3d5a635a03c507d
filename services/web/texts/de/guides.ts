// Translated by a machine (a language model), and not yet read by a native speaker.

import type { guides as source } from '../en/guides.js'
import type { Translation } from '../message.js'

/** Texts of the guides around the guides themselves. In German. */
export const guides: Translation<typeof source> = {
  'docs.title': 'Anleitungen',
  'docs.pageTitle': '{title} – Anleitungen',
  'docs.indexTitle': 'Anleitungen zu API, CLI und CI',
  'docs.description':
    '{summary} Eine Anleitung zu Snipkeep, dem quelloffenen Backend für Werkzeuge, die Daten formatieren.',
  'docs.about':
    'Anleitungen zum Speichern, Teilen und Umwandeln mit Snipkeep, auf Englisch: API, Kommandozeile, CI, Werkzeuge und ein eigener Server.',
  'docs.missing': 'Unter dieser Adresse gibt es keine Anleitung. Bitte suchen oder eine von diesen wählen.',
  'docs.search': 'Anleitungen durchsuchen',
  'docs.found': { one: '{count} Überschrift für „{asked}“', other: '{count} Überschriften für „{asked}“' },
  'docs.none':
    'Keine Überschrift enthält ein Wort aus „{asked}“. Ein anderes Wort versuchen oder eine Anleitung wählen.',
  'docs.contents': 'Auf dieser Seite',
  'docs.guides': 'Alle Anleitungen',
  'docs.api': 'API-Referenz',
  'docs.apiAbout': 'Jede Operation mit Parametern, Antworten und einem Beispiel in curl.',
}
