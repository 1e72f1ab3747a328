import { hash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { IMPORT_AMOUNT_MOST } from '#contract/statement-formats.ts'
import { type ImportedPayment } from '#contract/statements.ts'
import { categoryOf } from '#server/statements/imports/categories.ts'

/** A payment that was found in a file. `identity` tells it from the customer's others, also in a file that has it again. */
export type FoundPayment = ImportedPayment & { identity: string }

type Read = { bookedOn: string; name: string; cents: bigint; merchantCode?: string | undefined }

/** The letters of a name that are kept. */
const NAME_MOST = 140

/** What a spreadsheet was kept from running, and nothing that moves what stands around it. */
const cleaned = (name: string): string =>
  Array.from(
    name
      .replace(/^'(?=[=+\-@])/, '')
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, NAME_MOST)
    .join('')

/** Throws Refusal `import_amount_too_large`. */
export function paymentOf({ bookedOn, name, cents, merchantCode }: Read): ImportedPayment {
  if (cents > IMPORT_AMOUNT_MOST || cents < -IMPORT_AMOUNT_MOST) throw new Refusal('import_amount_too_large')
  const amountMinor = Number(cents)
  const kept = cleaned(name)
  return {
    bookedOn,
    name: kept,
    amountMinor,
    asset: 'USD',
    category: categoryOf({ name: kept, amountMinor, merchantCode }),
  }
}

const digestOf = (...parts: (string | number)[]): string => hash('sha256', parts.join('\n'), 'base64url')

/** What a payment is known again by that its bank gave an id. */
export const identityOfId = (account: string, id: string): string => digestOf('id', account, id)

/**
 * What payments without an id are known again by: day, amount and name, and how many alike came before it in the file. Two coffees
 * on one day are two payments, and the same two when the file comes again.
 */
export function withIdentities(payments: readonly ImportedPayment[]): FoundPayment[] {
  const alike = new Map<string, number>()
  return payments.map((payment) => {
    const { bookedOn, amountMinor, name } = payment
    const key = `${bookedOn}\n${amountMinor}\n${name}`
    const before = alike.get(key) ?? 0
    alike.set(key, before + 1)
    return { ...payment, identity: digestOf('row', key, before) }
  })
}
