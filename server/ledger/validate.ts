import { Refusal } from '#contract/errors.ts'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { derivedId } from '#server/ledger/derived-id.ts'
import type { Leg, Operation } from '#server/ledger/types.ts'
import { isDerived, isUuid } from '#server/platform/uuid.ts'

/** The form of values that may go into array literals without escapes. */
const PLAIN = /^[\w.:+/=-]{1,200}$/

/**
 * Refuses a malformed operation before it joins a batch, without reading the books. Throws Refusal('amount_invalid' |
 * 'amount_too_large' | 'recipient_is_self' | 'idempotency_key_reserved'), or TypeError for an error of the caller.
 */
export function validate(operation: Operation): void {
  const { id, kind, fingerprint, bookedAt, legs, reverses } = operation
  if (!isUuid(id)) throw new TypeError('An operation id must be a lower-case UUID')
  validateId(operation)
  if (!PLAIN.test(kind) || !PLAIN.test(fingerprint)) throw new TypeError('Operation kind and fingerprint must be plain')
  if (Number.isNaN(bookedAt.getTime())) throw new TypeError('An operation needs a date')
  if (reverses === undefined ? legs.length === 0 : legs.length > 0 || !isUuid(reverses)) {
    throw new TypeError('An operation has legs, or reverses another')
  }
  const named = new Set<string>()
  for (const leg of legs) {
    validateLeg(leg)
    const holdId = leg.kind === 'hold' ? id : leg.kind === 'transfer' ? null : leg.holdId
    if (holdId === null) continue
    if (named.has(holdId)) throw new TypeError('An operation names each hold once, and makes one at most')
    named.add(holdId)
  }
}

/** Checks the id. Only the bank may use derived ids, and a derived id must match its source. */
function validateId({ id, derivedFrom }: Operation): void {
  if (derivedFrom && derivedId(derivedFrom) !== id) throw new TypeError('The id is not derived from these parts')
  if (!derivedFrom && isDerived(id)) throw new Refusal('idempotency_key_reserved')
}

function validateLeg(leg: Leg): void {
  const amountMinor = leg.kind === 'void' ? undefined : leg.amountMinor
  if (amountMinor === undefined) {
    if (leg.kind === 'transfer' || leg.kind === 'hold') throw new Refusal('amount_invalid', 'amountMinor')
  } else {
    if (amountMinor > MAX_AMOUNT_MINOR) throw new Refusal('amount_too_large', 'amountMinor')
    if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0) throw new Refusal('amount_invalid', 'amountMinor')
  }
  if (leg.kind === 'transfer' || leg.kind === 'hold') {
    if (leg.debit === leg.credit) throw new Refusal('recipient_is_self')
    const { debit, credit, dayLimit } = leg
    if (![debit, credit, dayLimit?.accountId ?? debit].every(Number.isSafeInteger)) {
      throw new TypeError('No such account')
    }
    if (leg.kind === 'hold' && leg.expiresAt && Number.isNaN(leg.expiresAt.getTime()))
      throw new TypeError('No such date')
  } else if (!isUuid(leg.holdId)) throw new TypeError('A hold is named by a lower-case UUID')
}
