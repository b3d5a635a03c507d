// Translated by a machine (a language model), and not yet read by a native speaker.

import type { site as source } from '../en/site.js'
import type { Translation } from '../message.js'

/** Texts of every page: times, and the pages that say what has happened. In German. */
export const site: Translation<typeof source> = {
  'site.skip': 'Zum Inhalt springen',
  'site.menu': 'Menü',
  'site.about': 'Mehr über Snipkeep',
  'site.language': 'Sprache',
  'size.bytes': { one: '{count} Byte', other: '{count} Byte' },
  'page.tagline':
    'Ergebnisse von Formatierungswerkzeugen speichern, von überall abrufen und per Link teilen.',
  'time.seconds': { one: '{count} Sekunde', other: '{count} Sekunden' },
  'time.minutes': { one: '{count} Minute', other: '{count} Minuten' },
  'time.hours': { one: '{count} Stunde', other: '{count} Stunden' },
  'time.days': { one: '{count} Tag', other: '{count} Tagen' },
  'time.ago': 'vor {time}',
  'status.missing': 'Seite nicht gefunden',
  'status.missingPage': 'Unter dieser Adresse gibt es keine Seite.',
  'status.missingTool': 'Unter dieser Adresse gibt es kein Werkzeug.',
  'status.meant': 'Gemeint war vielleicht',
  'status.dashboard': 'Dashboard',
  'status.missingText':
    'Der Link ist falsch geschrieben, oder die Freigabe wurde gelöscht. Wer sie geteilt hat, kann einen neuen Link schicken.',
  'status.expired': 'Diese Freigabe ist abgelaufen',
  'status.expiredText':
    'Sie lässt sich nicht mehr öffnen. Wer sie geteilt hat, kann einen neuen Link schicken.',
  'status.expiredTime': 'Abgelaufen',
  'status.disabled': 'Diese Freigabe wurde gesperrt',
  'status.disabledText':
    'Der Betreiber dieser Website hat sie gesperrt. Wer sie geteilt hat, wurde benachrichtigt.',
  'status.usedUp': 'Diese Freigabe wurde so oft geöffnet, wie erlaubt war',
  'status.notAlone': 'Diese Freigabe öffnet sich nur auf ihrer eigenen Seite',
  'status.notAloneText': 'Sie ist durch ein Passwort geschützt oder lässt sich nur begrenzt oft öffnen.',
  'status.notAloneOpen': 'Zu ihrer Seite',
  'status.readOnly': 'Diese Seite ist schreibgeschützt',
  'status.readOnlyText': 'Bitte im Browser öffnen oder mit GET abrufen.',
  'status.unavailable': 'Diese Seite ist vorübergehend nicht verfügbar',
  'status.unavailableText':
    'Ein Dienst dahinter antwortet nicht. Es ist nichts verloren. Bitte gleich noch einmal versuchen.',
  'status.failureText':
    'Der Fehler liegt bei uns und wurde protokolliert. Bitte gleich noch einmal versuchen.',
  'status.home': 'Was ist Snipkeep?',
  'cli.title': 'Zurück zum Terminal',
  'cli.text': 'Der Befehl snipkeep auf diesem Rechner wartet auf die Anmeldung.',
  'cli.continue': 'Weiter',
  'cli.invalid': 'Kein Befehl wartet auf diese Anmeldung',
  'cli.invalidText': 'Im Terminal mit snipkeep login neu beginnen.',
}
