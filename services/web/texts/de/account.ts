// Translated by a machine (a language model), and not yet read by a native speaker.

import type { account as source } from '../en/account.js'
import type { Translation } from '../message.js'

/** Texts of the dashboard: plan and profile. In German. */
export const account: Translation<typeof source> = {
  'plan.free': 'Free',
  'plan.pro': 'Pro',
  'plan.isFree': 'Tarif: Free',
  'plan.isPro': 'Tarif: Pro',
  'plan.included': 'Auf diesem Server haben alle Pro; es wird nichts verkauft.',
  'plan.renews': 'Abrechnung pro {interval}. Verlängert sich am {date}.',
  'plan.ends': 'Gekündigt. Pro gilt bis {date}, danach der Tarif Free. Nichts Gespeichertes wird gelöscht.',
  'plan.pastDue':
    'Die letzte Zahlung ist gescheitert. Pro gilt noch sieben Tage; bitte vorher die Zahlungsart aktualisieren.',
  'plan.unpaid':
    'Das Abonnement ist nicht bezahlt, daher gilt Pro nicht mehr. Zum Fortsetzen die Zahlungsart aktualisieren.',
  'plan.month': 'Monat',
  'plan.year': 'Jahr',
  'plan.history': 'Einträge im Verlauf',
  'plan.contracts': 'Verträge',
  'plan.trustedPublishers': 'Vertrauenswürdige Quellen',
  'plan.revisions': 'Frühere Versionen je Snippet',
  'plan.shares': 'Aktive Freigaben',
  'plan.limit': 'Limit',
  'plan.dataBytes': 'Größe eines Snippets oder einer Freigabe',
  'plan.storedBytes': 'Speicher',
  'plan.shareTtl': 'Ablauf von Freigaben',
  'plan.days': { one: 'nach {count} Tag', other: 'nach {count} Tagen' },
  'plan.forEver': 'nie',
  'plan.unlimited': 'unbegrenzt',
  'plan.noneOf': 'keine',
  'plan.lastOf': 'die letzten {count}',
  'plan.upgrade': 'Pro hebt diese Limits auf und bietet API-Schlüssel.',
  'plan.perMonth': '{price} pro Monat',
  'plan.perYear': '{price} pro Jahr',
  'plan.saves': 'spart {percent} %',
  'plan.payMonth': 'Monatlich zahlen',
  'plan.payYear': 'Jährlich zahlen',
  'plan.payAbout': 'Bezahlt wird auf der Seite des Zahlungsanbieters; danach geht es hier weiter.',
  'plan.portal': 'Rechnungen und Zahlung',
  'plan.cancel': 'Pro kündigen',
  'plan.cancelTitle': 'Pro kündigen?',
  'plan.cancelAbout':
    'Pro gilt bis {date}. Danach gilt der Tarif Free: Nichts wird gelöscht, API-Schlüssel funktionieren nicht mehr, und neue Snippets sind nur unterhalb des Limits von Free möglich.',
  'plan.cancelled': 'Pro endet mit dem Abrechnungszeitraum.',
  'plan.keep': 'Pro behalten',
  'plan.resumed': 'Pro bleibt.',
  'plan.waiting': 'Danke! Die Zahlung wird bestätigt. Das dauert einige Sekunden.',
  'plan.slow':
    'Die Zahlung ist noch nicht bestätigt. Es ist nichts verloren: Diese Seite zeigt Pro, sobald sie es ist.',
  'plan.welcome': 'Pro ist jetzt aktiv. Danke!',
  'plan.givenUp': 'Es wurde nichts abgebucht, und nichts hat sich geändert.',
  'profile.noName': 'nicht angegeben',
  'profile.email': 'E-Mail',
  'profile.verified': 'bestätigt',
  'profile.unverified': 'nicht bestätigt',
  'profile.since': 'Mitglied seit',
  'profile.id': 'Konto',
  'profile.toPlan': 'Tarif und Nutzung',
  'profile.export': 'Eigene Daten',
  'profile.exportHint':
    'Alles im Konto als ein Archiv herunterladen: Snippets mit ihren Versionen, Freigaben, Verlauf, Schlüssel ohne ihre Geheimnisse und Ereignisse. Es lässt sich in diesen oder einen anderen Server importieren.',
  'profile.exportButton': 'Alles exportieren',
  'profile.exportRunning': '{size} empfangen…',
  'profile.exportDone': 'Das Archiv ist vollständig.',
  'profile.from': 'Name und E-Mail kommen vom Anmeldedienst und lassen sich dort ändern.',
  'closure.hint':
    'API-Schlüssel und Freigaben enden sofort, ebenso das Abonnement. Einige Tage lang lässt sich das zurücknehmen; danach wird alles endgültig gelöscht.',
  'closure.ask': 'Konto löschen…',
  'closure.title': 'Das Konto löschen?',
  'closure.about':
    'Alles endet sofort: API-Schlüssel, CI-Jobs, Freigaben und das Abonnement, das nicht erstattet wird. Snippets, Verlauf und alle anderen Daten werden nach einigen Tagen endgültig gelöscht, wenn das Konto nicht wiederhergestellt wird.',
  'closure.confirm': 'Zur Bestätigung {name} eingeben',
  'closure.close': 'Konto löschen',
  'closure.closedToast': 'Das Konto ist geschlossen',
  'closure.closed': 'Das Konto ist geschlossen',
  'closure.closedAbout':
    'Alles darin wird nach {date} endgültig gelöscht. Bis dahin funktionieren Freigaben und API-Schlüssel nicht, und das Konto lässt sich wiederherstellen. Ein Abonnement ist beendet und kommt nicht zurück.',
  'closure.restore': 'Konto wiederherstellen',
}
