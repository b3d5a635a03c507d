// Translated by a machine (a language model), and not yet read by a native speaker.

import type { checks as source } from '../en/checks.js'
import type { Translation } from '../message.js'

/** Texts of the dashboard: contracts and checks. In German. */
export const checks: Translation<typeof source> = {
  'contract.title': 'Vertrag',
  'contract.about':
    'Sagt, was sich in der nächsten Version ändern darf. Alles andere wartet auf die Genehmigung.',
  'contract.add': 'Vertrag anlegen',
  'contract.edit': 'Vertrag bearbeiten',
  'contract.remove': 'Vertrag entfernen',
  'contract.removeTitle': 'Diesen Vertrag entfernen?',
  'contract.removeAbout':
    'Jobs können die Daten von „{title}“ dann ohne Genehmigung ersetzen. Die Prüfungen bleiben erhalten.',
  'contract.removed': 'Vertrag entfernt',
  'contract.saved': 'Vertrag gespeichert',
  'contract.rules': 'Regeln',
  'contract.rulesHint':
    'JSON. Pfade sind JSON Pointer, * steht für einen beliebigen Schritt. Zahlen stehen in Zeichenketten.',
  'contract.example': 'Beispiele für das, was in den Listen stehen kann',
  'contract.help': 'Alle Regeln',
  'contract.wrongAt': 'Bei {pointer}: {why}',
  'contract.changedElsewhere':
    'Der Vertrag wurde inzwischen anderswo geändert. Bitte schließen und den aktuellen bearbeiten.',
  'check.list': 'Prüfungen',
  'check.pending': 'Offen',
  'check.waiting': {
    one: '{count} Prüfung wartet auf Entscheidung',
    other: '{count} Prüfungen warten auf Entscheidung',
  },
  'check.none': 'Noch keine Prüfungen. Ein Job sendet seine Ausgabe mit diesem Befehl:',
  'check.nonePending': 'Keine Prüfung wartet auf Entscheidung.',
  'check.back': 'Zum Snippet',
  'check.goneTitle': 'Prüfung nicht gefunden',
  'check.gone': 'Sie wird nicht mehr aufbewahrt oder gehört zu einem anderen Konto.',
  'check.verdict-same': 'Kein Unterschied',
  'check.verdict-allowed': 'Nur erlaubte Änderungen',
  'check.verdict-breaks': 'Verletzt den Vertrag',
  'check.verdict-new': 'Erste Ausgabe',
  'check.state-pending': 'offen',
  'check.state-accepted': 'übernommen',
  'check.state-approved': 'genehmigt',
  'check.state-rejected': 'abgelehnt',
  'check.state-expired': 'abgelaufen',
  'check.breakCount': { one: '{count} Verletzung', other: '{count} Verletzungen' },
  'check.allowedCount': { one: '{count} erlaubte Änderung', other: '{count} erlaubte Änderungen' },
  'check.facts': 'Über diese Prüfung',
  'check.sent': 'Gesendet',
  'check.decided': 'Entschieden',
  'check.became': 'Ergebnis',
  'check.note': 'Notiz',
  'check.noteHint': 'Optional. Sie wird mit der Entscheidung aufbewahrt.',
  'check.job': 'Job',
  'check.baseline': 'Grundlage',
  'check.candidate': 'Kandidat',
  'check.breaks': 'Was verletzt wird',
  'check.place': 'Stelle',
  'check.rule': 'Regel',
  'check.message': 'Meldung',
  'check.whole': 'das ganze Dokument',
  'check.more': 'Die ersten {count} von {total} sind aufgeführt und unten markiert.',
  'check.comparison': 'Vergleich',
  'check.marked': 'Was mit „{word}“ markiert ist, erlaubt der Vertrag nicht.',
  'check.unmarkedLines': 'In den Zeilen unter „{view}“ ist nichts markiert.',
  'check.baselineGone':
    'Die Version, mit der verglichen wurde, wird nicht mehr aufbewahrt. Hier steht der Kandidat allein.',
  'check.large': 'Der Kandidat ist {size} groß. Er wird auf Wunsch in diesem Browser verglichen.',
  'check.download': 'Kandidat herunterladen',
  'check.notKept': 'Der Kandidat wird nicht mehr aufbewahrt.',
  'check.approve': 'Genehmigen',
  'check.reject': 'Ablehnen',
  'check.approveTitle': 'Diese Ausgabe genehmigen?',
  'check.approveAbout':
    'Sie wird die aktuelle Version von „{title}“. Spätere Ausgaben werden mit ihr verglichen.',
  'check.approveNewAbout':
    'Sie wird die erste Version eines neuen Snippets „{title}“. Spätere Ausgaben werden mit ihr verglichen.',
  'check.rejectTitle': 'Diese Ausgabe ablehnen?',
  'check.rejectAbout': 'Sie wird gelöscht, und „{title}“ bleibt, wie es ist.',
  'check.rejectNewAbout': 'Sie wird gelöscht. Ein Snippet „{title}“ gibt es weiterhin nicht.',
  'check.approved': 'Genehmigt: jetzt Version {version}',
  'check.rejected': 'Abgelehnt',
  'check.baselineChanged':
    '„{title}“ hat eine neuere Version als die, mit der verglichen wurde. Bitte den Job noch einmal starten: Seine Ausgabe wird dann mit der aktuellen Version verglichen.',
  'check.alreadyDecided':
    'Diese Prüfung wurde anderswo entschieden; hier wurde nichts geändert. Unten steht die Entscheidung.',
}
