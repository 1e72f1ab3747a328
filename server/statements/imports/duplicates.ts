import { setImmediate as othersTurn } from 'node:timers/promises'
import { fold } from '#contract/folding.ts'
import type { Kysely } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { runIn } from '#server/platform/db/run.ts'
import { checkStillWanted } from '#server/platform/http/response-recipient.ts'
import type { FoundPayment } from '#server/statements/imports/found-payments.ts'

/** The largest number of days between the booking days that two files give for one payment. */
const DAYS_APART = 3
/**
 * The limits of the comparison by name. `MAX_COMPARED`: payments with the same day and amount. `LETTERS_COMPARED`: letters of
 * a name.
 */
const MAX_COMPARED = 20
const LETTERS_COMPARED = 140
/** The number of payments compared before the thread yields to other requests. */
const TURN = 100

/**
 * The status of a payment found in a file. `known`: the customer already has it. `alike`: it may be a payment that the customer
 * has, and only the customer can decide.
 */
export type DuplicateStatus = 'new' | 'known' | 'alike'

/** A name in the form for comparisons, with its words. */
type Name = { text: string; words: ReadonlySet<string> }

type BookedPayment = { day: number; amountMinor: number; name: Name; source: string | null }

type KeptRow = { day: number; amount_minor: string; name: string; source: string | null; identity: string }

const dayNumber = (day: string): number => Date.parse(day) / 86_400_000

/** The name is cut first, because folding may turn one letter into eighteen. */
function comparedName(name: string): Name {
  const text = fold(name.slice(0, LETTERS_COMPARED))
    .slice(0, LETTERS_COMPARED)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return { text, words: new Set(text.split(' ').filter((word) => word.length >= 3)) }
}

/** Returns whether two names belong to one payee. Files cut names at different places and add words to them. */
function isSimilar(name: Name, otherName: Name): boolean {
  if (name.text === otherName.text) return true
  if (name.text === '' || otherName.text === '') return false
  const [shorter, longer] = name.text.length <= otherName.text.length ? [name, otherName] : [otherName, name]
  if (shorter.text.length >= 4 && longer.text.includes(shorter.text)) return true
  const sharedWords = [...shorter.words].filter((word) => longer.words.has(word)).length
  return shorter.words.size > 0 && sharedWords * 2 > shorter.words.size
}

const formatOf = (source: string): string => source.slice(0, source.indexOf(':'))

/**
 * Returns whether a payment from another source may be the same payment under a different identity. This is possible if the two
 * sources have different formats, if they are CSV files with different layouts, or if the other source is unknown (null). In
 * other formats, two sources are two accounts, which never share a payment.
 */
function mayShare(source: string, other: string | null): boolean {
  if (other === null) return true
  if (formatOf(source) !== formatOf(other)) return true
  return formatOf(source) === 'csv' && source !== other
}

/** Reads the customer's payments with an amount from the file and a day in or near its period, or with an equal identity. */
async function findSimilarPayments(db: Kysely<Database>, customerId: string, payments: readonly FoundPayment[]) {
  const days = payments.map(({ bookedOn }) => bookedOn).toSorted()
  const { rows } = await runIn(db)(
    `SELECT booked_on - date '1970-01-01' AS day, amount_minor, name, source, identity
       FROM bank.imported_payment
      WHERE customer_id = $1
        AND (identity = ANY($2::text[])
             OR booked_on BETWEEN $3::date - $5::int AND $4::date + $5::int AND amount_minor = ANY($6::bigint[]))
      ORDER BY id`,
    [
      customerId,
      payments.map(({ identity }) => identity),
      days[0],
      days.at(-1),
      DAYS_APART,
      [...new Set(payments.map(({ amountMinor }) => amountMinor))],
    ],
  )
  const identities = new Set(payments.map(({ identity }) => identity))
  const knownIds = new Set<string>()
  const similarPayments: BookedPayment[] = []
  for (const { day, amount_minor: amountMinor, name, source, identity } of rows as KeptRow[]) {
    if (identities.has(identity)) knownIds.add(identity)
    else similarPayments.push({ day, amountMinor: Number(amountMinor), name: comparedName(name), source })
  }
  return { known: knownIds, others: similarPayments }
}

/** Removes the first match from the beginning of a list and returns whether there was one. */
function take(list: BookedPayment[] | undefined, fits: (payment: BookedPayment) => boolean): boolean {
  const index = list?.slice(0, MAX_COMPARED).findIndex(fits) ?? -1
  if (index >= 0) list?.splice(index, 1)
  return index >= 0
}

/**
 * Returns the status of each payment of one file. Each payment that the customer already has matches at most one payment of the
 * file. If a file has three coffees and the customer has two of them, one coffee is new. Throws the errors of
 * `checkStillWanted`.
 */
export async function duplicateStatusesOf(
  db: Kysely<Database>,
  { customerId, gone }: { customerId: string; gone: AbortSignal },
  payments: readonly FoundPayment[],
): Promise<DuplicateStatus[]> {
  if (payments.length === 0) return []
  const { known: knownIdentities, others: similarPayments } = await findSimilarPayments(db, customerId, payments)
  const lists = Map.groupBy(similarPayments, ({ day, amountMinor }) => `${day}/${amountMinor}`)
  const seenIdentities = new Set<string>()
  const standings = payments.map(({ identity }): DuplicateStatus | null => {
    if (knownIdentities.has(identity) || seenIdentities.has(identity)) return 'known'
    seenIdentities.add(identity)
    return null
  })
  const names = new Map<string, Name>()
  const match = async (duplicateStatus: DuplicateStatus, dayDistances: readonly number[], isNamedAlike: boolean) => {
    for (const [index, { bookedOn, amountMinor, name: paymentName, source }] of payments.entries()) {
      if (index % TURN === TURN - 1) {
        await othersTurn()
        checkStillWanted(gone)
      }
      if (standings[index] !== null) continue
      const name = names.get(paymentName) ?? comparedName(paymentName)
      names.set(paymentName, name)
      const fits = (payment: BookedPayment) =>
        mayShare(source, payment.source) && (!isNamedAlike || isSimilar(payment.name, name))
      const isDuplicate = dayDistances.some((days) =>
        take(lists.get(`${dayNumber(bookedOn) + days}/${amountMinor}`), fits),
      )
      if (isDuplicate) standings[index] = duplicateStatus
    }
  }
  await match('known', [0], true)
  await match('alike', [0], false)
  await match('alike', [-1, 1, -2, 2, -3, 3], true)
  return standings.map((status) => status ?? 'new')
}
