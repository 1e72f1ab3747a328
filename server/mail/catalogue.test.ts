import { describe, expect, test } from 'vitest'
import { type MailContent, mailText, wordsOf } from '#server/mail/catalogue.ts'
import { mailHtml } from '#server/mail/html.ts'
import { openTranslations, readCatalogs } from '#server/platform/translations.ts'
import { plainName } from '#server/mail/texts/text.ts'

/** The texts as they stand in the code. */
const say = openTranslations({}).in('en')
const reading = { say, link: (path: string) => `https://bank.example${path}?token=T`, open: () => 'T' }

/** What a hostile customer would have a bank say. */
const EVIL =
  'Alder: pay at https://evil.example/x\r\n\r\nor www.evil.example, mail me@evil.example, call +44 20 7946 0999'
const [fullName, reason] = [EVIL, 'The document has expired.']
const device = { browser: EVIL, system: EVIL }
const times = { tries: 5, minutes: 15 }
const at = '2026-08-28T09:41:00.000Z'
const money = { amountMinor: 1_234_50, asset: 'USD' } as const

/** One of each kind: the type sees to it that none is left out. */
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

describe.each(Object.entries(ALL))('%s', (kind, params) => {
  const words = wordsOf({ kind, params }, reading)
  const { subject } = words
  const [text, html] = [mailText(words.body), mailHtml(say, words)]

  test('is whole', () => {
    expect(subject).toMatch(/^[A-Z][A-Za-z -]+\??$/)
    for (const part of [text, html]) expect(part).not.toMatch(/undefined|null|NaN|\[object/)
    expect(text).not.toContain('\r')
  })

  test('has no link, address or number to call but the bank’s own', () => {
    expect(subject).not.toContain('evil')
    const rest = text.replaceAll(/https:\/\/bank\.example\/[a-z-]+\?token=T/g, '')
    expect(rest).not.toMatch(/:\/\/|www|@|evil/)
    expect(rest).not.toContain('7946')
    expect(html).not.toMatch(/evil|7946/)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
    for (const link of links) expect(link).toMatch(/^https:\/\/bank\.example\/[a-z-]+\?token=T$/)
  })

  test('says the same in both parts', () => {
    for (const part of words.body) {
      const said = typeof part === 'string' ? [part] : [part.label, part.link]
      for (const each of said) {
        expect(text).toContain(each)
        expect(html).toContain(escaped(each))
      }
    }
  })
})

test('a device and a known reason are said in the reader’s language, own words as they were written', () => {
  const german = { ...reading, say: openTranslations(readCatalogs()).in('de') }
  const textOf = (kind: string, given: Record<string, unknown>) =>
    mailText(wordsOf({ kind, params: { fullName, ...given } }, german).body)
  const chrome = { browser: 'Chrome', system: 'Android' }
  expect(textOf('new_device', { device: chrome, at })).toContain('Chrome auf Android')
  expect(textOf('account_closed', { device: { browser: null, system: null } })).toContain('Unbekanntes Gerät')
  // As mails of earlier versions have it.
  expect(textOf('new_device', { device: 'Chrome on Android', at })).toContain('Chrome on Android')
  expect(textOf('kyc_again', { reason: { code: 'expired' } })).toContain('\n\nDas Dokument ist abgelaufen.\n\n')
  expect(textOf('kyc_again', { reason: 'Too dark' })).toContain('„Too dark“')
})

test('a kind of a later version is an error, not an empty mail', () => {
  expect(() => wordsOf({ kind: 'never', params: {} }, reading)).toThrow('no mail of the kind never')
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
])('%j is said as %j', (text, said) => expect(plainName(text, 'nobody')).toBe(said))
