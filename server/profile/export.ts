import { transactionOfLine } from '#server/accounts/transaction.ts'
import type { Deps } from '#server/platform/deps.ts'
import { cardsOf } from '#server/cards/service.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { passkeysOf } from '#server/identity/passkeys/passkeys.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { devicesOf } from '#server/identity/sessions/sessions.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'
import { kycOf } from '#server/kyc/cases/cases.ts'
import { type Account, accountsOf } from '#server/ledger/accounts.ts'
import { listLines } from '#server/ledger/statement.ts'
import { mailsOf } from '#server/mail/service.ts'
import { type NoticePlace, noticesOf } from '#server/notifications/service.ts'
import { claimsOf } from '#server/payments/claims.ts'
import { contactsOf } from '#server/payments/contacts.ts'
import { type Written, jsonPieces } from '#server/profile/json-stream.ts'
import { readProfile } from '#server/profile/service.ts'
import { goalsOf } from '#server/savings/service.ts'

/** How much is read at a time. */
const PAGE = 500

type ExportDeps = Pick<Deps, 'pool' | 'db' | 'clock' | 'policy' | 'config' | 'log'>

/** Who asks, and with which session. */
export type Asked = { customer: Customer; session: string }

/**
 * Everything the bank holds about a customer, as JSON text in UTF-8, written as it is read: a page is in memory, never
 * the whole. What would open something is left out: digests, keys, codes and the tokens of links.
 */
export function exportOf(deps: ExportDeps, asked: Asked): ReadableStream<Uint8Array> {
  const pieces = jsonPieces(documentOf(deps, asked))
  const utf8 = new TextEncoder()
  return new ReadableStream({
    pull: async (stream) => {
      try {
        const { done, value } = await pieces.next()
        if (done) stream.close()
        else stream.enqueue(utf8.encode(value))
      } catch (error) {
        // The answer has begun, so all that is left is to break it off: half a file must not look like a whole one.
        deps.log.error({ err: error }, 'an export broke off')
        // Without its cause, which the adapter would print, and with it rows of the database.
        stream.error(new Error('An export broke off'))
      }
    },
    cancel: async () => void (await pieces.return(undefined)),
  })
}

function documentOf(deps: ExportDeps, { customer, session }: Asked): Written {
  const { id } = customer
  const run = runOn(deps.pool)
  return {
    bank: 'Alder',
    exportedAt: deps.clock.realNow().toISOString(),
    profile: () => readProfile(deps, id),
    accounts: accounts(run, id),
    goals: () => goals(deps, id),
    cards: () => cards(deps, id),
    contacts: paged(
      (after: string | null) => contactsOf(deps, id, { after, limit: PAGE }),
      ({ address }) => address,
    ),
    paymentsToClaim: paged(
      (after: string | null) => claimsOf(deps, id, { after, limit: PAGE }),
      ({ operationId }) => operationId,
    ),
    notifications: paged(
      (before: NoticePlace | null) => noticesOf(deps, id, { before, limit: PAGE }),
      (notice) => notice,
    ),
    mails: mails(deps, customer),
    devices: () => devicesOf(deps, id, session),
    passkeys: () => passkeysOf(run, id),
    twoFactor: () => hasTwoFactor(run, id),
    identityVerification: () => verification(deps, id),
    securityEvents: paged(
      (before: number | null) => securityEventsOf(deps, id, { before, limit: PAGE }),
      (event) => Number(event.id),
    ),
  }
}

/** All items of a list that is read page by page: `read` is told the place of the last one of the page before. */
async function* paged<Item, Place>(
  read: (last: Place | null) => Promise<Item[]>,
  placeOf: (item: Item) => Place,
): AsyncGenerator<Item> {
  let page = await read(null)
  yield* page
  for (let last = page.at(-1); last !== undefined && page.length === PAGE; last = page.at(-1)) {
    page = await read(placeOf(last))
    yield* page
  }
}

async function* accounts(run: Run, customerId: string): AsyncGenerator<Written> {
  for (const account of await accountsOf(run, customerId)) {
    const { id, code, asset, status, balanceMinor, heldMinor } = account
    yield { id, code, asset, status, balanceMinor, heldMinor, transactions: transactions(run, account) }
  }
}

async function* transactions(run: Run, { id: accountId }: Account) {
  let cursor: string | undefined
  do {
    const { lines, nextCursor } = await listLines(run, { accountId, filters: {}, cursor, limit: PAGE })
    for (const line of lines) yield transactionOfLine(line)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

async function goals(deps: ExportDeps, customerId: string) {
  const all = await goalsOf(deps, customerId)
  return all.map(({ name, icon, asset, targetMinor, savedMinor }) => ({ name, icon, asset, targetMinor, savedMinor }))
}

async function cards(deps: ExportDeps, customerId: string) {
  const all = await cardsOf(deps, customerId)
  return all.map(({ type, name, lastFour, expiresOn, isVirtual, isPrimary }) => ({
    type,
    name,
    number: `•••• ${lastFour}`,
    expiresOn,
    isVirtual,
    isPrimary,
  }))
}

/** Whoever holds the token of a link can use it, wherever they have read it. */
const TOKEN_IN_LINK = /([?&]token=)[\w-]+/g

async function* mails(deps: ExportDeps, customer: Customer) {
  const all = paged(
    (before: number | null) => mailsOf(deps, customer, { before, limit: PAGE }),
    ({ place }) => place,
  )
  for await (const { mail } of all) yield { ...mail, text: mail.text.replace(TOKEN_IN_LINK, '$1removed') }
}

/** The documents' content is not in it: each can be downloaded from the identity screen. */
async function verification(deps: ExportDeps, customerId: string) {
  const { status, reason, documents } = await kycOf(deps, customerId)
  return { status, reason, documents }
}
