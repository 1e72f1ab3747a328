import { describe, expect, test } from 'vitest'
import { type MailContent, plainMailText, renderMail } from '#server/mail/catalog.ts'
import { mailHtml } from '#server/mail/html.ts'
import { openTranslations, readCatalogs } from '#server/platform/translations.ts'
import { plainName } from '#server/mail/texts/text.ts'

/** The English texts from the source code. */
const translator = openTranslations({}).in('en')
const reading = { translator, link: (path: string) => `https://bank.example${path}?token=T`, open: () => 'T' }

/** A text with which a hostile customer would abuse the bank's mails. */
const EVIL =
  'Alder: pay at https://evil.example/x\r\n\r\nor www.evil.example, mail me@evil.example, call +44 20 7946 0999'
const [fullName, reason] = [EVIL, 'The document has expired.']
const device = { browser: EVIL, system: EVIL }
const times = { tries: 5, minutes: 15 }
const at = '2026-08-28T09:41:00.000Z'
const money = { amountMinor: 1_234_50, asset: 'USD' } as const

/** One mail of each kind. The type guarantees that no kind is missing. */
const ALL = {
  welcome: {},
  confirm_email: {},
  already_customer: { fullName },
  choose_password: { fullName },
  password_locked: { fullName, ...times },
  password_locked_on_device: { fullName, ...times },
  password_locked_in_session: { fullName, ...times },
  codes_locked: { fullName, ...times },
  codes_locked_in_session: { fullName, ...times },
  phone_lost: { fullName },
  recovery_code_used: { fullName, left: 1 },
  credential_changed: { fullName, device, event: 'passkey_added' },
  new_device: { fullName, device, at },
  confirm_change: { fullName },
  confirm_new_email: {},
  email_wanted: {},
  email_changed: { fullName },
  payment_to_claim: { senderName: EVIL, ...money, hasNote: true, expiresAt: at },
  money_request: { requesterName: EVIL, ...money, hasNote: true, expiresAt: at },
  loan_offered: { fullName, ...money, expiresAt: at },
  loan_refused: { fullName, ...money },
  loan_disbursed: { fullName, ...money },
  kyc_approved: { fullName, reason: null },
  kyc_rejected: { fullName, reason },
  kyc_again: { fullName, reason },
  account_closed: { fullName, device },
} as const satisfies { [Kind in MailContent['kind']]: Extract<MailContent, { kind: Kind }>['params'] }

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

describe.each(Object.entries(ALL))('the mail %s', (kind, params) => {
  const words = renderMail({ kind, params }, reading)
  const { subject } = words
  const [text, html] = [plainMailText(words.body), mailHtml(translator, words)]

  test('is complete', () => {
    expect(subject).toMatch(/^[A-Z][A-Za-z -]+\??$/)
    for (const part of [text, html]) expect(part).not.toMatch(/undefined|null|NaN|\[object/)
    expect(text).not.toContain('\r')
  })

  test('has no link, address or phone number except the bank’s own', () => {
    expect(subject).not.toContain('evil')
    const textWithoutLinks = text.replaceAll(/https:\/\/bank\.example\/[a-z-]+\?token=T/g, '')
    expect(textWithoutLinks).not.toMatch(/:\/\/|www|@|evil/)
    expect(textWithoutLinks).not.toContain('7946')
    expect(html).not.toMatch(/evil|7946/)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
    for (const link of links) expect(link).toMatch(/^https:\/\/bank\.example\/[a-z-]+\?token=T$/)
  })

  test('has the same content in both parts', () => {
    for (const part of words.body) {
      const texts = typeof part === 'string' ? [part] : [part.label, part.link]
      for (const each of texts) {
        expect(text).toContain(each)
        expect(html).toContain(escaped(each))
      }
    }
  })
})

test('a device and a known reason are in the reader’s language, and custom texts are unchanged', () => {
  const german = { ...reading, translator: openTranslations(readCatalogs()).in('de') }
  const textOf = (kind: string, parameters: Record<string, unknown>) =>
    plainMailText(renderMail({ kind, params: { fullName, ...parameters } }, german).body)
  const chrome = { browser: 'Chrome', system: 'Android' }
  expect(textOf('new_device', { device: chrome, at })).toContain('Chrome auf Android')
  expect(textOf('account_closed', { device: { browser: null, system: null } })).toContain('Unbekanntes Gerät')
  // Mails of earlier versions have these parameters.
  expect(textOf('new_device', { device: 'Chrome on Android', at })).toContain('Chrome on Android')
  expect(textOf('kyc_again', { reason: { code: 'expired' } })).toContain('\n\nDas Dokument ist abgelaufen.\n\n')
  expect(textOf('kyc_again', { reason: 'Too dark' })).toContain('„Too dark“')
})

test('a kind of a later version causes an error, not an empty mail', () => {
  expect(() => renderMail({ kind: 'never', params: {} }, reading)).toThrow('no mail of the kind never')
})

test.each([
  ['Ann Lee', 'Ann Lee'],
  ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ["Sinéad O'Connor", "Sinéad O'Connor"],
  ['Müller-Lüdenscheidt', 'Müller-Lüdenscheidt'],
  ['Martin Luther King, Jr.', 'Martin Luther King, Jr.'],
  ['李小龙', '李小龙'],
  ['Chrome on Android', 'Chrome on Android'],
  ['Ann Lee 3rd', 'Ann Lee 3rd'],
  ['evil.example', 'evil. example'],
  ['https://evil.example/path', 'nobody'],
  ['ann@example.com', 'nobody'],
  ['call 0800 123 456 now', 'nobody'],
  ['a\r\nSubject: b', 'nobody'],
  ['a\u202eb', 'nobody'],
  ['x'.repeat(121), 'nobody'],
  ['', 'nobody'],
])('%j is written as %j', (text, written) => expect(plainName(text, 'nobody')).toBe(written))
