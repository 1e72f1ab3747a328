import { setImmediate as othersTurn } from 'node:timers/promises'
import { fold } from '#contract/folding.ts'
import type { Kysely } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { runIn } from '#server/platform/db/run.ts'
import { stillWanted } from '#server/platform/http/recipient.ts'
import type { FoundPayment } from '#server/statements/imports/found.ts'

/** A file books a payment up to so many days before or after another file. */
const DAYS_APART = 3
/** How many payments of one day and amount are compared by name, and by how many letters of it. */
const COMPARED_MOST = 20
const LETTERS_COMPARED = 140
/** How many payments are looked at before others have their turn. */
const TURN = 100

/**
 * What is known of a payment that was found: `known` is there already, `alike` may be one of those that are, which only the customer can tell.
 */
export type Standing = 'new' | 'known' | 'alike'

/** A name as it is compared, and its words. */
type Name = { text: string; words: ReadonlySet<string> }

type Kept = { day: number; amountMinor: number; name: Name; source: string | null }

type KeptRow = { day: number; amount_minor: string; name: string; source: string | null; identity: string }

const dayNumber = (day: string): number => Date.parse(day) / 86_400_000

/** A letter may be folded to eighteen. */
function comparedName(name: string): Name {
  const text = fold(name.slice(0, LETTERS_COMPARED))
    .slice(0, LETTERS_COMPARED)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return { text, words: new Set(text.split(' ').filter((word) => word.length >= 3)) }
}

/** Whether two names are of one payee: files cut them at different places, and add to them. */
function isSimilar(one: Name, other: Name): boolean {
  if (one.text === other.text) return true
  if (one.text === '' || other.text === '') return false
  const [shorter, longer] = one.text.length <= other.text.length ? [one, other] : [other, one]
  if (shorter.text.length >= 4 && longer.text.includes(shorter.text)) return true
  const shared = [...shorter.words].filter((word) => longer.words.has(word)).length
  return shorter.words.size > 0 && shared * 2 > shorter.words.size
}

const formatOf = (source: string): string => source.slice(0, source.indexOf(':'))

/**
 * Whether two files may have the same payments under different identities: they are of different formats, or of different layouts of one. Two
 * accounts of one bank never have.
 */
function mayShare(source: string, other: string | null): boolean {
  if (other === null) return true
  if (formatOf(source) !== formatOf(other)) return true
  return formatOf(source) === 'csv' && source !== other
}

/** What the customer has of the days and amounts of some payments, and which of their identities. */
async function keptLike(db: Kysely<Database>, customerId: string, payments: readonly FoundPayment[]) {
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
  const known = new Set<string>()
  const others: Kept[] = []
  for (const { day, amount_minor: amountMinor, name, source, identity } of rows as KeptRow[]) {
    if (identities.has(identity)) known.add(identity)
    else others.push({ day, amountMinor: Number(amountMinor), name: comparedName(name), source })
  }
  return { known, others }
}

/** Takes the first of a few that fits out of a list. */
function take(list: Kept[] | undefined, fits: (kept: Kept) => boolean): boolean {
  const at = list?.slice(0, COMPARED_MOST).findIndex(fits) ?? -1
  if (at >= 0) list?.splice(at, 1)
  return at >= 0
}

/**
 * What is known of each of some payments of one file. Each payment that the customer has is the same as one of them at most: three coffees of a
 * file, of which two are there, leave one that is new. Throws what `stillWanted` does.
 */
export async function standingsOf(
  db: Kysely<Database>,
  { customerId, gone }: { customerId: string; gone: AbortSignal },
  payments: readonly FoundPayment[],
): Promise<Standing[]> {
  if (payments.length === 0) return []
  const { known, others } = await keptLike(db, customerId, payments)
  const lists = Map.groupBy(others, ({ day, amountMinor }) => `${day}/${amountMinor}`)
  const seen = new Set<string>()
  const standings = payments.map(({ identity }): Standing | null => {
    if (known.has(identity) || seen.has(identity)) return 'known'
    seen.add(identity)
    return null
  })
  const names = new Map<string, Name>()
  const match = async (standing: Standing, apart: readonly number[], isNamedAlike: boolean) => {
    for (const [index, { bookedOn, amountMinor, name: said, source }] of payments.entries()) {
      if (index % TURN === TURN - 1) {
        await othersTurn()
        stillWanted(gone)
      }
      if (standings[index] !== null) continue
      const name = names.get(said) ?? comparedName(said)
      names.set(said, name)
      const fits = (kept: Kept) => mayShare(source, kept.source) && (!isNamedAlike || isSimilar(kept.name, name))
      const found = apart.some((days) => take(lists.get(`${dayNumber(bookedOn) + days}/${amountMinor}`), fits))
      if (found) standings[index] = standing
    }
  }
  await match('known', [0], true)
  await match('alike', [0], false)
  await match('alike', [-1, 1, -2, 2, -3, 3], true)
  return standings.map((standing) => standing ?? 'new')
}
