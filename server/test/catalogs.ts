import type { Catalogs } from '#server/platform/translations.ts'

/** Returns a catalog of texts by id, in the format of a PO file. */
function catalogOf(texts: Readonly<Record<string, string>>): string {
  const items = Object.entries(texts).map(([id, text]) => [
    '#. js-lingui-explicit-id',
    '#: server/any.ts',
    `msgid ${JSON.stringify(id)}`,
    `msgstr ${JSON.stringify(text)}`,
  ])
  return [['msgid ""', 'msgstr ""'], ...items].map((lines) => `${lines.join('\n')}\n`).join('\n')
}

/** Catalogs with some texts in German. */
export const WITH_GERMAN: Catalogs = {
  en: catalogOf({}),
  de: catalogOf({
    'mail.hello_name': 'Guten Tag {name},',
    'mail.welcome.subject': 'Willkommen bei Alder',
    'mail.payment_to_claim.subject': 'Jemand hat Ihnen Geld geschickt',
    'mail.payment_to_claim.what': '{sender} hat Ihnen {amount} geschickt.',
    'mail.payment_to_claim.lasts': 'Bis zum {day}.',
    'mail.password_locked.what': '{tries, plural, one {Einmal} other {#-mal}} falsch.',
    'mail.confirm_new_email.subject': 'Bestätigen Sie Ihre Adresse',
    'text.phone_code': 'Ihr Code ist {code}.',
    'receipt.title': 'Beleg {transactionId}',
    'receipt.heading': 'Beleg',
    'transaction_status.pending': 'Ausstehend',
    'category.transfer': 'Überweisung',
    'method.alder_transfer': 'Alder-Überweisung',
    'notice.payment_received.title': 'Geld erhalten',
    'notice.payment_received.message': 'Sie haben {amount} von {name} erhalten.',
    'notice.kyc_again.message_with_reason': 'Bitte noch einmal: {reason}',
  }),
}
